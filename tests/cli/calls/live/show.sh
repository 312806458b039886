#!/bin/sh
# reckon show: what a command that runs has counted so far, read without touching it; what is no table is told.
. "$TOP/tests/cli/helpers"
ln -s "$FIXTURES/primes" p
ended() { for process in $started; do kill -9 "$process" 2>/dev/null; done; }
started=
trap ended EXIT

# waiter NAME WRAPPER...: a shell that makes known calls, writes its number to ready.NAME and waits for go.NAME.
waiter() {
    name=$1
    shift
    mkfifo "go.$name"
    "$@" sh -c "./p; echo \$\$ >ready.$name; read x <go.$name; ./p" >/dev/null 2>"err.$name" &
    started="$started $!"
    wait_until test -s "ready.$name"
    pid=$(cat "ready.$name")
    started="$started $pid"
}
lstats() { "$RECKON" show -f json "$1" | jq -c '[.running, has("exit"), (.library_calls[] | select(.name == "lstat") | .calls)]'; }

# Under reckon, by the number of the command and by that of reckon itself; then its own report has what follows.
waiter driver "$RECKON" run -o report.json -f json
driver=$!
same "so far" '[true,false,23]' "$(lstats "$pid")"
same "by the number of reckon" '[true,false,23]' "$(lstats "$driver")"
try 0 "$RECKON" show "$pid"
grep -Eq '^ *23 +7 ENOENT 7 +lstat +lstat$' out || bad "no row of lstat: $(cat out)"
silent err
try 0 "$RECKON" show -f csv --family=getxattr "$pid"
same "header" command,kind,name,family,calls,errors,errnos "$(sed -n 1p out)"
same "getxattr in CSV" 29 "$(calls out library getxattr)"
try 0 "$RECKON" show --errors --sort=name -o shown "$pid"
grep -Eq '^ *29 +getxattr' shown || grep -q 'ENOENT' shown || bad "no errors: $(cat shown)"
same "the command" "sh -c" "$("$RECKON" show -f json "$pid" | jq -r '.command[:2] | join(" ")')"

# Nothing is sent, stopped, traced, mapped or written.
strace -f -o trace "$RECKON" show "$pid" >/dev/null
same "what it does to others" "" "$(grep -E '^[0-9]+ +(t?g?kill|ptrace|process_vm_[a-z]+|pidfd_[a-z_]+)\(|O_RDWR.*libcount\.|mmap.*libcount\.' trace)"
grep -q 'openat.*/libcount\.[0-9.a-f]*", O_RDONLY' trace || bad "the trace does not have the table: $(grep -c . trace) lines"

# Under the bare library, beside it: both are in the list.
waiter bare env LD_PRELOAD="$LIBCOUNT" LIBCOUNT_LEVEL=calls
bare=$pid
same "under the bare library" '[true,false,23]' "$(lstats "$bare")"
same "its level" '"calls"' "$("$RECKON" show -f json "$bare" | jq -c .level)"
try 0 "$RECKON" show
for which in driver bare; do
    grep -Eq "^ *$(cat ready.$which) sh -c './p; echo" out || bad "the list has no $which run: $(cat out)"
done
same "the list in JSON" "$bare" "$("$RECKON" show -f json | jq ".runs[] | select(.pid == $bare) | .pid")"

# The only one there is, where no other processes are seen.
if unshare --pid --fork --mount-proc true 2>/dev/null; then
    # shellcheck disable=SC2016 # of the inner shell
    unshare --pid --fork --mount-proc sh -c '"$0" run -o only sh -c "./p; >begun; read x <go" & mkfifo go
        while [ ! -e begun ]; do sleep 0.1; done
        "$0" show -f json; : >go; wait; "$0" show; echo "$?"' "$RECKON" >only.json 2>err
    same "the only one" 23 "$(sed '/^125$/d' only.json | jq '.library_calls[] | select(.name == "lstat") | .calls')"
    same "when it has ended" 125 "$(tail -n 1 only.json)"
    says err "reckon: nothing of yours is being counted"
fi

# Whole runs: what the supervisor counts is not in the table, which is said.
waiter whole "$RECKON" run --whole -o report.whole
try 0 "$RECKON" show "$pid"
says out "until the run ends: what the supervisor of --whole counts"
echo >go.whole

# Others' runs.
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    publish
    try 125 setpriv --reuid 65534 --regid 65534 --clear-groups public/build/reckon show "$bare"
    says err "reckon: process $bare: Permission denied"
    silent out
fi

# The counts of the end are not disturbed.
echo >go.driver
wait "$driver"
same "at the end" 46 "$(jq '.library_calls[] | select(.name == "lstat") | .calls' report.json)"
same "who still had the table" '[]' "$(jq -c .uncounted report.json)"

# What is no table.
try 125 "$RECKON" show $$
says err "reckon: process $$: not counted"
try 125 "$RECKON" show 99999999
says err "reckon: process 99999999: No such process"
for word in x 0 -1 1x 99999999999 ''; do
    try 125 "$RECKON" show -- "$word"
    says err "not a process number"
done
try 125 "$RECKON" show 1 2

table=$(sed -n 's/^[^/]*\(\/.*libcount\.[0-9]*\.[0-9]*\.[0-9a-f]*\)$/\1/p' "/proc/$bare/maps" | sed -n 1p)
head -c 300000 /dev/urandom >rubbish
cp "$table" cut && truncate -s -1 cut
head -c 100 "$table" >piece
: >empty
truncate -s 1T huge
cp "$table" other && printf 'x' | dd of=other bs=1 seek=8 conv=notrunc 2>dd.err
cat >map.py <<'END'
import mmap, os, sys
descriptor = os.open(sys.argv[1], os.O_RDWR)
memory = mmap.mmap(descriptor, 4096)
os.truncate(sys.argv[1], int(sys.argv[2]))
open(sys.argv[3], "w").write(str(os.getpid()))
sys.stdin.read()
END
mkfifo hold
sleep 1000 >hold &
started="$started $!"
number=1
for file in rubbish cut piece empty huge other; do
    cp --sparse=always $file libcount.0.1.abc$number
    size=$(stat -c %s $file)
    [ "$size" -ge 4096 ] || truncate -s 4096 libcount.0.1.abc$number
    python3 map.py "libcount.0.1.abc$number" "$size" mapped.$number <hold &
    started="$started $!"
    wait_until test -s mapped.$number
    try 125 "$RECKON" show "$(cat mapped.$number)"
    says err "libcount.0.1.abc$number: not a table of counters, or one of another version than this reckon"
    silent out
    number=$((number + 1))
done

# A table that is cut while it is shown, or that is removed.
: >"$table"
try 125 "$RECKON" show "$bare"
says err "not a table of counters"
rm -f "$table"
try 125 "$RECKON" show "$bare"
says err "No such file or directory"
ended
finish
