#!/bin/sh
# Who calls and how much: --callers, --bytes and --by, against programs made for it and strace of the same command.
. "$TOP/tests/cli/helpers"
command -v strace >/dev/null || { echo "strace is missing"; exit 1; }

# value FILE PYTHON: an expression over the report `r`; rows(LIST) is by name.
value() {
    python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
rows = lambda list: {row["name"]: row for row in list}
print(eval(sys.argv[2]))' "$1" "$2"
}

# Callers: the program asks 3 times, its library 5, one that is loaded 7, unloaded, and another at its place 2 times.
cat >asks.c <<'C'
#include <sys/xattr.h>
void NAME(void) { char value[8]; for (int i = 0; i < TIMES; i++) getxattr("/", "user.none", value, sizeof value); }
C
cat >main.c <<'C'
#include <dlfcn.h>
#include <sys/xattr.h>
void linked(void);
static void load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    ((void (*)(void))dlsym(library, "loaded"))();
    dlclose(library);
}
int main(void)
{
    char value[8];
    for (int i = 0; i < 3; i++)
        getxattr("/", "user.none", value, sizeof value);
    linked();
    load("./libfirst.so");
    load("./libsecond.so");
    return 0;
}
C
${CC:-cc} -shared -fPIC -DNAME=linked -DTIMES=5 -o liblinked.so asks.c
${CC:-cc} -shared -fPIC -DNAME=loaded -DTIMES=7 -o libfirst.so asks.c
${CC:-cc} -shared -fPIC -DNAME=loaded -DTIMES=2 -o libsecond.so asks.c
${CC:-cc} -o asker main.c ./liblinked.so -ldl || bad "no compiler"
try 0 "$RECKON" run -l calls --callers -f json -o report.json ./asker
same "callers" "[('asker', 3), ('libfirst.so', 7), ('liblinked.so', 5), ('libsecond.so', 2)]" \
    "$(value report.json 'sorted(rows(r["library_calls"])["getxattr"]["callers"].items())')"
same "calls without a caller" "[]" \
    "$(value report.json '[w["name"] for w in r["library_calls"] if sum(w["callers"].values()) != w["calls"]]')"
try 0 "$RECKON" run -o - -l calls --callers ./asker
grep -Eq '^ +7 libfirst.so +getxattr 7$' out || bad "no row of libfirst.so: $(cat out)"
try 0 "$RECKON" run -o - -l calls ./asker
! grep -q liblinked out || bad "callers unasked"
try 0 "$RECKON" compare -l calls --callers ./asker true
grep -Eq '^liblinked.so +5 +-$' out || bad "no callers side by side: $(cat out)"

# Bytes: of a file that is copied, and what strace adds up.
seq 20000 >file
size=$(wc -c <file)
cat >copy.c <<'C'
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
    char room[1000];
    int from = open("file", O_RDONLY), to = open("copy", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    for (ssize_t bytes; (bytes = read(from, room, sizeof room)) > 0;)
        if (write(to, room, (size_t)bytes) != bytes)
            return 1;
    return read(-1, room, 1) == -1 ? 0 : 1;
}
C
${CC:-cc} -o copy_file copy.c
try 0 "$RECKON" run --bytes -f json -o report.json ./copy_file
for list in library_calls system_calls; do
    same "bytes of $list" "$size $size" \
        "$(value report.json "'%d %d' % tuple(rows(r['$list'])[name]['bytes'] for name in ('read', 'write'))")"
    same "bytes of close in $list" False "$(value report.json "any('bytes' in w for w in r['$list'] if w['name'] == 'close')")"
done
try 0 "$RECKON" run -f json -o report.json ./copy_file
same "bytes unasked" False "$(value report.json 'any("bytes" in w for w in r["system_calls"])')"
mkdir folder
for n in $(seq 30); do : >folder/"$n"; done
LIBCOUNT_DEBUG=1 strace -qq -o trace -E LD_PRELOAD="$LIBCOUNT" -E LIBCOUNT_DISABLE=1 ls folder >/dev/null
strace_bytes=$(awk -v name=getdents64 '/^close\(-59/ { on = 1 } on && $0 ~ "^" name "\\(" { sum += $NF } END { print sum }' trace)
try 0 "$RECKON" run --bytes -f json -o report.json ls folder
same "bytes of getdents64, as strace sees them" "$strace_bytes" "$(value report.json 'rows(r["system_calls"])["getdents64"]["bytes"]')"

# By program: a shell with two programs below it, in a pipe and after it. Sums are those of the whole.
cat >script <<'S'
"$1" folder/1 folder/2 | ./cats >/dev/null
./cats </dev/null
exit 0
S
cp "$(command -v cat)" cats
cp "$(command -v stat)" stats
sums='[sum(w["calls"] for w in r[list]) == sum(w["calls"] for g in r[KEY] for w in g[list]) and
       sum(w["errors"] or 0 for w in r[list]) == sum(w["errors"] or 0 for g in r[KEY] for w in g[list])
       for list in ("library_calls", "system_calls")]'
