#!/bin/sh
# reckon merge: reports of many processes and hosts add up, by name; what does not add up is refused.
. "$TOP/tests/cli/helpers"

# Names of files by process and host, in reckon and in the library.
host=$(uname -n)
for _ in 1 2 3; do
    try 0 "$RECKON" run -o %h.%p.json -f json "$FIXTURES/primes"
    silent err
done
same "reports of reckon" 3 "$(find . -name "$host.*.json" | grep -c "/$host\.[0-9]*\.json$")"
LIBCOUNT_OUTPUT=bare.%h.%p.json LIBCOUNT_FORMAT=json LD_PRELOAD="$LIBCOUNT" "$FIXTURES/primes" || bad "primes failed"
same "reports of the library" 1 "$(find . -name "bare.$host.*.json" | wc -l)"

# sums FILE NAME: calls and errors of a library call in a CSV report, without the names of the errors.
sums() { sed -n "s/,\"\{0,1\}E[A-Z]* .*//; s/^[^,]*,library,$2,[a-z]*,//p" "$1"; }

try 0 "$RECKON" merge -f csv "$host".*.json bare.*.json
silent err
one=$("$RECKON" run -o - -f csv "$FIXTURES/primes" | sed -n 's/^.*,library,lstat,[a-z]*,[0-9]*,\([0-9]*\),.*/\1/p')
same "lstat of four times 23, and its errors" "92,$((4 * one))" "$(sums out lstat)"
same "getxattr of four times 29" 116 "$(sums out getxattr | cut -d, -f1)"
same "header" "command,kind,name,family,calls,errors,errnos" "$(sed -n 1p out)"

# Errors by name add up; those of a report without names are "other", and names beyond the errors are refused.
sed 's/"errnos": *{[^}]*}/"errnos": {}/' "$(find . -name 'bare.*.json')" >nameless.json
try 0 "$RECKON" merge -f csv "$host".*.json nameless.json
grep -q "^[^,]*,library,lstat,lstat,92,28,\"ENOENT $((3 * one)), other $one\"$" out || bad "errors by name: $(grep ,lstat,lstat, out)"
try 0 "$RECKON" merge --errors "$host".*.json
grep -Eq "^ +147 ENOENT getxattr 87, open 39, lstat 21$" out || bad "no line of ENOENT: $(cat out)"
sed 's/"ENOENT": */"ENOENT": 9/' nameless.json "$(find . -name 'bare.*.json')" >excess.json
try 125 "$RECKON" merge excess.json

# JSON has the shape of run's, and sums of sums are sums.
try 0 "$RECKON" merge -f json -o two.json "$host".*.json
silent out
try 0 "$RECKON" merge -f csv two.json bare.*.json
same "lstat of merged reports" 92 "$(sums out lstat | cut -d, -f1)"
try 0 "$RECKON" merge two.json bare.*.json
says out "4 reports, 4 processes: $FIXTURES/primes"
cat "$host".*.json | "$RECKON" merge -f csv - >out || bad "reports in a row are not read"
same "lstat of reports in one file" 69 "$(sums out lstat | cut -d, -f1)"

# Ranks of Open MPI, where it is installed.
if command -v mpirun >/dev/null; then
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        mpirun -n 4 --oversubscribe "$RECKON" run -o rank.%h.%p.json -f json "$FIXTURES/primes" >out 2>&1 ||
        bad "mpirun: $(cat out)"
    try 0 "$RECKON" merge --spread -f csv rank."$host".*.json
    same "lstat of four ranks" "92 23,23,23" "$(sums out lstat | sed 's/,[0-9]*,/ /')"
fi

# The spread over the reports: 23, 46 and 92 calls.
for n in 1 2 4; do
    # shellcheck disable=SC2046 # several words
    try 0 "$RECKON" run -f json -o n$n.json sh -c 'for i; do "$0"; done' "$FIXTURES/primes" $(seq $n)
