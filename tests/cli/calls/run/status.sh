#!/bin/sh
# reckon run ends as its command ends: exit status, signal, and the statuses of env(1) where there is no command.
. "$TOP/tests/cli/helpers"

for status in 0 1 3 125 255; do
    try $status "$RECKON" run -o report "$FIXTURES/primes" status $status
    silent out
    silent err
done

for signal in 1 2 6 9 11 13 15; do
    try $((128 + signal)) sh -c '"$0" run -f json -o report "$1" signal "$2"; exit $?' "$RECKON" "$FIXTURES/primes" $signal
    says report "\"signal\": $signal"
done
[ -z "$(find . -name 'core*')" ] || bad "a core file was left"

# Really by the signal, not by a status that looks like it: a shell tells the two apart in $(kill -l).
"$RECKON" run -o report "$FIXTURES/primes" signal 15 2>err &
wait $!
same "wait status" 143 $?

try 127 "$RECKON" run nosuchcommand
same message "reckon: command: nosuchcommand: No such file or directory" "$(cat err)"
try 127 "$RECKON" run ./nosuch/file
same message "reckon: command: ./nosuch/file: No such file or directory" "$(cat err)"
try 127 "$RECKON" run ''
try 126 "$RECKON" run /
same message "reckon: command: /: Permission denied" "$(cat err)"
: >plain
try 126 "$RECKON" run ./plain
same message "reckon: command: ./plain: Permission denied" "$(cat err)"
printf '#!/nonexistent/interpreter\n' >script
chmod +x script
try 127 "$RECKON" run ./script
same message "reckon: command: ./script: No such file or directory" "$(cat err)"
silent out

# A text without #! is run by /bin/sh, as the shells do it.
printf 'echo "$0 $1 $#"; exit 5\n' >text
chmod +x text
try 5 "$RECKON" run -o report ./text a b
same "script without #!" "./text a 2" "$(cat out)"

# A parent that ignores SIGCHLD does not lose the status.
try 9 env --ignore-signal=CHLD "$RECKON" run -o report sh -c 'exit 9'
same "left behind" "" "$(left_behind)"
finish
