#!/usr/bin/env python3
# What strace saw of a command, by path, beside what `reckon run --files` reports: files.py TRACE REPORT FOLDER. The trace
# is of strace -f -y with the library loaded, switched off and saying by close(-59) where it would have begun. Paths are
# compared where they lead, since strace tells where a descriptor leads and the report by which path it was opened.
import collections, json, os, re, sys

OPENS = {'open': 0, 'creat': 0, 'openat': 1, 'openat2': 1, 'execve': 0, 'execveat': 1}
LOOKS = {'stat': 0, 'lstat': 0, 'access': 0, 'readlink': 0, 'statfs': 0, 'getxattr': 0, 'lgetxattr': 0, 'listxattr': 0,
         'llistxattr': 0, 'newfstatat': 1, 'statx': 1, 'faccessat': 1, 'faccessat2': 1, 'readlinkat': 1}
FD_LOOKS = {'fstat', 'fstatfs', 'fgetxattr', 'flistxattr'}
READS = {'read', 'pread64', 'readv', 'preadv', 'preadv2', 'getdents64'}
WRITES = {'write', 'pwrite64', 'writev', 'pwritev', 'pwritev2'}
COPIES = {'sendfile': (1, 0), 'copy_file_range': (0, 2), 'splice': (0, 2)}
COLUMNS = ('opens', 'looks', 'misses', 'reads', 'writes', 'bytes_read', 'bytes_written')
DESCRIPTOR = r'(?:AT_FDCWD|-?\d+)(?:<((?:[^<>\\]|\\.|->)*)>(?:\(deleted\))?)?'

def text(quoted):
    return quoted.encode().decode('unicode_escape').encode('latin-1').decode('utf-8', 'surrogateescape')

def led(path):
    path = os.path.realpath(path).encode('utf-8', 'surrogateescape').decode('utf-8', 'replace')
    return 'unnamed' if path.startswith('/memfd:') else re.sub(r'^/proc/(self|\d+)/', '/proc/self/', path)

def named(annotation):
    return led(text(annotation)) if annotation and annotation.startswith('/') else 'unnamed'

def events(path):
    """(process, name, arguments, result, what follows), and "born" for a process that was begun by a call which has not
    returned yet."""
    began, known = {}, set()
    for line in open(path, errors='surrogateescape'):
        match = re.match(r'(\d+) +(.*)', line.rstrip('\n'))
        if not match:
            continue
        pid, rest = int(match[1]), match[2]
        if pid not in known and known:
            parents = [other for other in began if re.match(r'(v?fork|clone3?)\(', began[other])]
            if parents:
                yield parents[-1], 'born', '', str(pid), ''
        known.add(pid)
        if rest.endswith(' <unfinished ...>'):
            began[pid] = rest[:-len(' <unfinished ...>')]
            continue
        resumed = re.match(r'<\.\.\. \w+ resumed>(.*)', rest)
        if resumed:
            rest = began.pop(pid, '') + resumed[1]
        call = re.match(r'(\w+)\((.*)\) += (\S+)(.*)', rest)
        if call:
            yield pid, call[1], call[2], call[3], call[4]
    for pid, rest in began.items():
        call = re.match(r'(\w+)\((.*)', rest)
        if call:
            yield pid, call[1], call[2], '?', ''

def path_of(name, arguments, where, folder):
    """Of the path that is argument number `where`, a folder's descriptor before it; or of the descriptor."""
    before = re.match(DESCRIPTOR + ', ', arguments) if where else None
    quoted = re.match(r'"((?:[^"\\]|\\.)*)"', arguments[before.end() if before else 0:])
    if not quoted:
        return named(before[1]) if before else 'unnamed'
    path, base = text(quoted[1]), text(before[1]) if before and before[1] else folder
    if not path and ('AT_EMPTY_PATH' in arguments or name == 'readlinkat'):
        return named(before[1]) if before[1] else led(folder)
    return led(os.path.join(base, path))

def main(trace, report, folder):
    seen = collections.defaultdict(collections.Counter)
    counting, folders = set(), {}
    for pid, name, arguments, result, rest in events(trace):
        folders.setdefault(pid, folder)
        if name == 'close' and arguments.startswith('-59'):
            counting.add(pid)
        if name in ('born', 'clone', 'clone3', 'fork', 'vfork') and result.isdigit() and int(result) not in folders:
            folders[int(result)] = folders[pid]
            if pid in counting:
                counting.add(int(result))
        if pid not in counting:
            continue
        size = int(result) if re.fullmatch(r'\d+', result) else 0
        bad = 'EBADF' in rest
        if name in OPENS or name in LOOKS:
            where = (OPENS if name in OPENS else LOOKS)[name]
            row = seen['unnamed' if bad or 'EFAULT' in rest else path_of(name, arguments, where, folders[pid])]
            row['opens' if name in OPENS else 'looks'] += 1
            row['misses'] += ' ENOENT ' in rest
        elif name in FD_LOOKS or name in READS or name in WRITES:
            row = seen['unnamed' if bad else named(re.match(DESCRIPTOR, arguments)[1])]
            what = 'reads' if name in READS else 'writes' if name in WRITES else 'looks'
            row[what] += 1
            if what != 'looks':
                row['bytes_read' if what == 'reads' else 'bytes_written'] += size
        elif name in COPIES:
            ends = [match[1] for match in re.finditer(r'(?:^|, )' + DESCRIPTOR + '(?=,)', arguments) if match[1]]
            seen[named(ends[COPIES[name][0] > 0])].update(reads=1, bytes_read=size)
            seen[named(ends[COPIES[name][1] > 0])].update(writes=1, bytes_written=size)
        elif name == 'chdir' and result == '0':
            folders[pid] = os.path.join(folders[pid], text(re.match(r'"(.*)"', arguments)[1]))
        elif name == 'fchdir' and result == '0':
            folders[pid] = text(re.match(DESCRIPTOR, arguments)[1])
        if name in ('execve', 'execveat') and result == '0':
            counting.discard(pid)

    told = collections.defaultdict(collections.Counter)
    report = json.load(open(report))
    for row in report['files']:
        told[led(row['path'])].update({key: row[key] for key in COLUMNS})
    told['unnamed'].update({key: report['files_unnamed'][key] for key in COLUMNS})
    differ = 0
    for path in sorted(set(seen) | set(told)):
        ours, theirs = (tuple(side[path][key] for key in COLUMNS) for side in (told, seen))
        if path == 'unnamed':   # in how many pieces a pipe is read, scheduling says
            ours, theirs = ours[:3] + ours[5:], theirs[:3] + theirs[5:]
        if re.fullmatch(r'/proc/(self|\d+)/maps', path):   # the library's mappings stand in it, too
            ours, theirs = ours[:3], theirs[:3]
        if ours != theirs:
            print(f'{path!r}: {dict(zip(COLUMNS, ours))}, strace: {dict(zip(COLUMNS, theirs))}')
            differ += 1
    other = sum(report['files_other'].values())
    if other:
        print(f'{other} in files_other')
    if sum(seen[path]['opens'] + seen[path]['looks'] for path in seen) < 5:
        print('strace saw next to nothing')
        differ += 1
    sys.exit(1 if differ or other else 0)

main(*sys.argv[1:])