done
try 0 "$RECKON" merge --spread -f csv n1.json n2.json n4.json
same "lstat with its spread" "161 23,46,92" "$(sums out lstat | sed 's/,[0-9]*,/ /')"
try 0 "$RECKON" merge --spread -f csv n1.json n2.json
same "the median of two" "69 23,34.5,46" "$(sums out lstat | sed 's/,[0-9]*,/ /')"
try 0 "$RECKON" merge --spread n1.json n2.json n4.json
says out "3 reports, 10 processes"
grep -Eq '^ +161 +49 ENOENT 49 +23 +46 +92 lstat +lstat$' out || bad "no line of lstat in the table: $(grep lstat out)"
same "lines beyond 80 columns" "" "$(grep '.\{81\}' out)"
try 0 "$RECKON" merge --spread -f json n1.json n2.json n4.json
python3 - <<'END' || bad "the JSON of --spread"
import json
report = json.load(open("out"))
row = [r for r in report["library_calls"] if r["name"] == "lstat"][0]
assert row["calls"] == 161 and row["spread"] == {"least": 23, "median": 46, "most": 92}, row
assert report["reports"] == 3 and report["processes"] == 10 and report["command"] == [], report
assert report["exit"] == {"status": 0} and report["exits"] == [{"exit": {"status": 0}, "reports": 3}]
END

# Rows made up by hand: an unseen error stays unseen, uncounted texts are united, times add up, endings are told.
report() { # NAME ERRORS UNCOUNTED EXIT TIMES
    printf '{"version": 1, "command": ["x"], "exit": %s, "processes": 1, "level": "syscalls", "whole": true,
"library_calls": [], "system_calls": [{"name": "%s", "family": "open", "calls": 7, "errors": %s%s}],
"startup_system_calls": 3, "uncounted": [%s]}\n' "$4" "$1" "$2" "$5" "$3"
}
report openat null '"a", "b"' '{"status": 0}' '' >a.json
report openat 2 '"b", "c"' '{"signal": 9}' '' >b.json
report openat 2 '' '{"status": 3}' '' >c.json
try 0 "$RECKON" merge -f csv a.json b.json
same "errors that were not seen" "x,system,openat,open,14,," "$(sed -n 2p out)"
try 0 "$RECKON" merge a.json b.json c.json b.json
same "uncounted" "a b c " "$(sed -n 's/^uncounted: //p' out | tr '\n' ' ')"
says out "2 of 4 reports: signal 9"
says out "1 of 4 reports: exit status 3"
says out "12 of them by program start"
says out "not seen"
# What others wrote is shown, never obeyed by the terminal.
report 'o\u001b[2Jt' 0 '"\u001b]0;title\u0007"' '{"status": 0}' '' | sed 's/\["x"\]/["x\\u001b[31m"]/' >escape.json
try 0 "$RECKON" merge escape.json
same "control characters in a table" "" "$(tr -d '[:print:]\n' <out)"
says out 'uncounted: \033]0;title\007'
says out 'o\033[2Jt'
says out "'x\\033[31m'"

report openat 0 '' '{"status": 0}' ', "total_ns": 70, "min_ns": 5, "max_ns": 20, "p50_ns": 9, "p99_ns": 19, "waited_ns": 60' >t1.json
report openat 0 '' '{"status": 0}' ', "total_ns": 30, "min_ns": 4, "max_ns": 10, "p50_ns": 9, "p99_ns": 10, "waited_ns": 7' >t2.json
try 0 "$RECKON" merge -f csv t1.json t2.json
same "times" "x,system,openat,open,14,0,100,4,20,67," "$(sed -n 2p out)"

