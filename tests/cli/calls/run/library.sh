#!/bin/sh
# The library is found wherever it is installed, under names that LD_PRELOAD cannot hold too, and nothing is left behind.
. "$TOP/tests/cli/helpers"

folder="with space:and colon"
mkdir -p "$folder/bin" "$folder/lib"
cp "$RECKON" "$folder/bin/reckon"
cp "$LIBCOUNT" "$folder/lib/libcount.so"
try 0 "$folder/bin/reckon" run -o - -l calls -f csv "$FIXTURES/primes"
same "lstat from a folder with a space and a colon" 23 "$(calls out library lstat)"
silent err
try 0 "$folder/bin/reckon" run -o - -l calls -f csv sh -c '"$0"; "$0"' "$FIXTURES/primes"
same "lstat of two" 46 "$(calls out library lstat)"
same "left behind" "" "$(left_behind)"

# A library that is no library: the command runs, and the report tells that nothing was counted.
echo nonsense >"$folder/lib/libcount.so"
try 3 "$folder/bin/reckon" run -o - "$FIXTURES/primes" status 3
says out "uncounted: $FIXTURES/primes: libcount.so was not loaded into it"
says err "reckon: uncounted: $FIXTURES/primes: libcount.so was not loaded into it"

# No library, or one that we may not read: nothing is run.
mkdir alone
cp "$RECKON" alone/reckon
if [ ! -e /usr/local/lib/libcount.so ]; then
    try 125 alone/reckon run sh -c 'echo ran'
    silent out
    says err "reckon: library: /usr/local/lib/libcount.so: No such file or directory"
fi
if [ "$(id -u)" -ne 0 ]; then
    chmod 000 "$folder/lib/libcount.so"
    try 125 "$folder/bin/reckon" run sh -c 'echo ran'
    says err "lib/libcount.so: Permission denied"
fi

# What killed runs left behind goes away with the next run; what belongs to the living stays.
user=$(id -u)
sh -c 'exit 0' &
wait $!
gone=$!
: >/dev/shm/libcount."$user"."$gone"
ln -s /nonexistent /dev/shm/libcount."$user"."$gone".so
: >/dev/shm/libcount."$user".$$
: >/dev/shm/libcount."$user".notes
try 0 "$RECKON" run -o report true
[ ! -e /dev/shm/libcount."$user"."$gone" ] || bad "the table of a dead process stayed"
[ ! -L /dev/shm/libcount."$user"."$gone".so ] || bad "the link of a dead process stayed"
[ -e /dev/shm/libcount."$user".$$ ] || bad "the table of a living process was removed"
[ -e /dev/shm/libcount."$user".notes ] || bad "a file that is not ours was removed"
rm -f /dev/shm/libcount."$user".$$ /dev/shm/libcount."$user".notes

# reckon killed by SIGKILL: its file is removed by the next run after its command has ended too.
mkfifo go
"$RECKON" run -o report sh -c 'echo $$ >started; read -r line <go' &
driver=$!
wait_until [ -s started ]
table=$(echo /dev/shm/libcount."$user".$driver.*)
[ -e "$table" ] || bad "no table while the command runs"
same "mode of the table" 600 "$(stat -c %a "$table")"
kill -KILL $driver
wait $driver
try 0 "$RECKON" run -o report true
[ -e "$table" ] || bad "a table that is still in use was removed"
echo >go
wait_until gone "$(cat started)"
try 0 "$RECKON" run -o report true
[ ! -e "$table" ] || bad "the table of a killed reckon stayed"

# A limit on the size of files is told, and kills nobody.
try 125 sh -c 'ulimit -f 1; exec "$0" run true' "$RECKON"
says err "File too large"
finish
