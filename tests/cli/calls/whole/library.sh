#!/bin/sh
# reckon run --whole has a library count where one can be loaded, for system calls alone too; --whole=kernel loads none.
. "$TOP/tests/cli/helpers"

# loads HOW YES|NO COMMAND...: whether a library is mapped that counts.
loads() {
    way=$1 loaded=$2
    shift 2
    try 0 "$RECKON" run "$way" -o report "$@"
    if grep -q 'libcount' out; then found=yes; else found=no; fi
    same "a library under $way in $*" "$loaded" "$found"
    silent err
}
loads --whole yes cat /proc/self/maps
loads --whole=library yes cat /proc/self/maps
loads --whole=kernel no cat /proc/self/maps
loads --whole no busybox cat /proc/self/maps
loads --whole yes sh -c 'cat /proc/self/maps'

# The program's own view has nothing of it, whatever the program is, and all that was there before.
export LD_USE_LOAD_BIAS=0  # which a loader before glibc 2.36 is told otherwise
env | sort >alone
for way in --whole --whole=kernel; do
    for program in env 'busybox env' 'sh -c env'; do
        # shellcheck disable=SC2086 # words
        "$RECKON" run $way -o report $program 2>err | sort >seen
        grep -v '^\(_\|SHLVL\|OLDPWD\)=' alone >alone.fixed
        grep -v '^\(_\|SHLVL\|OLDPWD\)=' seen >seen.fixed
        same "the environment of $program under $way" "" "$(diff alone.fixed seen.fixed)"
        silent err
    done
done

# What the library has seen has its errors; what the kernel has told has none that are known.
cat >calls.c <<'C'
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
    for (int i = 0; i < 103; i++) {
        syscall(SYS_getppid);
        syscall(SYS_fchdir, -1);
    }
    return 0;
}
C
cc -O1 -o calls calls.c && cc -O1 -static -o calls-static calls.c || exit 1
row() { jq -c "[.whole, .level, (.system_calls[] | select(.name == \"$1\") | .calls, .errors, .errnos)]" report; }
for way in --whole --whole=library; do
    try 0 "$RECKON" run $way -f json -o report ./calls
    same "fchdir under $way" '[true,"syscalls",103,103,{"EBADF":103}]' "$(row fchdir)"
    same "getppid under $way" '103 0' "$(jq -r '.system_calls[] | select(.name == "getppid") | "\(.calls) \(.errors)"' report)"
    same "library calls under $way" 0 "$(jq '.library_calls | length' report)"
    same "uncounted under $way" '[]' "$(jq -c .uncounted report)"
done
try 0 "$RECKON" run --whole=kernel -f json -o report ./calls
same "fchdir from the kernel" '[true,"syscalls",103,null,null]' "$(row fchdir)"

# A static program, or one that the library executes, is counted as ever, and nothing is said to be missing.
try 0 "$RECKON" run --whole -f json -o report ./calls-static
same "fchdir of a static program" '[true,"syscalls",103,null,null]' "$(row fchdir)"
try 0 "$RECKON" run --whole -f json -o report sh -c './calls; ./calls-static'
same "fchdir of both" '[true,"syscalls",206,null,null]' "$(row fchdir)"
same "uncounted of both" '[]' "$(jq -c .uncounted report)"

# A program that stands where the library is to stand: what is wrong with the counts is told.
part() { ${CC:-cc} -print-file-name="$1"; }
${CC:-cc} -fPIE -no-pie -nostartfiles -Wl,--no-relax -Wl,-Ttext-segment=0x7e9000000000 -I"$TOP" -o high "$(part Scrt1.o)" \
    "$(part crti.o)" "$(part crtbeginS.o)" "$TOP/tests/fixture/primes.c" "$(part crtendS.o)" "$(part crtn.o)" || bad "high: not linked"
try 0 "$RECKON" run --whole -f json -o report ./high
same "what is told of it" "[\"$PWD/high: uses the address of the library: calls made there are not counted, the library's own \
are (--whole=kernel loads none)\"]" "$(jq -c .uncounted report)"
same "its own calls of it" 29 "$(jq '.system_calls[] | select(.name == "getxattr") | .calls' report)"
try 0 "$RECKON" run --whole=kernel -f json -o report ./high
same "nothing of it from the kernel" '[]' "$(jq -c .uncounted report)"

# Without the library's file it works as well.
mkdir bin && cp "$RECKON" bin/reckon
try 0 bin/reckon run --whole -f csv -o report ./calls
same "without a library" 103 "$(calls report system getppid)"
silent err

# Library calls are what a library is needed for.
try 125 "$RECKON" run --whole=kernel --level=both true
says err "--whole=kernel loads no library"
try 125 "$RECKON" run --level=calls --whole=kernel true
try 125 "$RECKON" run --whole=kernels true
says err "kernels"
try 0 "$RECKON" compare --whole=kernel true true
finish
