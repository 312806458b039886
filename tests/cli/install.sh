#!/bin/sh
# make install puts three files where they find each other, under any name, and make uninstall removes them.
. "$TOP/tests/cli/helpers"
build=${LIBCOUNT%/*}
mkdir -p 'a place'

try 0 make -s -C "$TOP" B="$build" CC="${CC:-cc}" DESTDIR="$PWD/a place" PREFIX=/opt/x install
same files "bin/countcalls bin/reckon lib/libcount-whole.so lib/libcount.so " "$(cd 'a place/opt/x' && find . -type f | LC_ALL=C sort | sed 's/^..//' | tr '\n' ' ')"
bin="$PWD/a place/opt/x/bin"
try 0 "$bin/reckon" run -l calls -f csv "$FIXTURES/primes"
same "lstat by the installed reckon" 23 "$(calls out library lstat)"
silent err
try 0 "$bin/countcalls" -l calls -f csv -o report "$FIXTURES/primes"
same "lstat by the installed countcalls" 23 "$(sed -n 's/^library,lstat,lstat,\([0-9]*\),.*/\1/p' report)"

try 0 make -s -C "$TOP" B="$build" CC="${CC:-cc}" DESTDIR="$PWD/a place" PREFIX=/opt/x uninstall
same "files after uninstall" "" "$(find 'a place' -type f)"
same "left behind" "" "$(left_behind)"
finish
