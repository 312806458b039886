#!/bin/sh
# --time tells what waited: for a child, a time, what comes through a pipe; not what a file or the processor took.
. "$TOP/tests/cli/helpers"
mkfifo pipe
head -c 50000000 /dev/zero >file

# at_least PART OF PERCENT: PART is so much of OF, at least.
at_least() { [ $((100 * $1)) -ge $(($3 * $2)) ]; }
# durations KIND NAME: total and waited of a row of the report.
durations() { jq -r ".${1}_calls[] | select(.name == \"$2\") | \"\\(.total_ns) \\(.waited_ns)\"" report; }
# waits KIND NAME LEAST: nearly all of the row waited, so long at least (ns); works KIND NAME: none of it did.
waits() {
    # shellcheck disable=SC2046
    set -- "$@" $(durations "$1" "$2")
    if ! at_least "${5:-0}" "${4:-1}" 95 || [ "${5:-0}" -lt "$3" ]; then
        bad "$1 call $2: waited ${5:-?} of ${4:-?} ns, not $3 or more"
    fi
}
works() {
    # shellcheck disable=SC2046
    set -- "$@" $(durations "$1" "$2")
    if [ "${3:-0}" -eq 0 ] || [ "$4" -gt 0 ]; then bad "$1 call $2: waited ${4:-?} of ${3:-?} ns"; fi
}
# shellcheck disable=SC2016
program='
import os, subprocess, sys, time
time.sleep(0.05)
subprocess.run(["sleep", "0.05"])
with open("pipe", "rb", 0) as pipe: pipe.read(1)
'
{ sleep 0.2; echo x; } >pipe &
try 0 "$RECKON" run --time -f json -o report -- /usr/bin/python3 -c "$program"
wait
waits system clock_nanosleep 50000000  # of sleep(1); not every python has it for its own
waits system wait4 50000000
waits library "$(jq -r '.library_calls[] | select(.name | test("^wait")) | .name' report | head -n 1)" 50000000
# Of its reads that of the pipe waited, those of modules did not.
# shellcheck disable=SC2046
set -- $(durations system read)
if [ "$2" -eq 0 ] || [ "$2" -ge "$1" ]; then bad "read waited $2 of $1 ns"; fi
same "more waited than it took" "" "$(jq -r '(.system_calls + .library_calls)[] | select(.waited_ns > .total_ns) | .name' report)"

# Long reads that do not wait: of a file, of a device; writing to a file is none either.
try 0 "$RECKON" run --time -f json -o report -- dd if=file of=copy bs=10M
works system read
works system write
works library read
try 0 "$RECKON" run --time -f json -o report -- dd if=/dev/zero of=/dev/null bs=10M count=3
works system read
works library read

# A pipe that is full, and one through stdio; where no system calls are counted, functions that are there to wait are told.
try 0 "$RECKON" run --time -f json -o report -- sh -c 'yes | head -c 3000000 | { sleep 0.2; cat >/dev/null; }'
waits system write 10000000
{ sleep 0.2; echo x; } >pipe &
try 0 "$RECKON" run --time -f json -o report -- grep x pipe
wait
waits library read 1000
try 0 "$RECKON" run --time --level=calls -f json -o report -- sleep 0.1
waits library nanosleep 100000000

# Sums, tables and CSV have it.
try 0 "$RECKON" merge -f json -o sum report report
same "merged" "$(durations library nanosleep | awk '{ print 0 + $2 * 2 }')" \
    "$(jq '.library_calls[] | select(.name == "nanosleep") | .waited_ns' sum)"
try 0 "$RECKON" run --time -o report sleep 0.1
grep -Eq '^% time +total waited ' report || bad "no column: $(cat report)"
grep -Eq '^ *[0-9.]+ +([0-9.]+m?s) +\1 .* nanosleep$' report || bad "no waiting nanosleep: $(cat report)"
LIBCOUNT_TIME=1 LIBCOUNT_FORMAT=csv LIBCOUNT_OUTPUT=bare LD_PRELOAD="$LIBCOUNT" sleep 0.1
"$RECKON" run --time -f csv -o csv sleep 0.1
same "columns" "$(sed -n 1p csv)" "$(sed -n 1p bare)"
finish
