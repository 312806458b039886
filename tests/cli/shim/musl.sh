#!/bin/sh
# The library in programs of musl: the same fixtures, linked with musl and with glibc, give the same output and the same
# rows of library calls, calls and errors. Their system calls are for oracle.sh to compare.
. "$TOP/tests/cli/helpers"
loader=$(ls /lib/ld-musl-*.so.1 2>/dev/null)
if [ -z "$loader" ] || ! command -v musl-gcc >/dev/null; then
    bad "musl-gcc or musl's loader is missing"
    finish
fi
here=$PWD
mkdir here there
compile="-idirafter /usr/include/$(gcc -print-multiarch) -idirafter /usr/include -std=gnu11 -D_GNU_SOURCE -D__NO_INLINE__ -w -Wno-incompatible-pointer-types -Wno-implicit-function-declaration"

# The lines of every_call.def whose functions musl has; in the others those of the same name without "64" or "_IO_" make
# what later lines need. Not what musl leaves undefined: wrong threads, and abort() in a child that libc knows nothing of.
nm -D --defined-only "$loader" | awk '{ print $3 }' >names
echo 'int main(void) { int _Fork(void); return _Fork(); }' >fork.c
# Before glibc 2.34 libpthread and librt are libraries of their own, and their calls of libc count.
parts=
cc -o fork fork.c 2>/dev/null || {
    sed -i '/^_Fork$/d' names
    parts='__mprotect|__getdelim|__statfs|fclose|fopen|open|unlink'
}
awk 'NR == FNR { has[$1]; next }
    /^(BAD\((pthread_|timer_[a-z]*,)|ONE\(abort)/ { next }
    match($0, /^(ONE|BAD|ANY)\([A-Za-z0-9_]+/) {
        name = other = substr($0, 5, RLENGTH - 4)
        sub(/^_IO_/, "", other)
        sub(/64$/, "", other)
        if (!(name in has) && (other == name || other == "getdents" || !(other in has))) next
        if (!(name in has)) { rest = substr($0, RLENGTH + 1); gsub(name "\\(", other "(", rest); $0 = substr($0, 1, RLENGTH) rest }
    }
    { print }' names "$TOP/tests/fixture/wrap/every_call.def" >every_call.def
[ "$(grep -c '^[OBA]' every_call.def)" -gt 470 ] || bad "too few functions are left: $(grep -c '^[OBA]' every_call.def)"
cp "$TOP/tests/fixture/wrap/every_call.c" .

# It is compiled once, with the headers of glibc, whose structures are those of the kernel.
echo 'int __nss_configure_lookup(const char *a, const char *b) { return !a || !b; }' >nss.c
# shellcheck disable=SC2086  # words
{
    try 0 cc $compile -U_FORTIFY_SOURCE -fno-stack-protector -I"$TOP" -I"${LIBCOUNT%/*}" -c every_call.c
    try 0 cc -o here/every_call every_call.o -lpthread -lrt
    try 0 musl-gcc -w -o there/every_call every_call.o nss.c
    for name in primes endings processes threads wrap/opens signals; do
        try 0 cc $compile -I"$TOP" -o "here/${name#*/}" "$TOP/tests/fixture/$name.c" -lpthread
        try 0 musl-gcc $compile -I"$TOP" -o "there/${name#*/}" "$TOP/tests/fixture/$name.c"
    done
}

# Rows of a CSV report without the names of errors, and without the errors of those whose names match. What is __lxstat
# before glibc 2.33 is lstat since then, and in musl.
rows() {
    sed -nE 's/^.*,library,(.*),([^,"]*|"[^"]*")$/\1/p' "$2" | sed -E 's/^__(l|f|)xstat(at|)(64|),/\1stat\2\3,/; s/^__xmknod(at|),/mknod\1,/' |
        awk -F, '{ calls[$1 "," $2] += $3; errors[$1 "," $2] += $4 }
            END { for (name in calls) print name "," calls[name] "," errors[name] }' |
        sed -E "s/^($1)(,.*),[0-9]*$/\1\2,-/" | LC_ALL=C sort
}

# alike LEAVE FIXTURE WORD...: the same exit status, output and rows of both. LEAVE: a pattern of the names whose errors
# are each libc's own; their calls count.
alike() {
    leave=$1 fixture=$2
    shift 2
    for libc in here there; do
        rm -rf work "$libc.csv"
        mkdir work
        (
            cd work || exit
            timeout -s KILL 300 env LIBCOUNT_FORMAT=csv LIBCOUNT_OUTPUT="$here/$libc.csv" LD_PRELOAD="$LIBCOUNT" \
                "$here/$libc/$fixture" "$@" >"$here/$libc.out" 2>/dev/null
            echo "exit status $?" >>"$here/$libc.out"
        )
        [ -s $libc.csv ] || : >$libc.csv
        rows "$leave" $libc.csv >$libc.rows
        [ -z "$parts" ] || case $fixture in threads | every_call) sed -i -E "/^($parts),/d" $libc.rows ;; esac
    done
    [ -s there.rows ] || [ "${NOTHING-}" ] || bad "$fixture $*: nothing was counted"
    diff here.rows there.rows || bad "$fixture $*: rows differ"
    [ -z "$leave" ] || sed -i '/^exit status/!d' here.out there.out  # children print what is in a buffer, or not
    diff here.out there.out || bad "$fixture $*: output differs"
}
alike '' primes
alike '' primes children 3
alike '' opens
for way in return exit _exit _Exit quick_exit exit_group abort atexit at_quick_exit; do alike '' endings $way; done
for way in term kill; do NOTHING=yes alike '' endings $way; done  # a signal ends them before they print
for way in fork17 split vfork raw_clone daemon; do alike '' processes $way; done
alike '' threads hot 16 1009
alike '' threads short 101
alike 'brk|clone|epoll_create|fdopen|gethostname|getlogin|mprotect' every_call
[ "$(wc -l <there.rows)" -gt 270 ] || bad "only these rows: $(cat there.rows)"

# How many of them wait already when the program ends is chance.
try 0 "$RECKON" run -f csv -o report -- there/threads detached 31
same "lstat in threads that live at the end" 217 "$(calls report library lstat)"

# Through the driver and the wrapper script, named without a reason not to be; its own arguments; started by its loader.
try 0 "$RECKON" run -f csv -o report -- there/primes
same "lstat in a musl program under reckon" 23 "$(calls report library lstat)"
try 0 "$RECKON" run -f json -o report -- sh -c 'there/primes; env -i there/primes'
! grep -q 'uncounted": \[[^]]*primes' report || bad "named as uncounted: $(cat report)"
try 0 "$RECKON" run --by=program -f csv -o report -- "$loader" there/primes
same "lstat in a program that musl's loader was told to run" 23 "$(calls report library lstat)"
try 0 env LD_PRELOAD="$LIBCOUNT" there/primes 'two words'
says err 'libcount: there/primes two words (1 process)'
finish
