// What suite/node.sh runs: a server with clients, files, threads and processes; a line TEST<TAB>RESULT for each.
const { createHash, pbkdf2Sync } = require('crypto');
const { exec, execFileSync, spawn, spawnSync, fork } = require('child_process');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const cluster = require('cluster'), dns = require('dns'), fs = require('fs'), http = require('http'), net = require('net');
const os = require('os'), zlib = require('zlib');

const digest = data => createHash('sha256').update(data).digest('hex').slice(0, 16);
const tell = (test, result) => console.log(`${test}\t${result}`);
const sleep = time => new Promise(done => setTimeout(done, time));

function get(port, path) {
    return new Promise((done, failed) => http.get({ port, path, host: '127.0.0.1' }, answer => {
        const parts = [];
        answer.on('data', part => parts.push(part));
        answer.on('end', () => done(`${answer.statusCode} ${digest(Buffer.concat(parts))}`));
    }).on('error', failed));
}

async function serve() {
    const server = http.createServer((request, answer) => {
        const size = Number(request.url.slice(1));
        if (Number.isNaN(size)) {
            answer.statusCode = 404;
            answer.end('none');
        } else if (size % 2) {
            fs.createReadStream(process.execPath, { end: size }).pipe(answer);
        } else {
            zlib.gzip(Buffer.alloc(size, 'x'), (error, data) => answer.end(data));
        }
    });
    await new Promise(done => server.listen(0, '127.0.0.1', done));
    const port = server.address().port, answers = [];
    for (let round = 0; round < 20; round++)
        answers.push(...await Promise.all([...Array(50).keys()].map(n => get(port, `/${n * 997}`))));
    answers.forEach((answer, n) => tell(`request ${n}`, answer));
    tell('no such file', await get(port, '/none'));
    await new Promise(done => server.close(done));
}

async function files() {
    for (let n = 0; n < 200; n++)
        await fs.promises.writeFile(`file${n}`, 'y'.repeat(n * 31));
    const read = await Promise.all([...Array(200).keys()].map(n => fs.promises.readFile(`file${n}`)));
    tell('200 files', digest(Buffer.concat(read)));
    const seen = await new Promise(done => {
        const watcher = fs.watch('.', (event, name) => { watcher.close(); done(name); });
        fs.writeFileSync('watched', 'x');
    });
    tell('a change that is watched', seen);
    tell('errors', ['/nowhere', '/root/x/y', '.'].map(path => {
        try { return fs.readFileSync(path).length; } catch (error) { return error.code; }
    }).join());
}

async function processes() {
    tell('exit status', spawnSync('sh', ['-c', 'exit 7']).status);
    tell('a signal', spawnSync('sh', ['-c', 'kill -9 $$']).signal);
    tell('input and output', digest(execFileSync('cat', { input: Buffer.alloc(1000000, 'z') })));
    const many = await Promise.all([...Array(40).keys()].map(n => new Promise(done =>
        exec(`echo ${n}; exit ${n}`, (error, output) => done(`${output.trim()}:${error ? error.code : 0}`)))));
    tell('40 at once', many.join());
    const child = spawn('sleep', ['100']);
    const ended = new Promise(done => child.on('exit', (status, signal) => done(`${status} ${signal}`)));
    await sleep(20);
    child.kill('SIGTERM');
    tell('one that is ended', await ended);
    const own = fork(__filename, ['child']);
    tell('messages', await new Promise(done => { own.on('message', done); own.send({ n: 6 }); }));
    await new Promise(done => own.on('exit', done));
    let signals = 0;
    process.on('SIGUSR2', () => signals++);
    for (let n = 1; n <= 20; n++) {
        process.kill(process.pid, 'SIGUSR2');
        while (signals < n)
            await sleep(1);
    }
    tell('20 signals', signals);
}

async function threads() {
    const sums = await Promise.all([...Array(8).keys()].map(n => new Promise((done, failed) => {
        const worker = new Worker(__filename, { workerData: n });
        worker.on('message', done);
        worker.on('error', failed);
    })));
    tell('8 threads', sums.join());
    tell('names', (await dns.promises.lookup('localhost', { family: 4 })).address);
    tell('arithmetic', pbkdf2Sync('a', 'b', 20000, 32, 'sha256').toString('hex').slice(0, 16));
    tell('limits', `${os.cpus().length} ${process.umask().toString(8)} ${fs.readdirSync('/proc/self/fd').length > 3}`);
}

async function workers() {
    cluster.setupPrimary({ args: ['worker'] });
    const port = await new Promise(done => {
        for (let n = 0; n < 2; n++)
            cluster.fork();
        cluster.on('listening', (worker, address) => done(address.port));
    });
    const answers = await Promise.all([...Array(50).keys()].map(n => get(port, `/${n}`)));
    tell('50 requests to a cluster', new Set(answers).size);
    await new Promise(done => cluster.disconnect(done));
}

if (!isMainThread) {
    const data = fs.readFileSync('/etc/passwd');
    let sum = 0;
    for (let n = 0; n < 2000000; n++)
        sum = (sum * 31 + n + workerData) % 1000003;
    parentPort.postMessage(sum + (data.length > 0));
} else if (cluster.isWorker) {
    http.createServer((request, answer) => answer.end(`hello`)).listen(0, '127.0.0.1');
} else if (process.argv[2] === 'child') {
    process.on('message', message => { process.send(message.n * 7); process.disconnect(); });
} else {
    (async () => {
        for (const part of [serve, files, processes, threads, workers])
            await part();
        tell('end', 'reached');
    })();
}
