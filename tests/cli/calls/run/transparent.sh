#!/bin/sh
# The command gets from reckon what it would get without it: descriptors, dispositions, mask, directory, arguments,
# environment, standard streams, also closed ones; limits, actions, alternate stacks, and what handlers see.
. "$TOP/tests/cli/helpers"

how=
compare_state() {
    : >err
    "$@" "$FIXTURES/state" a 'b c' '' >without <in 2>>err
    # shellcheck disable=SC2086 # several options
    "$@" "$RECKON" run -o report $how "$FIXTURES/state" a 'b c' '' >with <in 2>>err
    sed 's/^descriptor 1 .*/descriptor 1/' without >without.1
    sed 's/^descriptor 1 .*/descriptor 1/' with >with.1
    diff without.1 with.1 || bad "$* $how: the command's state differs"
    silent err
    [ -s report ] || bad "$*: no report"
}

echo input >in
compare_state env
compare_state env --ignore-signal=INT,TERM,HUP,PIPE,CHLD
compare_state env --block-signal=USR1,TERM,CHLD
compare_state env -i A=1 LD_LIBRARY_PATH=/nonexistent PATH="$PATH"
compare_state sh -c 'exec 7<in 9>nine "$@"' sh
compare_state sh -c 'exec 2>&- "$@"' sh
compare_state sh -c 'exec <&- "$@"' sh
compare_state sh -c 'ulimit -c 0; exec "$@"' sh

for how in --level=calls --level=syscalls --time --whole --whole=kernel '--whole --level=both' '--files --bytes --callers --by=process'; do
    compare_state env
    compare_state sh -c 'ulimit -n 300; ulimit -s 1000; exec 7<in 8>/dev/null "$@"' sh
done
says with 'handler of 11: '
same "handlers" 3 "$(grep -c '^handler of' with)"

# Under the bare library all but its own variables.
for level in calls syscalls both; do
    "$FIXTURES/state" a >without <in
    LIBCOUNT_LEVEL=$level LIBCOUNT_OUTPUT=report LD_PRELOAD=$LIBCOUNT "$FIXTURES/state" a >with <in
    for side in without with; do
        sed -i 's/^descriptor 1 .*/descriptor 1/; /^[a-z]* LIBCOUNT_[A-Z]*=/d; /^[a-z]* LD_PRELOAD=/d' $side
    done
    diff without with || bad "the bare library at $level: the command's state differs"
done

# Standard input is the command's, all of it, and what it says comes before the report.
printf 'one\ntwo\n' >lines
"$RECKON" run -l calls sh -c 'cat; echo oops >&2' <lines >out 2>err
same "first line" one "$(sed -n 1p out)"
same "second line" two "$(sed -n 2p out)"
same "lines of the command" 2 "$(wc -l <out)"
same "standard error" oops "$(sed -n 1p err)"
same "the report" "library calls of 2 processes" "$(sed -n 2p err)"
printf 'one\ntwo\n' | sh -c '"$0" run -o report head -n 1; cat' "$RECKON" >out

# Standard output or error closed: the command sees that, and reckon says that it cannot report, or ends as if it did.
"$RECKON" run sh -c 'echo x; echo $? >status' >&- 2>err
same "status without standard output" 0 $?
same "status of echo without standard output" 1 "$(cat status)"
says err "system calls"
"$RECKON" run -o - sh -c 'exit 3' >&- 2>err
same "status where the report has no standard output" 125 $?
says err "reckon: output: standard output: Bad file descriptor"
"$RECKON" run sh -c 'echo x; exit 3' >out 2>&-
same "status where the report has no standard error" 125 $?
same "its output" x "$(cat out)"

# What the user preloads is loaded, and all that the command sees.
LD_PRELOAD=libm.so.6 "$RECKON" run -o report sh -c 'echo "$LD_PRELOAD"' >out
same LD_PRELOAD libm.so.6 "$(cat out)"

# A program with AddressSanitizer runs, as the command and as a child, and sees the user's options alone.
${CC:-cc} -fsanitize=address -D__NO_INLINE__ -o sanitized "$TOP/tests/fixture/primes.c" -Wl,--as-needed \
    "$FIXTURES/library/libc.so.newer" || bad "cannot build with AddressSanitizer"
try 0 "$RECKON" run -o - -l calls -f csv ./sanitized
same "lstat of a sanitized program" 23 "$(calls out library lstat)"
try 0 "$RECKON" run -o - -l calls -f csv sh -c ./sanitized
same "lstat of a sanitized child" 23 "$(calls out library lstat)"
silent err
ASAN_OPTIONS=exitcode=9 "$RECKON" run -o report sh -c 'echo "$ASAN_OPTIONS"' >out
same ASAN_OPTIONS exitcode=9 "$(cat out)"

# The report's file is not there while the command runs.
mkdir empty
"$RECKON" run -o empty/report ls -A empty >out
silent out
[ -s empty/report ] || bad "no report in empty/report"
same "left behind" "" "$(left_behind)"
finish
