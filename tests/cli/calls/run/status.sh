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

# What only a shell knows, and strace's options.
shell() { # TEXT COMMAND...
    text=$1
    shift
    try 127 "$RECKON" run "$@"
    same "advice for $*" "reckon: a shell would run this as: sh -c '$text'" "$(sed -n 2p err)"
}
shell 'ls | wc -l' 'ls | wc -l'
shell 'cd x' cd x
shell 'FOO=1 ls -l' FOO=1 ls -l
strace_says() { # ANSWER OPTION...
    answer=$1
    shift
    try 125 "$RECKON" run "$@" true
    same "answer to $*" "reckon run: $answer" "$(sed -n 1p err)"
}
strace_says "strace's -e trace=file: --family=open,lstat" -e trace=file
strace_says "strace's -e trace=%file,getppid,openat: --family=open,lstat,process" -e trace=%file,getppid,openat
strace_says "strace's -e signal=none: --family=LIST chooses calls by family" -e signal=none
strace_says "strace's -S time: --sort=time" -S time
strace_says "strace's -p 17: what already runs cannot be counted; \`reckon show 17\` shows a run that is" -p 17
strace_says "strace's -w: --time; it is always wall time here" -w
strace_says "--format: ls: not one of table, json, csv, prometheus; strace's -f is not needed: children are always counted" -f ls
try 0 "$RECKON" run -c true
grep -q '^system calls' err || bad "-c does not count: $(cat err)"

# By time, where it is known: the sleep comes first, and the table tells whose time it is.
for option in --time --sort=time; do
    try 0 "$RECKON" run "$option" -o timed sh -c 'sleep 0.3; for i in 1 2 3 4 5 6 7 8 9; do : >f; done'
    same "heads under $option" 2 "$(grep -c '^[a-z]* calls of 2 processes, wall time$' timed)"
    same "first rows under $option" "wait3 wait4" "$(awk '/^-/ { if (!inside++) { getline; printf "%s ", $NF } next }
        /^$/ { inside = 0 }' timed | sed 's/ $//')"
done
try 0 "$RECKON" run --time --sort=name -f json -o timed ls
same "by name" "$(jq -r '.system_calls[].name' timed | LC_ALL=C sort)" "$(jq -r '.system_calls[].name' timed)"

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
