#!/bin/sh
# What cannot be counted is told with the reason, in the report and on standard error, and never shown as zeros.
. "$TOP/tests/cli/helpers"


check() {
    text=$1 expected=$2
    shift 2
    try "$expected" "$RECKON" run -o - "$@"
    says err "reckon: uncounted: $text"
    says out "uncounted: $text"
    try "$expected" "$RECKON" run "$@"
    same "once on standard error" 1 "$(grep -cF "uncounted: $text" err)"
    if grep -q '^library calls' out; then bad "$*: a table was printed"; fi
    try "$expected" "$RECKON" run -o - -f json "$@"
    says out '"library_calls": [],'
    says out "$text"
}

${CC:-cc} -static -o static "$TOP/tests/fixture/primes.c" || bad "cannot build a static program"
check "./static: statically linked: no library can be loaded into it (--whole sees its system calls)" 3 ./static status 3
${CC:-cc} -static-pie -o static-pie "$TOP/tests/fixture/primes.c" || bad "cannot build a static-pie program"
check "./static-pie: statically linked" 0 ./static-pie

# A script is as static as its interpreter.
printf '#!%s/static status\n' "$PWD" >script
chmod +x script
check "$PWD/static: statically linked" 0 ./script

# A program for another machine (a VAX), by its header: /bin/sh is not given it to read.
cp "$FIXTURES/primes" foreign
printf '\113' | dd of=foreign bs=1 seek=18 conv=notrunc 2>err
try 126 "$RECKON" run ./foreign
same message "reckon: command: ./foreign: Exec format error" "$(cat err)"
silent out

# The loader itself has no interpreter, and yet the library is loaded.
loader=$(readelf -l "$FIXTURES/primes" | sed -n 's/.*interpreter: \(.*\)\]/\1/p')
try 0 "$RECKON" run -o - -l calls -f csv "$loader" "$FIXTURES/primes"
same "lstat by way of the loader" 23 "$(calls out library lstat)"
silent err

LIBCOUNT_DISABLE=1 "$RECKON" run -o report true >out 2>err
says err "LIBCOUNT_DISABLE is set"

# A reckon that is itself counted: the outer one has it all.
try 0 "$RECKON" run -l calls -f csv -o outer "$RECKON" run -o - "$FIXTURES/primes"
same "lstat in the outer report" 23 "$(calls outer library lstat)"
says out "uncounted: $FIXTURES/primes: counted by the run that counts this reckon, not by this one"

# What gains privileges: needs another owner than us, so only where we are root and may become someone else.
if [ "$(id -u)" -eq 0 ]; then
    chmod 755 .
    cp "$FIXTURES/primes" setuid
    chmod 4755 setuid
    chmod 711 "$(dirname "$PWD")"
    publish
    try 0 setpriv --reuid=65534 --regid=65534 --clear-groups public/build/reckon run -o - ./setuid
    says err "reckon: uncounted: ./setuid: set-user-ID: the loader ignores LD_PRELOAD"
    chmod 2755 setuid
    try 0 setpriv --reuid=65534 --regid=65534 --clear-groups public/build/reckon run -o - ./setuid
    says err "reckon: uncounted: ./setuid: set-group-ID: the loader ignores LD_PRELOAD"
    chmod 4755 setuid
    try 0 "$RECKON" run -o - -l calls -f csv ./setuid
    same "lstat of our own set-user-ID program" 23 "$(calls out library lstat)"
fi

# A static parent of a program that is counted.
cat >parent.c <<'END'
#include <unistd.h>
int main(int argc, char **argv) { (void)argc; return execv(argv[1], argv + 1); }
END
${CC:-cc} -static -o parent parent.c || bad "cannot build parent.c"
try 0 "$RECKON" run -o - -l calls -f json ./parent "$FIXTURES/primes"
says out '"calls": 23'
says out './parent: statically linked'
silent err

# Processes that live on are named, not waited for.
try 0 "$RECKON" run -o - -l calls sh -c 'sleep 1000 </dev/null >/dev/null 2>&1 &
    until [ "$(cat /proc/$!/comm)" = sleep ] && grep -q /dev/shm/libcount /proc/$!/maps; do :; done'
says out "uncounted: 1 process was still running when the command ended: sleep ("
kill "$(sed -n 's/.*sleep (\([0-9]*\)).*/\1/p' out)"
finish
