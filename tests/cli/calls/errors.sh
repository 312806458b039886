#!/bin/sh
# Bad input and full disks: one clear line, status 125.
. "$TOP/tests/cli/helpers"

# refused MESSAGE ARGUMENT...
refused() {
    message=$1
    shift
    try 125 "$RECKON" "$@"
    same "message of $*" "$message" "$(sed -n 1p err)"
    silent out
}

families=$(sed -n 's/^CALL(\([a-z]*\),.*/\1/p; s/^OWN(\([a-z]*\),.*/\1/p' "$TOP/shim/table/calls.def" | uniq | tr '\n' ',' | sed 's/,$//; s/,/, /g')
refused "Usage: reckon MODE [OPTION...] [ARGUMENT...]"
refused "reckon: nosuch: no such mode; try \`reckon --help\`" nosuch
refused "reckon run: unrecognized option '--nosuch'" run --nosuch ls
refused "reckon run: no command" run
refused "reckon run: no command" run --
refused "reckon run: --format: xml: not one of table, json, csv, prometheus" run --format=xml ls
refused "reckon run: --level: all: not one of calls, syscalls, both" run --level=all ls
refused "reckon run: --sort: size: not one of calls, errors, name, family, time" run --sort=size ls
refused "reckon run: --family: nosuch: no such family; there are $families" run --family=open,nosuch ls
refused "reckon compare: no command" compare
refused "reckon: compare: an empty command" compare '  '
for number in 0 -1 1000001 1000000000 99999999999999999999 x '20,' ',20' 2x '' ' 20' +20; do
    refused "reckon ls: --files: $number: not a list of whole numbers from 1 to 1000000" ls --files="$number"
done
for number in 0 -1 1001 x 1,2 ''; do
    refused "reckon ls: --runs: $number: not a whole number from 1 to 1000" ls --runs="$number"
done
refused "reckon: ls: --variant: -l | cat: not arguments of one command" ls --variant='-l | cat'
refused "reckon: directory: /nonexistent: No such file or directory" ls --directory=/nonexistent
refused "reckon: directory: /dev/null: Not a directory" ls --directory=/dev/null
refused "reckon: ls: --files and --directory exclude each other" ls --directory=/ --files=20
refused "reckon ls: more: an argument too many" ls more

# Where the report cannot be written the command is not run at all.
refused "reckon: output: /nonexistent/report: No such file or directory" run -o /nonexistent/report touch ran
refused "reckon: output: /: Is a directory" run -o / touch ran
[ ! -e ran ] || bad "the command ran although its report could not be written"
try 125 "$RECKON" run -o /dev/full true
same message "reckon: output: /dev/full: No space left on device" "$(cat err)"
"$RECKON" run true >/dev/null 2>/dev/full
same "status of run with a full standard error" 125 $?
for mode in 'run -o - true' 'compare true' 'ls --runs=1' 'run -o - -f json true' 'compare -f csv true' 'ls --runs=1 -f json'; do
    # shellcheck disable=SC2086 # several words
    "$RECKON" $mode >/dev/full 2>err
    same "status of $mode with a full disk" 125 $?
    says err "reckon: output: standard output: No space left on device"
done

same "left behind" "" "$(left_behind)"
finish
