#!/bin/sh
# reckon top: calls a second of a command that runs, as lines, as tables and on a terminal; read without touching it.
. "$TOP/tests/cli/helpers"
# shellcheck disable=SC2317  # by the trap
ended() { for process in $started; do kill -9 "$process" 2>/dev/null; done; }
started=
trap ended EXIT

# A program that makes 20 calls of getxattr whenever it reads a line, as its own shell wants it.
cat >caller.c <<'C'
#include <stdio.h>
#include <sys/xattr.h>
int main(void)
{
    char value[8], line[8];
    FILE *ready = fopen("ready", "w");
    fclose(ready);
    while (fgets(line, sizeof line, stdin)) {
        for (int i = 0; i < 20; i++)
            getxattr("/", "user.none", value, sizeof value);
        FILE *called = fopen("called", "w");
        fclose(called);
    }
    return 0;
}
C
${CC:-cc} -o caller caller.c || bad "no compiler"
mkfifo lines
"$RECKON" run --by=program -f json -o report.json ./caller <lines 2>err.run &
driver=$!
started="$driver"
exec 7>lines
wait_until test -e ready

# One line of JSON for each interval, until the run ends; all intervals together are what came since.
"$RECKON" top -f json --interval=0.2 $driver >rates 2>err 7>&- &
top=$!
started="$started $top"
wait_until test -s rates
for _ in 1 2 3 4 5; do
    rm -f called
    echo x >&7
    wait_until test -e called
    sleep 0.15
done
exec 7>&-
wait $driver
same "status of the run" 0 $?
wait $top
same "status at the end of the run" 0 $?
silent err
silent err.run
same "calls in all intervals" 100 "$(jq -s '[.[].library_calls[] | select(.name == "getxattr") | .calls] | add' rates)"
same "their programs'" 100 \
    "$(jq -s '[.[].programs[] | select(.name == "caller") | .library_calls[] | select(.name == "getxattr") | .calls] | add' rates)"
same "rates are calls by time" true "$(jq -s 'all(.interval_s as $s | (.library_calls + .system_calls)[] |
    (.calls_per_s - .calls / $s | fabs) < 1e-9 * (1 + .calls_per_s) and
    (.errors_per_s - .errors / $s | fabs) < 1e-9 * (1 + .errors_per_s))' rates)"
same "no interval is shorter" true "$(jq -s 'all(.interval_s >= 0.2)' rates)"
same "running, but for the last" 'true false' "$(jq -s -r '"\(.[:-1] | all(.running)) \(.[-1].running)"' rates)"
same "lines" "$(jq -s length rates)" "$(wc -l <rates)"
same "the run's own report" 100 "$(jq '.library_calls[] | select(.name == "getxattr") | .calls' report.json)"

# Under the bare library, with a known rate: of a shell that calls about 50 times a second, as its clock has it.
cat >beat.py <<'END'
import os
import time
open("beating", "w").close()
while True:
    time.sleep(0.02)
    os.path.lexists("/nonexistent")
END
LD_PRELOAD="$LIBCOUNT" LIBCOUNT_OUTPUT=bare.report /usr/bin/python3 beat.py &
beat=$!
started="$started $beat"
wait_until test -e beating
try 0 "$RECKON" top --once --interval=1 -f json $beat
rate=$(jq '[.library_calls[] | select(.family == "lstat") | .calls_per_s] | add' out)
same "lstat at 50 a second: $rate" true "$(jq -n "$rate > 0 and $rate <= 51")"
same "one line" 1 "$(wc -l <out)"
try 0 "$RECKON" top --once --interval=0.5 --family=lstat $beat
grep -Eq '^ *[0-9.]+ +[0-9.]+ ENOENT [0-9]+ +lstat +lstat(64)?$' out || bad "no row of lstat: $(cat out)"
! grep -q nanosleep out || bad "--family did not choose"
silent err

# Nothing is sent, stopped, traced, mapped or written.
strace -f -o trace "$RECKON" top --once --interval=0.1 $beat >/dev/null
same "what it does to others" "" "$(grep -E '^[0-9]+ +(t?g?kill|ptrace|process_vm_[a-z]+|pidfd_[a-z_]+)\(|O_RDWR.*libcount\.|mmap.*libcount\.' trace)"

# On a terminal: as large as it is, also when that changes; q and signals end it, and the terminal is what it was.
pty() { /usr/bin/python3 "$TOP/tests/cli/calls/live/pty.py" "$@" >screen 2>err || bad "$(cat screen err)"; }
widest() { awk '{ if (length > most) most = length } END { print most }' screen; }
for TERM in xterm vt100 linux; do
    export TERM
    pty 20 60 "wait lstat" show "type q" -- "$RECKON" top --interval=0.3 $beat
    says screen "$beat /usr/bin/python3 beat.py"
    grep -Eq '^ *[0-9.]+ +[0-9.]+ ENOENT [0-9]+ +lstat +lstat(64)?$' screen || bad "no row of lstat on $TERM: $(cat screen)"
    says screen "status 0"
    says screen "terminal as before"
    [ "$(wc -l <screen)" -le 22 ] || bad "more than 20 lines on $TERM: $(cat screen)"
    [ "$(widest)" -le 60 ] || bad "wider than 60 columns on $TERM: $(cat screen)"
done
pty 12 50 "wait calls/s" "size 30 100" "wait lstat" "wait total" show "size 5 20" "wait $beat" show "size 1 1" "type q" -- \
    "$RECKON" top --interval=0.3 $beat
says screen "status 0"
pty 24 80 "wait lstat" "kill SIGINT" -- "$RECKON" top $beat
says screen "status -2"
says screen "terminal as before"
pty 24 80 "wait lstat" "kill SIGTERM" -- "$RECKON" top $beat
says screen "status -15"
says screen "terminal as before"
TERM=dumb pty 24 80 "wait lstat" "kill SIGINT" -- "$RECKON" top --interval=0.3 $beat
says screen "status -2"
# Where nobody can type, it goes on until the run ends.
(sleep 2; kill $beat) &
pty 24 80 "wait lstat" -- sh -c "exec '$RECKON' top --interval=0.3 $beat </dev/null"
says screen "status 0"
says screen "terminal as before"

# Nobody reads on; bad words.
"$RECKON" run -o report.sleep sleep 1000 &
driver=$!
started="$started $driver"
wait_until sh -c "\"$RECKON\" show $driver >/dev/null 2>&1"
unread env --default-signal=PIPE "$RECKON" top -f json --interval=0.1 $driver 2>err
same "status without a reader" 141 $?
silent err
for interval in 0 -1 x 1x nan 1e9 ''; do
    try 125 "$RECKON" top --interval=$interval $driver
    says err "--interval: $interval: not a number of seconds"
done
try 125 "$RECKON" top -f csv $driver
says err "--format: csv: not one of table, json"
try 125 "$RECKON" top $$
says err "reckon: process $$: not counted"
kill "$(pgrep -P $driver)"
wait $driver 2>/dev/null
finish
