#!/bin/sh
# reckon run --against: what is not as before, and a status for those who watch over it; compare takes such reports.
. "$TOP/tests/cli/helpers"
ln -s "$FIXTURES/primes" p
# shellcheck disable=SC2317  # by try
against() { "$RECKON" run --against=before.json "$@"; }

try 0 "$RECKON" run -f json -o before.json sh -c './p; exit 0'
try 0 against --fail-over=0 sh -c './p; exit 0'
says err "against before.json: sh -c './p; exit 0'"
says err "the same calls as before"
same "rows that are the same" "" "$(grep lstat err)"
silent out

# Twice as many: rows and totals, in each format.
try 0 against sh -c './p; ./p'
try 3 against --fail-over=28 -o - sh -c './p; ./p'
silent err
grep -Eq '^ *23 +46 \+23 \(\+100\.0%\) +library lstat$' out || bad "no row of lstat: $(cat out)"
grep -Eq '^ *29 +58 \+29 \(\+100\.0%\) over library getxattr$' out || bad "no row of getxattr: $(cat out)"
tr '\n' ' ' <out >line
says line "If that is meant, write the report anew: --format=json -o before.json"
try 3 against --fail-over=99% --family=lstat -f csv -o - sh -c './p; ./p'
same "header" kind,name,family,before,after,most,over "$(sed -n 1p out)"
same "lstat in CSV" library,lstat,lstat,23,46,46,yes "$(grep library,lstat out)"
try 0 against --fail-over=100% --family=lstat,getxattr -l both sh -c './p; ./p'
try 3 against --fail-over=28 -f json -o report.json sh -c './p; ./p'
same "JSON" '[["sh","-c","./p; exit 0"],1,true,{"name":"getxattr","kind":"library","before":29,"after":58,"over":true}]' \
    "$(jq -c '.against | [.command, .runs, .failed, (.rows[] | select(.name == "getxattr" and .kind == "library"))]' report.json)"
same "the run itself in JSON" 46 "$(jq '.library_calls[] | select(.name == "lstat") | .calls' report.json)"
same "version" 1 "$(jq .version report.json)"
try 0 against --fail-over=0 --ignore=lstat --family=lstat -l both sh -c './p; ./p'

# New and gone.
try 0 "$RECKON" run -f json -o before.json ./p
try 3 against --fail-over=99999% sh -c './p; cd /tmp'
grep -Eq '^ *0 +[0-9]+ +new over library chdir$' err || bad "chdir is not new: $(cat err)"
try 0 "$RECKON" run -f json -o more.json sh -c './p; cd /tmp'
try 0 "$RECKON" run --against=more.json --fail-over=0 ./p
grep -Eq '^ *[0-9]+ +0 +gone +library chdir$' err || bad "chdir is not gone: $(cat err)"

# Several runs: what varies by itself is told, and what no run has less of has grown.
cat >vary <<'END'
#!/bin/sh
[ -e mark ] && ./p
./p; >mark
END
chmod +x vary
rm -f mark
try 0 "$RECKON" run -f json -o vary.json ./vary
rm -f mark
try 0 "$RECKON" run --against=vary.json --fail-over=0 --family=lstat -l both --repeat=3 ./vary
grep -Eq '^ *23 +23\.\.46 +varies +library lstat$' err || bad "lstat does not vary: $(cat err)"
says err "from run to run by"
try 3 "$RECKON" run --against=vary.json --fail-over=0 --repeat=2 ./vary

# It is counted as it was before, and what was counted otherwise is refused before anything runs.
try 0 "$RECKON" run -l syscalls --whole -f json -o whole.json ./p
try 0 "$RECKON" run --against=whole.json -f json -o report.json ./p
same "as before" '["syscalls",true]' "$(jq -c '[.level, .whole]' report.json)"
rm -f ran
try 125 "$RECKON" run --against=whole.json -l calls sh -c '>ran'
says err "against: whole.json: counted with --level=syscalls --whole"
try 125 against --whole sh -c '>ran'
says err "before.json: counted with --level=both, and not with --whole"
[ ! -e ran ] || bad "the command ran"

# The command's own status; a signal is told before growth.
try 7 against sh -c 'exit 7'
sh -c '"$0" run --against=before.json --fail-over=0 sh -c "./p; kill -9 \$\$"' "$RECKON" 2>err
same "a signal" 137 $?

# What is no report.
for text in '' '{' '[]' '{"version": 2}' '{"version": 1, "library_calls": []}'; do
    echo "$text" >strange.json
    try 125 "$RECKON" run --against=strange.json ./p
    says err "reckon: against: strange.json: "
done
"$RECKON" merge before.json before.json -f json -o sum.json
try 125 "$RECKON" run --against=sum.json ./p
says err "sum of several reports"
try 125 "$RECKON" run --against=nowhere.json ./p
says err "reckon: against: nowhere.json: No such file or directory"
try 125 against --fail-over=1.5 ./p
says err "neither a whole number of calls nor a percentage"
try 125 against --ignore=nosuchcall ./p
says err "nosuchcall: neither a call nor a family"
try 125 against --repeat=0 ./p
try 125 "$RECKON" run --fail-over=1 ./p
says err "belong to --against=FILE"

# compare: a report in place of a command.
try 0 "$RECKON" compare -f csv --family=lstat -l both before.json './p; ./p'
same "compare with a report" '23 46' "$(sed -n 's/.*,library,lstat,lstat,\([0-9]*\),.*/\1/p' out | tr '\n' ' ' | sed 's/ $//')"
try 0 "$RECKON" compare whole.json ./p -f json
same "as the report" '["syscalls",true]' "$(jq -c '.commands[1] | [.level, .whole]' out)"
try 125 "$RECKON" compare before.json whole.json
says err "compare: whole.json: counted with --level=syscalls --whole"
try 125 "$RECKON" compare strange.json ./p
try 127 "$RECKON" compare nowhere.json ./p
finish
