#!/bin/sh
# The library on another processor: fixtures that are built for aarch64 and run by qemu give the rows of library calls
# that they give here, calls and errors, and the report says why there are no system calls.
. "$TOP/tests/cli/helpers"
[ "$(uname -m)" = x86_64 ] || { echo "nothing to compare with on $(uname -m)"; exit 0; }
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64)
if [ -z "$qemu" ] || ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    bad "aarch64-linux-gnu-gcc or qemu-aarch64 is missing"
    finish
fi
build=${LIBCOUNT%/*}/aarch64
programs='primes endings processes threads wrap/errors wrap/opens wrap/descriptors wrap/every_call'
# shellcheck disable=SC2086,SC2046  # names without spaces
try 0 make -s -C "$TOP" CC=aarch64-linux-gnu-gcc B="$build" "$build/libcount.so" \
    $(printf "$build/tests/fixture/%s " $programs)
silent out
grep -v lchmod err >complaints  # which old libcs complain of
silent complaints

# rows LEAVE: the rows of a CSV report without the names of errors, which are qemu's choice, and without the errors of those
# whose names match.
rows() { sed -nE 's/^.*,library,(.*),([^,"]*|"[^"]*")$/\1/p' | sed -E "s/^($1)(,.*),[0-9]*$/\\1\\2,-/" | LC_ALL=C sort; }

# alike LEAVE FIXTURE WORD...: the same exit status, output and rows here and there. LEAVE: a pattern of the names whose
# results are qemu's; their calls count.
alike() {
    leave=$1 fixture=$2
    shift 2
    rm -rf here there here.* there.*
    mkdir here there
    (
        cd here || exit
        LIBCOUNT_FORMAT=csv LIBCOUNT_LEVEL=calls LIBCOUNT_OUTPUT=../here.csv LD_PRELOAD=$LIBCOUNT \
            "$FIXTURES/$fixture" "$@" >../here.out 2>/dev/null
        echo "exit status $?" >>../here.out
    )
    (
        cd there || exit
        "$qemu" -L /usr/aarch64-linux-gnu -E LIBCOUNT_FORMAT=csv -E LIBCOUNT_LEVEL=calls -E LIBCOUNT_OUTPUT=../there.csv \
            -E LD_PRELOAD="$build/libcount.so" "$build/tests/fixture/$fixture" "$@" >../there.out 2>/dev/null
        echo "exit status $?" >>../there.out
    )
    [ -s here.csv ] || : >here.csv
    [ -s there.csv ] || : >there.csv
    rows "$leave" <here.csv | grep -v '^__send,' >here.rows  # which is x86's alone
    rows "$leave" <there.csv >there.rows
    diff here.rows there.rows || bad "$fixture $*: rows differ"
    [ -z "$leave" ] || sed -i -E "/^($leave)\\(/d" here.out there.out
    diff here.out there.out || bad "$fixture $*: output differs"
}
alike '' primes
alike '' primes children 3
alike '' wrap/opens
for way in return exit _exit _Exit quick_exit exit_group abort term kill atexit at_quick_exit; do alike '' endings $way; done
for way in fork17 split vfork raw_clone daemon; do alike '' processes $way; done
for way in minus null map handler doubt streams; do alike '' wrap/errors $way; done
# An emulator before 7.2 has no close_range.
range=
"$qemu" --version | grep -Eq 'version ([0-6]|7\.[01])\.' && range=close_range
alike "$range" wrap/descriptors close_range
for way in first closefrom loop streams dup2 dup3 freopen; do alike '' wrap/descriptors $way; done
alike posix_spawn wrap/errors number  # a child of vfork has memory of its own
alike readdir wrap/errors entry       # of a folder whose descriptor is closed
alike '' threads hot 16 1009
alike '' threads short 101

# What a program of aarch64 executes is for the kernel here to run, and some calls are qemu's own.
alike "${range:+$range|}exec.*|fexecve|posix_spawnp?|epoll_pwait2|madvise|posix_madvise|mlockall|(recv|send)m?msg" wrap/every_call
[ "$(wc -l <there.rows)" -gt 400 ] || bad "only these rows: $(cat there.rows)"

"$qemu" -L /usr/aarch64-linux-gnu -E LD_PRELOAD="$build/libcount.so" "$build/tests/fixture/primes" 2>report
says report "system calls: this machine is none of those on which they are counted (x86-64)"
finish