# refused MESSAGE FILE...: the one line, status 125, and no output.
refused() {
    message=$1
    shift
    try 125 "$RECKON" merge -o refused "$@"
    same "message of $*" "reckon: merge: $message" "$(cat err)"
    silent out
    [ ! -e refused ] || bad "$*: a file was written"
}
sed 's/"version": 1/"version": 2/' a.json >v2.json
sed 's/"version": 1, //' a.json >none.json
sed 's/"whole": true/"whole": false/' a.json >part.json
sed 's/"calls": 7/"calls": -7/' a.json >minus.json
sed 's/"calls": 7/"calls": 9223372036854775807/' a.json >huge.json
sed 's/"calls"/"cells"/' a.json >cells.json
sed '$d' a.json >cut.json
: >empty.json
echo '[1]' >array.json
echo 'total 12' >text.json
"$RECKON" compare -f json true true >compare.json
ours="not a report of reckon run or of libcount.so"
refused "v2.json: version 2, and this reckon reads version 1" v2.json
refused "v2.json: version 2, and this reckon reads version 1" a.json v2.json b.json
refused "none.json: not a report of reckon" none.json
refused "array.json: not a report of reckon" array.json
refused "compare.json: $ours" a.json compare.json
refused "cells.json: $ours" cells.json
refused "part.json: counted with --level=syscalls, a.json with --level=syscalls --whole" a.json part.json
refused "two.json: counted with --level=both, a.json with --level=syscalls --whole" a.json two.json
refused "t1.json: its calls were timed, those of a.json not" a.json t1.json
refused "a.json: its calls were not timed, those of t1.json were" t1.json a.json
refused "minus.json: numbers that cannot be added" minus.json
refused "a.json: numbers that cannot be added" huge.json a.json
refused "empty.json: empty" empty.json
only='; only reports of --format=json tell how a command ended and what was not counted'
refused "text.json: line 1: not JSON: '[' or '{' expected near 'total'$only" text.json
"$RECKON" run -f csv -o other "$FIXTURES/primes"
refused "other: line 1: not JSON: '[' or '{' expected near 'command'$only" other
"$RECKON" run -f prometheus -o other "$FIXTURES/primes"
refused "other: line 1: not JSON: '[' or '{' expected near '#'$only" other
refused "nosuch.json: No such file or directory" nosuch.json
refused ".: Is a directory" .
# Shares of the Gaussian workload add up to what one process computes, in every number but the times; far outside too.
exact() { sed '/"\(wall_s\|cpu_s\|ns_per_variate\)"/d' "$1"; }
shares() { # N OPTION...
    n=$1
    shift
    for i in $(seq "$n"); do
        try 0 "$RECKON" gauss local "$@" --stream="$i/$n" --format=json -o "share$i.json"
        grep -q '"bin"' "share$i.json" || bad "$*: nothing in share $i"
    done
    try 0 "$RECKON" gauss local "$@" --threads="$n" --format=json -o whole.json
    # shellcheck disable=SC2046 # several words
    try 0 "$RECKON" merge --format=json -o sum.json $(seq "$n" | sort -R | sed 's/.*/share&.json/')
    exact whole.json >expected
    exact sum.json | diff expected - || bad "$*: $n shares are not the whole"
}
shares 2 --count=300001 --generator=fast --mean=0.3 --width=5e-5
grep -q '"below": [1-9]' share2.json || bad "nothing below the bins"
shares 3 --count=786433 --mean=-3 --sd=2.5 --width=0.1
shares 1 --count=1001 --generator=fast
shares 4 --count=1000001 --generator=fast --seed=7
cat share?.json | "$RECKON" merge - >out || bad "shares as a table"
says out "1000001 variates, generator fast"
"$RECKON" gauss local --count=1000001 --generator=fast --seed=8 --stream=2/4 -f json >other.json
sed 's/"bin": 6,/"bin": 6.5,/' share2.json >wrong.json
refused "share 2 of 4 is missing" share1.json share3.json share4.json
refused "share1.json: share 1 of 4 for the second time" share1.json share2.json share1.json
refused "other.json: a share of another workload than share1.json" share1.json other.json
refused "wrong.json: not a share that reckon gauss local --stream=I/N has written" share1.json wrong.json
refused "whole.json: not a share that reckon gauss local --stream=I/N has written" whole.json
refused "a.json: a report of calls, and share1.json is one of reckon gauss" share1.json a.json
refused "share1.json: a report of reckon gauss, and a.json is one of calls" a.json share1.json
refused "--spread: share1.json has no calls" --spread share1.json share2.json share3.json share4.json

try 125 "$RECKON" merge cut.json
says err "reckon: merge: cut.json: line 3: not JSON: "
try 125 "$RECKON" merge
says err "reckon merge: no files"
finish
