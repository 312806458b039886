#!/bin/sh
# countcalls: the bare library loaded into a command, or a plain word why it is not.
. "$TOP/tests/cli/helpers"

try 0 "$COUNTCALLS" -f csv -l calls -o report "$FIXTURES/primes"
silent out
silent err
same lstat 23 "$(calls report library lstat)"
same getxattr 29 "$(calls report library getxattr)"
same "left behind" "" "$(left_behind)"

# A report to standard error, options that are joined to their values, and the end of options.
try 5 "$COUNTCALLS" -lcalls -fcsv -- sh -c '"$0"; echo out; exit 5' "$FIXTURES/primes"
same output out "$(cat out)"
same lstat 23 "$(calls err library lstat)"

# The CSV of both is the same, whatever the words are, and however long; a title's control characters obey nobody.
odd=$(printf "a'b,\"c\nd\033[31me\303\244\377")
long=$(head -c 100000 /dev/zero | tr '\0' "'")
for words in "$odd" "$odd," "$long"; do
    try 0 "$COUNTCALLS" -l calls -f csv -o report "$FIXTURES/primes" "$words" -l '' 'x y' .
    try 0 "$RECKON" run -l calls -f csv -o report.reckon -- "$FIXTURES/primes" "$words" -l '' 'x y' .
    cmp report report.reckon || bad "CSV of countcalls and of reckon differ for $(printf %.20s "$words")"
done
try 0 "$COUNTCALLS" -l calls "$FIXTURES/primes" "$odd"
printf 'libcount: %s a%s (1 process)\n' "$FIXTURES/primes" "'b,\"c\\012d\\033[31meä\\377" >title
sed -n 1p err | cmp - title || bad "the title is $(sed -n 1p err | cat -v)"
LIBCOUNT_FORMAT=$(printf 'x\033[31m') LD_PRELOAD=$LIBCOUNT "$FIXTURES/primes" 2>err
says err 'libcount: LIBCOUNT_FORMAT=x\033[31m: not known'

# The report's path is that of the start, wherever the command goes.
mkdir elsewhere
try 0 "$COUNTCALLS" -o relative sh -c 'cd elsewhere; exec ls'
[ -s relative ] || bad "no report beside the start"

# refused STATUS MESSAGE ARGUMENT...
refused() {
    expected=$1 message=$2
    shift 2
    try "$expected" "$COUNTCALLS" "$@"
    same "message of $*" "$message" "$(cat err)"
    silent out
}
refused 127 "countcalls: command: nosuchcommand: No such file or directory" nosuchcommand
refused 127 "countcalls: command: ./nosuch: No such file or directory" ./nosuch
refused 126 "countcalls: command: /: Permission denied" /
: >plain
refused 126 "countcalls: command: ./plain: Permission denied" ./plain
refused 125 "countcalls: no command; try \`countcalls --help\`"
refused 125 "countcalls: no command; try \`countcalls --help\`" --
refused 125 "countcalls: -x: no such option; try \`countcalls --help\`" -x ls
refused 125 "countcalls: --nosuch: no such option; try \`countcalls --help\`" --nosuch ls
refused 125 "countcalls: -o: needs an argument; try \`countcalls --help\`" -o
refused 125 "countcalls: -f: xml: not one of table, json, csv" -f xml ls
refused 125 "countcalls: -l: all: not one of calls, syscalls, both" -l all ls
refused 125 "countcalls: output: /nonexistent/report: No such file or directory" -o /nonexistent/report ls
refused 125 "countcalls: output: /: Is a directory" -o / ls

try 0 "$COUNTCALLS" --help
same "lines beyond 80 columns" "" "$(grep '.\{81\}' out)"
same "examples" 3 "$(sed -n '/^Examples:/,$p' out | grep -c '^  countcalls')"
try 0 "$COUNTCALLS" --version
same version "countcalls $("$RECKON" --version | sed 's/reckon //')" "$(cat out)"

# A signal that ends the command.
try 143 sh -c '"$0" -o report "$1" signal 15; exit $?' "$COUNTCALLS" "$FIXTURES/primes"

# What the loader leaves out is told, and still run.
${CC:-cc} -static -o static "$TOP/tests/fixture/primes.c" || bad "cannot build a static program"
try 3 "$COUNTCALLS" ./static status 3
same message "countcalls: uncounted: ./static: statically linked: no library can be loaded into it (--whole sees its system calls)" "$(cat err)"
printf '#! %s/static status\n' "$PWD" >script
chmod +x script
try 0 "$COUNTCALLS" ./script
same message "countcalls: uncounted: $PWD/static: statically linked: no library can be loaded into it (--whole sees its system calls)" "$(cat err)"
cp "$FIXTURES/primes" foreign
printf '\113' | dd of=foreign bs=1 seek=18 conv=notrunc 2>/dev/null
"$COUNTCALLS" ./foreign >out 2>err
says err "countcalls: uncounted: ./foreign: a program for another machine (ELF machine 75)"
printf '\001' | dd of=foreign bs=1 seek=4 conv=notrunc 2>/dev/null
"$COUNTCALLS" ./foreign >out 2>err
says err "countcalls: uncounted: ./foreign: a 32-bit program, and libcount.so is not"
if [ "$(id -u)" -eq 0 ]; then
    chmod 755 .
    chmod 711 "$(dirname "$PWD")"
    cp "$FIXTURES/primes" setuid
    chmod 4755 setuid
    publish
    try 0 setpriv --reuid=65534 --regid=65534 --clear-groups public/scripts/countcalls ./setuid
    says err "countcalls: uncounted: ./setuid: set-user-ID: the loader ignores LD_PRELOAD"
fi

# From a folder whose name LD_PRELOAD cannot hold; kept in front of what was preloaded before.
folder="with space:and colon"
mkdir -p "$folder/bin" "$folder/lib"
cp "$COUNTCALLS" "$folder/bin/countcalls"
cp "$LIBCOUNT" "$folder/lib/libcount.so"
try 0 "$folder/bin/countcalls" -l calls -f csv "$FIXTURES/primes"
same "lstat from a folder with a space and a colon" 23 "$(calls err library lstat)"
same "lines on standard error that are no report" 1 "$(grep -vc ',library,' err)"
same "left behind" "" "$(left_behind)"
LD_PRELOAD=libm.so.6 "$COUNTCALLS" -o report sh -c 'echo "$LD_PRELOAD"' >out
case $(cat out) in */libcount.so:libm.so.6) ;; *) bad "LD_PRELOAD is $(cat out)" ;; esac
# A program of musl is counted, too.
if command -v musl-gcc >/dev/null; then
    echo 'int puts(const char *); int main(void) { puts("musl"); return 3; }' >musl.c
    musl-gcc musl.c -o musl || bad "musl-gcc does not compile"
    try 3 "$COUNTCALLS" ./musl
    grep uncounted err >complaints
    same "output of a musl program" musl "$(cat out)"
    silent complaints
    same "system calls of a musl program" 1 "$(sed -n 's/^ *\([0-9]*\) .*exit_group$/\1/p' err)"
fi

finish