for whole in '' '--whole --level=both' --whole; do
    # shellcheck disable=SC2086 # several options
    try 0 "$RECKON" run $whole --by=program -f json -o report.json bash script ./stats
    same "programs $whole" "['bash', 'cats', 'stats']" "$(value report.json 'sorted(g["name"] for g in r["programs"])')"
    same "processes of cats $whole" 2 "$(value report.json '[g["processes"] for g in r["programs"] if g["name"] == "cats"][0]')"
    same "sums by program $whole" "[True, True]" "$(value report.json "$(echo "$sums" | sed 's/KEY/"programs"/')")"

    # shellcheck disable=SC2086
    try 0 "$RECKON" run $whole --by=process -f json -o report.json bash script ./stats
    same "processes $whole" "['bash', 'cats', 'cats', 'stats']" "$(value report.json 'sorted(g["name"] for g in r["process_list"])')"
    same "sums by process $whole" "[True, True]" "$(value report.json "$(echo "$sums" | sed 's/KEY/"process_list"/')")"
    same "parents $whole" "{True}" "$(value report.json '{g["parent"] == shell["pid"] for shell in r["process_list"]
        if shell["name"] == "bash" for g in r["process_list"] if g["name"] != "bash"}')"
    same "command $whole" "[['./stats', 'folder/1', 'folder/2']]" \
        "$(value report.json '[g["command"] for g in r["process_list"] if g["name"] == "stats"]')"
done

# As strace -f has it, process by process: by the program that each has executed last. Without a pipe, whose reads vary,
# without a library, for which the loader may make a call more, and with the same output, which a newer cat looks at.
printf '"$1" folder/1 folder/2 >list\n./cats list >/dev/null\n./cats </dev/null >/dev/null\nexit 0\n' >script
strace -f -qq -o trace bash script ./stats >/dev/null
try 0 "$RECKON" run --whole=kernel --by=process -f json -o report.json bash script ./stats
grep -v ' --- \| <\.\.\. \| +++ ' trace | awk '
    { calls[$1]++ }
    match($0, /execve\("[^"]*"/) && !/ = -1 / { name[$1] = substr($0, RSTART + 8, RLENGTH - 9); sub(/.*\//, "", name[$1]) }
    END { for (pid in calls) print name[pid], calls[pid] }' | sort >expected
value report.json '"\n".join(sorted("%s %d" % (g["name"], sum(w["calls"] for w in g["system_calls"]))
    for g in r["process_list"]))' | sort >seen
diff expected seen || bad "strace -f has other counts by process"

try 0 "$RECKON" run -o - --by=program bash script ./stats
grep -Eq '^ +2 +[0-9]+ +[0-9]+ +[0-9]+ cats$' out || bad "no line of cats: $(tail -8 out)"
try 0 "$RECKON" run -o - --by=process bash script ./stats
grep -Eq '^ *[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ stats +\./stats folder/1' out || bad "no line of stats: $(tail -8 out)"

# A thousand and twenty-four processes have sections of their own; the others are "others", which is said.
cat >forks.c <<'C'
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    for (int i = 0; i < 1100; i++) {
        if (fork() == 0)
            _exit(getppid() == 1);
        wait(NULL);
    }
    return 0;
}
C
${CC:-cc} -o forks forks.c
try 0 "$RECKON" run --by=process -f json -o report.json ./forks
same "processes" "1101 1025 77" "$(value report.json '"%d %d %d" % (r["processes"], len(r["process_list"]),
    sum(g["processes"] for g in r["process_list"] if g["name"] == "others"))')"
same "sums with others" "[True, True]" "$(value report.json "$(echo "$sums" | sed 's/KEY/"process_list"/')")"
says report.json '77 processes found no section of their own'

# Merged, all of it adds up.
for n in 1 2; do
    try 0 "$RECKON" run --by=program --bytes --callers -f json -o part$n.json ./copy_file
done
try 0 "$RECKON" merge -f json -o sum.json part1.json part2.json
same "merged" "$((2 * size)) {'copy_file': $((2 * (size / 1000 + 3)))} 2" "$(value sum.json '"%d %s %d" % (
    rows(r["library_calls"])["read"]["bytes"], rows(r["library_calls"])["read"]["callers"], r["programs"][0]["processes"])')"
same "merged sums" "[True, True]" "$(value sum.json "$(echo "$sums" | sed 's/KEY/"programs"/')")"
try 0 "$RECKON" run -f json -o plain.json ./copy_file
try 125 "$RECKON" merge part1.json plain.json
same "left behind" "" "$(left_behind)"
finish
