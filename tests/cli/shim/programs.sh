#!/bin/sh
# Real programs under the library: standard output, standard error, exit status and the files that they make are those
# without it. And something was counted.
. "$TOP/tests/cli/helpers"
here=$PWD

# alike NAME COMMAND...: each time in a directory of its own that `prepare` fills.
alike() {
    name=$1
    shift
    for way in native counted; do
        rm -rf "${here:?}/$way"
        mkdir "$here/$way"
        cd "$here/$way" || exit 1
        prepare >/dev/null 2>&1
        if [ $way = native ]; then
            timeout 300 "$@" >"$here/$way.out" 2>"$here/$way.err" </dev/null
        else
            timeout 300 env LIBCOUNT_OUTPUT="$here/report" LD_PRELOAD="$LIBCOUNT" "$@" >"$here/$way.out" 2>"$here/$way.err" </dev/null
        fi
        echo "exit status $?" >>"$here/$way.out"
        cd "$here" || exit 1
    done
    sed -i 's/mp-[a-z0-9_]*/mp-NAME/g' native.err counted.err  # Python's semaphores, of random names
    cmp -s native.out counted.out || { bad "$name: output differs:"; diff native.out counted.out | head -20; }
    cmp -s native.err counted.err || { bad "$name: standard error differs:"; diff native.err counted.err | head -20; }
    diff -r --exclude=.git native counted >files.differ 2>&1 || { bad "$name: files differ:"; head -20 files.differ; }
    # A program that a signal kills takes its report with it.
    [ -s report ] || grep -q 'exit status \(1[3-9]\|2\)[0-9]' native.out || bad "$name: no report"
    rm -f report
}

prepare() { :; }
alike bash bash -c '
    set -o pipefail; trap "echo trapped" USR1; kill -USR1 $$
    for i in {1..20}; do (exit $i); echo $?; done
    coproc cat; echo through >&${COPROC[1]}; read -r line <&${COPROC[0]}; echo $line
    echo a b c | tr " " "\n" | sort -r | while read -r x; do echo "<$x>"; done
    diff <(echo 1) <(echo 2); false | true; echo $?; sleep 0.05 & wait $!; ulimit -c; type cd; nothing-of-the-kind'
alike dash dash -c 'trap "echo bye" EXIT; (kill -TERM $$) ; sleep 1; echo not reached'
alike perl perl -e '$SIG{ALRM} = sub { print "alarm\n" }; alarm 1; $n = sleep 5; print fork() ? (wait, $? >> 8) [1] : exit 3, "\n";
    open(P, "-|", "echo piped; exit 4"); print <P>; close P; print $? >> 8, "\n"; eval { die "x\n" }; print $@; print sort map { $_ ** 2 } 1..9'
alike python /usr/bin/python3 -c '
import os, signal, subprocess, sys, threading, multiprocessing, time
print(subprocess.run(["sh", "-c", "echo out; echo err >&2; exit 3"], capture_output=True))
r = []
ts = [threading.Thread(target=lambda i=i: r.append(i * i)) for i in range(50)]
[t.start() for t in ts]; [t.join() for t in ts]; print(sorted(r))
signal.signal(signal.SIGALRM, lambda *a: print("alarm")); signal.setitimer(signal.ITIMER_REAL, 0.05); time.sleep(0.2)
print(signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGSYS]), signal.pthread_sigmask(signal.SIG_BLOCK, []))
os.kill(os.getpid(), signal.SIGSYS); print(signal.sigpending(), signal.sigwait([signal.SIGSYS]))
with multiprocessing.Pool(3) as pool: print(pool.map(abs, range(-5, 5)))
pid = os.posix_spawn("/bin/true", ["true"], os.environ, setsigmask=[signal.SIGSYS], setsigdef=[signal.SIGSYS]); print(os.waitpid(pid, 0)[1])'
# On its own: a process that cleans up behind it would write beside the shell that tells of it.
alike abort /usr/bin/python3 -c 'import os; os.abort()'
if command -v node >/dev/null; then
    alike node node -e '
        const { spawnSync } = require("child_process"); const { Worker, isMainThread } = require("worker_threads");
        console.log(spawnSync("sh", ["-c", "echo hi; exit 3"]).status, String(spawnSync("echo", ["x"]).stdout));
        require("crypto").pbkdf2("a", "b", 1000, 8, "sha1", (e, k) => console.log(k.toString("hex")));
        let w = new Worker("require(\"worker_threads\").parentPort.postMessage(42)", { eval: true });
        w.on("message", m => { console.log(m); process.exitCode = 5; });'
