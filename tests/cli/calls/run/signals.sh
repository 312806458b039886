#!/bin/sh
# SIGTERM and SIGHUP that are sent to reckon reach the command; SIGINT and SIGQUIT, which a terminal sends to both,
# are the command's business; what was ignored stays ignored.
. "$TOP/tests/cli/helpers"

# start TRAPS: reckon in the background with a shell that tells what it gets; its number is in $driver. A shell
# ignores SIGINT in what it starts by &, so the test's dispositions are set by env.
start() {
    rm -f ready got report
    env --default-signal=INT,QUIT "$RECKON" run -f json -o report sh -c "$1"'; echo $$ >ready; for i in $(seq 20000); do sleep 0.05; done' 2>err &
    driver=$!
    wait_until [ -s ready ]
}

start 'trap "echo TERM >>got; exit 4" TERM'
kill -TERM $driver
wait $driver
same "status after SIGTERM" 4 $?
same "SIGTERM came once" TERM "$(cat got)"
says report '"status": 4'

start ':'
kill -TERM $driver
wait $driver
same "status of a command killed by SIGTERM" 143 $?
says report '"signal": 15'

start 'trap "echo HUP >>got; exit 6" HUP'
kill -HUP $driver
wait $driver
same "status after SIGHUP" 6 $?

# SIGINT to reckon alone does not end it before the command: it would be the first of the three to be delivered.
start 'trap "exit 0" TERM'
kill -INT $driver
kill -QUIT $driver
kill -TERM $driver
wait $driver
same "status after SIGINT and SIGTERM" 0 $?

# As a terminal would send it: to the whole group. The command ends by it, reckon too, and it has reported.
rm -f ready report
setsid env --default-signal=INT sh -c 'echo $$ >group; "$0" run -f json -o report sh -c "echo >ready x; for i in \$(seq 20000); do sleep 0.05; done"; echo $? >status' "$RECKON" 2>err &
wait_until [ -s ready ]
wait_until [ -s group ]
kill -INT -"$(cat group)"
wait $!
says report '"signal": 2'

# Ignored by the caller: ignored by the command, and by reckon.
rm -f ready
mkfifo go
(trap '' TERM HUP && exec "$RECKON" run -f json -o report sh -c 'echo >ready x; read -r line <go; exit 8') &
driver=$!
wait_until [ -s ready ]
kill -TERM $driver
kill -HUP $driver
echo >go
wait $driver
same "status with SIGTERM and SIGHUP ignored" 8 $?
same "left behind" "" "$(left_behind)"
finish
