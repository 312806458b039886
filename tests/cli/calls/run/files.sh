#!/bin/sh
# --files against strace -f -y of the same commands, path by path.
. "$TOP/tests/cli/helpers"
command -v strace >/dev/null || { echo "strace is missing"; exit 1; }
here=$(pwd -P)

touch ls.json ls.trace find.json find.trace tar.json tar.trace copy.json copy.trace python.json python.trace
touch descriptors.json descriptors.trace maps.json maps.trace spawned.json spawned.trace gcc.json gcc.trace git.json git.trace differs all main.c main.o
export GIT_OPTIONAL_LOCKS=0

# beside NAME COMMAND...: count it, trace it, compare. It has to do the same twice.
beside() {
    name=$1
    shift
    ( "$@" ) >/dev/null 2>&1 </dev/null   # what only the first run does
    "$RECKON" run --files -f json -o "$name.json" -- "$@" >/dev/null 2>&1 </dev/null
    strace -f -y -s 65536 -o "$name.trace" -E LD_PRELOAD="$LIBCOUNT" -E LIBCOUNT_DISABLE=1 -E LIBCOUNT_DEBUG=1 \
        "$@" >/dev/null 2>&1 </dev/null
    python3 "$TOP/tests/cli/calls/run/files.py" "$name.trace" "$name.json" "$here" >differs 2>&1 ||
        { bad "$name: $*:"; head -n 20 differs; }
}

mkdir tree tree/sub
for i in $(seq 40); do echo "$i" >"tree/file $i"; done
printf 'x' >"tree/$(printf 'bad\377name')"
ln -s sub tree/link
beside ls ls -lR tree
beside find find tree -name '*1*' -newer tree/sub
beside tar tar cf /dev/null tree
beside copy sh -c 'cp -a tree copied; cat tree/* > all; rm -r copied'
beside maps sh -c 'ls -lR tree; grep nothing /proc/self/maps'
python=$(python3 -c 'import sys; print(sys.executable)')   # which may be a script that finds it
beside python "$python" -S -c 'import json, asyncio'
beside spawned "$python" -S -c 'import subprocess; subprocess.run(["cat", "file 1"], cwd="tree")'
# Descriptors: duplicated, inherited by a fork and by a program that is executed, of a folder that is gone to, O_PATH.
cat >descriptors.py <<'END'
import os, sys
first = os.open("tree/file 1", os.O_RDONLY)
second = os.dup(first)
os.close(first)
os.read(second, 1)
os.lseek(second, 0, os.SEEK_SET)
os.dup2(second, 9, inheritable=True)
script = "(read x <&9); exec 3<\"tree/file 2\"; read x <&3; cat <&3; cat \"tree/file 3\""
os.waitpid(os.posix_spawn("/bin/sh", ["sh", "-c", script], os.environ), 0)   # fork() reads /proc/self/stat in python 3.13
folder = os.open("tree", os.O_PATH | os.O_DIRECTORY)
inner = os.open("file 4", os.O_RDONLY, dir_fd=folder)
os.read(inner, 100)
os.stat("sub", dir_fd=folder)
os.fchdir(folder)
os.stat("file 5")
open("../copy", "w").write("text")
END
touch copy
beside descriptors "$python" -S descriptors.py
echo 'int main(void) { return 0; }' >main.c
beside gcc gcc -pipe -c -o main.o main.c
command -v git >/dev/null && git init -q work && cp -r tree work && (cd work && git add . ) && beside git git -C work status

# The same where library calls alone are wanted; and added up: a directory's file in each of two reports, and a miss.
try 0 "$RECKON" run -l calls --files -f json -o one.json cat "tree/file 1"
try 1 "$RECKON" run -l calls --files --by=mount --depth=1 -f json -o two.json cat "tree/file 1" tree/none
try 0 "$RECKON" merge -f json -o sum.json one.json two.json
value() {
    python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
print([[row[key] for key in sys.argv[3:]] for row in r[sys.argv[2]]
       if row["path"] in ("'"$here"'/tree/file 1", "'"$here"'/tree/none")])' "$@"
}
same "a file" "[[1, 2]]" "$(value one.json files opens bytes_read)"
same "files added up" "[[2, 0, 4], [1, 1, 0]]" "$(value sum.json files opens misses bytes_read)"
try 1 "$RECKON" run --misses -f json -o misses.json cat "tree/file 1" tree/none
same "misses alone" "[[1, 1, 0]]" "$(value misses.json files opens misses bytes_read)"
same "parts of directories, each no more than one" 1 "$(python3 -c 'import json
print(max(row["path"].count("/") for row in json.load(open("two.json"))["directories"]))')"
same "mounts have types" True "$(python3 -c 'import json
mounts = json.load(open("two.json"))["mounts"]
print(len(mounts) > 0 and all(row["type"] for row in mounts))')"

