#!/bin/sh
# reckon run counts exactly, through children that are killed too, and prints it in three formats.
. "$TOP/tests/cli/helpers"

try 0 "$RECKON" run -o - --format=csv --level=calls "$FIXTURES/primes"
same lstat 23 "$(calls out library lstat)"
same "lstat errors" 7 "$(errors out library lstat)"
same getxattr 29 "$(calls out library getxattr)"
same "getxattr errors" 29 "$(errors out library getxattr)"
same open 31 "$(calls out library open)"
same "open errors" 13 "$(errors out library open)"
same close 18 "$(calls out library close)"
silent err

# Three children that end by SIGKILL, and their parent: four times as much.
try 0 "$RECKON" run -o - --format=csv --level=calls "$FIXTURES/primes" children 3
same "lstat of four" 92 "$(calls out library lstat)"
same "open of four" 124 "$(calls out library open)"
same fork 3 "$(calls out library fork)"
same kill 3 "$(calls out library kill)"

# All of it is killed: the report is the driver's.
try 137 sh -c '"$0" run --format=csv -o report.csv -l calls "$1" signal 9; exit $?' "$RECKON" "$FIXTURES/primes"
same "lstat of the killed" 23 "$(calls report.csv library lstat)"

# The same by exec and by a shell's children.
try 0 "$RECKON" run -o - --format=csv --level=calls sh -c '"$0"; "$0"; exec "$0"' "$FIXTURES/primes"
same "getxattr of three" 87 "$(calls out library getxattr)"

# The report is on standard error, which leaves standard output to the command.
try 0 "$RECKON" run --level=calls --family=getxattr,close --sort=name "$FIXTURES/primes"
silent out
cat >expected <<'END'
library calls
calls errors by name   family   name
----- ------ --------- -------- --------
   18                  close    close
   29     29 ENOENT 29 getxattr getxattr
----- ------ --------- -------- --------
   47     29 ENOENT 29          total
END
sed '/^$/d' err | diff expected - || bad "the table differs"

try 0 "$RECKON" run -o - --level=calls --family=getxattr --format=json "$FIXTURES/primes"
tr -d ' \n' <out >flat
same JSON '{"version":1,"command":["'"$FIXTURES"'/primes"],"exit":{"status":0},"processes":1,"level":"calls","whole":false,"library_calls":[{"name":"getxattr","family":"getxattr","calls":29,"errors":29,"errnos":{"ENOENT":29}}],"system_calls":[],"uncounted":[]}' "$(cat flat)"

try 0 "$RECKON" run -o - -l calls -f csv --family=getxattr "$FIXTURES/primes" status 0
cat >expected <<END
command,kind,name,family,calls,errors,errnos
$FIXTURES/primes status 0,library,getxattr,getxattr,29,29,ENOENT 29
END
diff expected out || bad "the CSV differs"
try 0 "$RECKON" run -o - -l calls -f csv "$FIXTURES/primes" 'a, "b"'
says out "'a, \"\"b\"\"'\",library,lstat,lstat,23,7"

try 0 "$RECKON" run -o - -l calls --sort=errors -f csv "$FIXTURES/primes"
same "order by errors" "getxattr open lstat" "$(sed -n '2,4s/.*library,\([a-z]*\).*/\1/p' out | tr '\n' ' ' | sed 's/ $//')"
# By error: rows of errnos, and which calls failed with them.
try 0 "$RECKON" run -o - -l calls --errors "$FIXTURES/primes"
cat >expected <<'END'
errors of library calls
errors error  of
------ ------ ---------------------------
    49 ENOENT getxattr 29, open 13, lstat 7
------ ------ ---------------------------
    49 total  getxattr 29, open 13, lstat 7
END
sed '/^$/d; s/---*$/---------------------------/' out | diff expected - || bad "the table of errors differs"
try 0 "$RECKON" run -o - -l calls --errors -f json "$FIXTURES/primes"
tr -d ' \n' <out >flat
says flat '"library_errors":[{"name":"ENOENT","errors":49,"calls":{"getxattr":29,"open":13,"lstat":7}}]'
try 0 "$RECKON" run -o - -l calls --errors "$FIXTURES/endings" return
says out 'no errors'
mkdir three
touch three/a three/b three/c
same "lines of a counted ls" 3 "$("$RECKON" run ls three 2>err | wc -l)"
says err "system calls"
try 0 "$RECKON" run -o - -l calls ls three
same "lines of ls before its report" "a b c library calls" "$(sed -n 1,4p out | tr '\n' ' ' | sed 's/ $//')"
silent err
same "left behind" "" "$(left_behind)"
finish
