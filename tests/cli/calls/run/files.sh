#!/bin/sh
# --files against strace -f -y of the same commands, path by path.
. "$TOP/tests/cli/helpers"
command -v strace >/dev/null || { echo "strace is missing"; exit 1; }
here=$(pwd -P)

touch ls.json ls.trace find.json find.trace tar.json tar.trace copy.json copy.trace python.json python.trace
touch spawned.json spawned.trace gcc.json gcc.trace git.json git.trace differs all main.c main.o
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
python=$(python3 -c 'import sys; print(sys.executable)')   # which may be a script that finds it
beside python "$python" -S -c 'import json, asyncio'
beside spawned "$python" -S -c 'import subprocess; subprocess.run(["cat", "file 1"], cwd="tree")'
echo 'int main(void) { return 0; }' >main.c
beside gcc gcc -pipe -c -o main.o main.c
command -v git >/dev/null && git init -q work && cp -r tree work && (cd work && git add . ) && beside git git -C work status
finish
