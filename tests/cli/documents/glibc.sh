#!/bin/sh
# The glibc that README says library and driver need is the newest whose symbols they ask for.
. "$TOP/tests/cli/helpers"

# needed FILE: the newest version among the symbols that it has not itself.
needed() {
    objdump -T "$1" | sed -n 's/.*\*UND\*.*[( ]GLIBC_\([0-9.]*\).*/\1/p' | sort -Vu | tail -n 1
}
sentence=$(tr '\n' ' ' <"$TOP/README.md" | grep -o 'The library needs no symbol newer than glibc.*every newer one\.')
library=$(echo "$sentence" | sed -n 's/.*no symbol newer than glibc \([0-9.]*\).*/\1/p')
driver=$(echo "$sentence" | sed -n 's/.*`reckon` needs glibc \([0-9.]*\).*/\1/p')
built=$(echo "$sentence" | sed -n 's/.*where Debian \([0-9]*\) has built it.*/\1/p')
[ -n "$library$driver$built" ] || bad "README says this of glibc: '$sentence'"

for file in libcount.so libcount-whole.so; do
    same "what $file needs on $(uname -m)" "$library" "$(needed "${LIBCOUNT%/*}/$file")"
done

# Nothing that is built here runs with an older glibc: the start-up code of every program asks for that much.
. /etc/os-release
if [ "$ID ${VERSION_ID-}" = "debian $built" ]; then
    echo 'int main(void) { return 0; }' >nothing.c
    "${CC:-cc}" nothing.c -o nothing || bad "nothing.c: not compiled"
    same "what a program needs that does nothing" "$driver" "$(needed nothing)"
    same "what reckon needs" "$driver" "$(needed "$RECKON")"
fi
finish
