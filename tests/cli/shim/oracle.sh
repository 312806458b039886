#!/bin/sh
# System calls against an independent oracle: strace -f of the same command, with the library loaded but switched off,
# from the point on where the library would begin to count (it makes close(-59) there). Every row of every command is
# equal, calls and errors and which errors they were, each in several address-space layouts.
. "$TOP/tests/cli/helpers"
command -v strace >/dev/null || { echo "strace is missing"; exit 1; }

RUNS=${RUNS:-3}
export LIBCOUNT_DEBUG=1 LIBCOUNT_LEVEL=syscalls LIBCOUNT_FORMAT=csv LIBCOUNT_OUTPUT=
here=$PWD

# Rows "NAME CALLS ERRORS" and "NAME:ERRNO CALLS 0" of both, one file for each run, in ./strace.N and ./counted.N of the test's directory.
run_strace() {
    strace -f -qq -o "$here/trace" -E LD_PRELOAD="$LIBCOUNT" -E LIBCOUNT_DISABLE=1 "$@" >/dev/null 2>&1 </dev/null
    awk -f "$TOP/tests/cli/shim/oracle.awk" "$here/trace"
}
run_counted() {
    LIBCOUNT_DISABLE=0 LIBCOUNT_OUTPUT=$here/report LD_PRELOAD=$LIBCOUNT "$@" >/dev/null 2>&1 </dev/null
    sed -n 's/^.*,system,//p' "$here/report" | tr -d '"' | awk -F, '{
        print $1, $3, $4
        for (i = 5; i <= NF; i++) if (split($i, word, " ") == 2) print $1 ":" word[1], word[2], 0
    }'
    rm -f "$here/report"
}

# Where each tool always gives the same for a row, the two are equal. Where one varies from run to run, so does the
# command: their values must at least have met. The names in the comma-separated first argument are left out.
judge='
FNR == 1 { tool = FILENAME ~ /strace/ ? "s" : "c"; run++; runs[tool]++ }
{ name = $1; sub(/:.*/, "", name) }
index(varying, "," name ",") { next }
{ value = $2 "/" $3; names[$1] = 1; times[tool, $1]++; seen[tool, $1, value]++; list[tool, $1] = list[tool, $1] " " value }
END {
    for (name in names) {
        met = 0
        for (tool_number = 1; tool_number <= 2; tool_number++) {
            tool = tool_number == 1 ? "s" : "c"
            if (times[tool, name] < runs[tool]) { seen[tool, name, "0/0"] = 1; list[tool, name] = list[tool, name] " 0/0" }
        }
        count = split(list["c", name], values, " ")
        for (i = 1; i <= count; i++) if (("s", name, values[i]) in seen) met = 1
        if (!met) { print name ": strace" list["s", name] ", counted" list["c", name]; bad = 1 }
    }
    exit bad
}'

# oracle VARYING COMMAND...
oracle() {
    varying=$1
    shift
    rm -f "$here"/strace.[0-9]* "$here"/counted.[0-9]*
    n=0
    while [ $n -lt "$RUNS" ]; do
        n=$((n + 1))
        asked=0
        run_strace "$@" >"$here/strace.$n"
        while grep -q '???(' "$here/trace" && [ $((asked += 1)) -le 30 ]; do
            run_strace "$@" >"$here/strace.$n"  # it could not see which call that was: once more
        done
        run_counted "$@" >"$here/counted.$n"
        ! grep -q '"/proc/[a-z0-9]*/maps"' "$here/trace" || varying="$varying,read"  # our mappings stand in it, too
        if [ ! -s "$here/counted.$n" ] || [ ! -s "$here/strace.$n" ]; then
            bad "$*: nothing counted"
            return
        fi
    done
    awk -v varying=",$varying," "$judge" "$here"/strace.[0-9]* "$here"/counted.[0-9]* >"$here/verdict" ||
        { bad "$*:"; sed 's/^/  | /' "$here/verdict"; }
}

# Where an allocation ends up decides whether the allocator needs one more piece of memory: address-space layout.
HEAP=brk,mmap,munmap,mremap,mprotect,madvise
# A wait that finds what it waits for does not enter the kernel: timing.
# How many children one SIGCHLD stands for is timing too.
TIMING=futex,sched_yield,clock_nanosleep,restart_syscall,poll,ppoll,epoll_wait

mkdir files work
for i in $(seq 20); do echo "line $i" >"files/sample.$i"; done
cat >program.c <<'C'
#include <stdio.h>
int main(void) { puts("made"); return 0; }
C
printf 'all: one two\n%%:\n\t@echo $@; test -f program.c\n' >Makefile
seq 5000 | sort -R >lines 2>/dev/null || seq 5000 >lines
(cd work && git init -q . && git config user.email t@example.org && git config user.name t && cp ../files/* . &&
    git add . && git commit -qm first && echo more >>sample.1) >/dev/null 2>&1
cat >script <<'S'
for i in 1 2 3; do (exit $i); done
x=$(echo a | tr a b | cat)
y=$(cat <<E
$x
E
)
[ "$y" = b ] && ls files | sort -r | wc -l
S

oracle "" ls -l files
oracle "" ls -1 files
oracle "" ls -lR files
oracle "" ls -la --color=always /etc
oracle "" find /usr/share/doc -maxdepth 2
oracle "" du -s /usr/share/perl
oracle "" grep -r zzz files
oracle "" tar cf archive files
oracle "" git -C work status
oracle "" git -C work log
oracle "" git -C work diff
oracle "" make
oracle "$HEAP" gcc -O1 -c program.c
oracle "" /usr/bin/python3 -c 'import json, re, threading; print(json.dumps(re.split("b", "abc")))'
oracle "" perl -e 'open(F, "lines"); @l = <F>; print scalar @l'
oracle "rt_sigreturn" bash script
oracle "rt_sigreturn" dash script
oracle "" sort lines
oracle "" sort --parallel=2 -S 64k lines
oracle "$HEAP" awk '{ s += $1 } END { print s }' lines
oracle "" sed -n 5p lines
oracle "" cat lines
oracle "" xargs -a lines -n 1000 echo
oracle "" stat files
# How much is written before the reader ends, and whether a child has ended when it is asked after: timing.
oracle "write,rt_sigreturn" sh -c 'trap "" PIPE; seq 100000 | head -1'
oracle "" timeout 5 sleep 0.01
if command -v node >/dev/null; then
    oracle "$TIMING,$HEAP" node -e 'console.log(require("fs").readdirSync("files").length)'
fi

# Programs of musl.
linux="-idirafter /usr/include/$(gcc -print-multiarch) -idirafter /usr/include"
for name in primes threads processes; do
    # shellcheck disable=SC2086  # words
    try 0 musl-gcc -w -std=gnu11 -D_GNU_SOURCE -I"$TOP" $linux -o "musl-$name" "$TOP/tests/fixture/$name.c"
done
oracle "" ./musl-primes children 3
oracle "$TIMING" ./musl-threads short 19
oracle "$TIMING,pause" ./musl-threads detached 7
for way in fork17 split vfork raw_clone; do oracle "rt_sigreturn" ./musl-processes $way; done
finish