fi

prepare() {
    mkdir one
    for i in 1 2 3; do
        printf '#include <stdio.h>\nint f%s(void) { return printf("%s\\n"); }\n' $i $i >$i.c
    done
    printf 'int f1(void), f2(void), f3(void);\nint main(void) { return f1() + f2() + f3(); }\n' >main.c
    printf 'all: p\n\t./p; test $$? = 6\np: main.o 1.o 2.o 3.o\n\t$(CC) -o $@ $^\nbad:\n\tfalse\n' >Makefile
}
alike make sh -c 'make -j2 >log 2>&1; s=$?; sort log; rm log; make bad; exit $s'
alike gcc gcc -O2 -g0 -Wall -S -o - 1.c main.c -E
alike gcc-error gcc -c nothing.c

prepare() {
    export GIT_AUTHOR_DATE='2020-01-01T00:00:00Z' GIT_COMMITTER_DATE='2020-01-01T00:00:00Z' GIT_CONFIG_NOSYSTEM=1 HOME="$PWD"
    git init -q -b main . && git config user.email t@example.org && git config user.name t && git config gc.auto 0
    seq 1000 >lines && git add . && git commit -qm first && seq 1010 >lines
}
alike git sh -c 'git status --short; git diff --stat; git commit -qam second; git log --oneline; git gc -q; git fsck;
    git clone -q . copy; git -C copy log --format=%H; git stash list; git branch x; git rebase -q x; git nonsense'
unset GIT_AUTHOR_DATE GIT_COMMITTER_DATE GIT_CONFIG_NOSYSTEM
prepare() { seq 20 | while read -r i; do echo "$i" >"f$i"; done; }
alike tar sh -c 'tar cf - f* --sort=name --mtime=@0 --owner=0 | tar tvf -; find . -name "f1*" | sort | xargs cat; tar xf nothing'
alike sort sh -c 'seq 30000 | shuf --random-source=/dev/zero | sort -n --parallel=2 -S 100k | cksum; sort --nonsense'
alike awk awk 'BEGIN { while (("seq 5" | getline x) > 0) s += x; print s; system("exit 3"); print 1 | "cat >&2"; exit 7 }'
alike timeout timeout -s INT 0.2 sleep 5
alike xargs sh -c 'seq 9 | xargs -P1 -n2 sh -c "echo \$0 \$1; exit \$0"'

# Programs that the library cannot be loaded into run as they are, and are named; those of musl are counted.
prepare() { printf 'int main(void) { return 7; }\n' >p.c && cc -static -o p p.c; }
alike static sh -c './p; echo $?'
if command -v busybox >/dev/null; then
    prepare() { :; }
    alike busybox sh -c 'busybox sh -c "echo 1 | busybox sed s/1/2/; exit 3"; echo $?'
fi
if command -v musl-gcc >/dev/null; then
    prepare() { printf '#include <stdio.h>\nint main(void) { puts("musl"); return 7; }\n' >p.c && musl-gcc -o p p.c; }
    alike musl sh -c './p; echo $?'
fi

# A server with threads: what a client sees, and that it ends when it is asked to.
if command -v redis-server >/dev/null; then
    for way in native counted; do
        set -- timeout 300 redis-server --port 0 --unixsocket "$here/socket" --save '' --dir "$here" --io-threads 2 --daemonize no
        if [ $way = native ]; then
            "$@" >server.log 2>&1 &
        else
            shift 2
            timeout 300 env LIBCOUNT_OUTPUT="$here/report" LD_PRELOAD="$LIBCOUNT" "$@" >server.log 2>&1 &
        fi
        server=$!
        wait_until [ -S socket ]
        {
            redis-cli -s socket set a 1
            seq 2000 | sed 's/.*/incr a/' | redis-cli -s socket | tail -1
            redis-cli -s socket bgsave
            redis-cli -s socket eval 'return redis.call("get", "a")' 0
            redis-cli -s socket shutdown nosave
        } >$way.redis 2>&1
        wait $server
        echo "exit status $?" >>$way.redis
        rm -f socket
    done
    cmp -s native.redis counted.redis || { bad "redis differs:"; diff native.redis counted.redis; }
    [ -s report ] || bad "redis-server: no report"
fi
finish
