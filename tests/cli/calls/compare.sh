#!/bin/sh
# reckon compare: commands side by side, a column each, split into words without a shell unless it takes one.
. "$TOP/tests/cli/helpers"
P=$FIXTURES/primes
ln -s "$P" p

try 0 "$RECKON" compare -l calls --family=lstat,getxattr './p' 'sh -c "./p; ./p"' --sort=name
cat >expected <<'END'
library call family     ./p sh -c "./p; ./p"
------------ -------- ----- ----------------
getxattr     getxattr    29               58
lstat        lstat       23               46
------------ -------- ----- ----------------
total                    52              106
ratio                 1.000            2.038
END
sed '/^$/d; /^[_a-z]*stat64 /d' out | diff expected - || bad "the table differs"
grep -Eq '^(stat64|__xstat64) +lstat +- +2$' out || bad "nothing is said of the shell's own stat64"
silent err

# Too wide for 80 columns: numbers at the heads, the commands above.
long=$(printf 'x%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25)
try 0 "$RECKON" compare -l calls --family=open "./p status 0 $long" "./p status 2 $long"
cat >expected <<END
[1] ./p status 0 $long
[2] ./p status 2 $long: exit status 2
library call family   [1]   [2]
------------ ------ ----- -----
open         open      31    31
------------ ------ ----- -----
total                  31    31
ratio               1.000 1.000
END
sed '/^$/d' out | diff expected - || bad "the wide table differs"

# By error: which fails how often.
try 0 "$RECKON" compare -l calls --errors ./p 'sh -c "./p; ./p"'
cat >expected <<'END'
error of library calls   ./p sh -c "./p; ./p"
---------------------- ----- ----------------
END
sed '/^$/d' out | sed -n 1,2p | diff expected - || bad "the head of the errors differs"
grep -Eq '^ENOENT +49 +[0-9]+$' out || bad "no line of ENOENT: $(cat out)"

# A signal is no reason to stop either, and is told.
try 0 "$RECKON" compare -l calls './p signal 9' ./p
says out './p signal 9: signal 9 (Killed)'

# Words: quotes, variables and patterns without a shell; a pipe and an assignment with one.
NAME=p
export NAME
try 0 "$RECKON" compare -l calls -f csv --family=lstat "'./p'" './$NAME' './p "a b"' './p*' './p | ./p' 'X=1 ./p'
cat >expected <<'END'
command,kind,name,family,calls,errors,errnos
./p,library,lstat,lstat,23,7,ENOENT 7
./p,library,lstat,lstat,23,7,ENOENT 7
./p 'a b',library,lstat,lstat,23,7,ENOENT 7
./p,library,lstat,lstat,23,7,ENOENT 7
sh -c './p | ./p',library,lstat,lstat,46,14,ENOENT 14
sh -c 'X=1 ./p',library,lstat,lstat,23,7,ENOENT 7
END
grep -v stat64 out | diff expected - || bad "the CSV differs"

# Standard input and output of the commands are /dev/null.
echo input >in
try 0 sh -c '"$0" compare -l calls -o report "sh -c \"echo loud; cat >read\"" true <in' "$RECKON"
silent out
silent read
[ -e read ] || bad "the command did not run"

try 0 "$RECKON" compare -l calls -f json ./p './p signal 15'
tr -d ' \n' <out >flat
grep -q '^{"version":1,"commands":\[{"command":\["./p"\],"exit":{"status":0},"processes":1,"level":"calls","whole":false,"library_calls":\[{"name":"open","family":"open","calls":31,"errors":13,"errnos":{"ENOENT":13}}' flat || bad "JSON begins otherwise: $(cat flat)"
says flat '{"command":["./p","signal","15"],"exit":{"signal":15}'

try 127 "$RECKON" compare ./p nosuchcommand
silent out
same message "reckon: command: nosuchcommand: No such file or directory" "$(cat err)"

# SIGTERM ends the comparison, not only its present command.
"$RECKON" compare "sh -c 'echo x >started; exec sleep 1000'" 'touch ran' >out 2>err &
driver=$!
wait_until [ -s started ]
kill -TERM $driver
wait $driver
same "status after SIGTERM" 143 $?
silent out
[ ! -e ran ] || bad "the next command ran after SIGTERM"

# Ignored by the caller, it ends nothing.
rm started
mkfifo go
env --ignore-signal=TERM "$RECKON" compare "sh -c 'echo x >started; read -r line <go'" 'touch ran' >out 2>err &
driver=$!
wait_until [ -s started ]
kill -TERM $driver
echo >go
wait $driver
same "status with SIGTERM ignored" 0 $?
[ -e ran ] || bad "the next command did not run although SIGTERM is ignored"
same "left behind" "" "$(left_behind)"
finish