# Names that are no UTF-8 look the same in JSON, and are told apart by their bytes, in sums too.
cp tree/bad* "$(printf 'tree/bad\376name')"
try 0 "$RECKON" run --files --level=calls -f json -o bytes.json cat "$(printf 'tree/bad\376name')" "$(printf 'tree/bad\377name')"
try 0 "$RECKON" merge -f json -o bytes2.json bytes.json bytes.json
odd() { jq -c '[.files[] | select(.path_hex) | [.path_hex[-18:], .opens, (.path | endswith("tree/bad\ufffdname"))]] | sort' "$1"; }
same "bytes of names" '[["626164fe6e616d65",1,true],["626164ff6e616d65",1,true]]' "$(odd bytes.json | sed 's/"2f/"/g')"
same "bytes of names in a sum" '[["626164fe6e616d65",2,true],["626164ff6e616d65",2,true]]' "$(odd bytes2.json | sed 's/"2f/"/g')"
same "the whole path" True "$(/usr/bin/python3 -c 'import json, os, sys
print({bytes.fromhex(row["path_hex"]) for row in json.load(open("bytes.json"))["files"] if "path_hex" in row} ==
      {os.fsencode(sys.argv[1]) + b"/tree/bad" + byte + b"name" for byte in (b"\xfe", b"\xff")})' "$here")"
for digits in '' 2f6 zz 00 '2 '; do
    jq -c --arg digits "$digits" '.files[0].path_hex = $digits' bytes.json >wrong.json
    try 125 "$RECKON" merge wrong.json
    says err wrong.json
done

# Side by side, as CSV, and while it runs.
try 0 "$RECKON" compare --files --level=calls -f json "cat 'tree/file 1'" "cat 'tree/file 1' 'tree/file 22'"
same "two commands in JSON" '[["file 1",1,2]] [["file 1",1,2],["file 22",1,3]] ' "$(jq -c --arg tree "$here/tree/" '.commands[].files
    | [.[] | select(.path | startswith($tree)) | [.path[($tree | length):], .opens, .bytes_read]]' out | tr '\n' ' ')"
COLUMNS=200 try 0 "$RECKON" compare --files --level=calls "cat 'tree/file 1'" "cat 'tree/file 1' 'tree/file 22'"
grep -Eq "^$here/tree/file 1 +([0-9]+) +\1\$" out || bad "no row of a file that both read: $(grep 'tree/file' out)"
grep -Eq "^$here/tree/file 22 +- +[0-9]+\$" out || bad "no row of a file that one reads: $(grep 'tree/file' out)"
try 0 "$RECKON" run --files --level=calls -f csv -o files.csv cat "tree/file 1"
same "a file in CSV" '["1", "0", "1", "0", "2", "0"]' "$(/usr/bin/python3 -c 'import csv, json, sys
rows = [row for row in csv.DictReader(open("files.csv")) if row["kind"] == "file" and row["name"] == sys.argv[1]]
assert len(rows) == 1 and all(len(row) for row in rows), rows
print(json.dumps([rows[0][key] for key in ("opens", "misses", "looks", "writes", "bytes_read", "bytes_written")]))' "$here/tree/file 1")"
mkfifo go
"$RECKON" run --files --level=calls -o report.json -f json sh -c 'cat "tree/file 1"; : >begun; read x; cat "tree/file 22"' <go >/dev/null 2>&1 &
exec 7>go
wait_until test -e begun
try 0 "$RECKON" show -f json -o now.json "$(pgrep -P $! -x sh)"
exec 7>&-
wait
same "shown while it runs" "[[1, 0, 2]]" "$(value now.json files opens misses bytes_read)"
same "not what was not read yet" 0 "$(grep -c 'tree/file 22",' now.json)"
same "at the end" 1 "$(grep -c 'tree/file 22",' report.json)"
try 125 "$RECKON" run --depth=0 true
says err "--depth: 0: not a number from 1 on"
finish
