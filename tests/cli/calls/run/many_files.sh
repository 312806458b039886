#!/bin/sh
# --files with more paths than there is room for: what finds none is counted, too, and nothing else happens. Room is memory
# that comes in steps; where a small /dev/shm gives no more, the command must not notice.
. "$TOP/tests/cli/helpers"

python=$(python3 -c 'import sys; print(sys.executable)')   # which may be a script that finds it
cat >looks.py <<'END'
import os, sys
for folder in 'none', os.path.join(os.getcwd(), 'none'):   # the same paths
    for i in range(int(sys.argv[1])):
        os.access(f'{folder}/{i}', os.R_OK)
os.close(os.open('looks.py', os.O_RDONLY))
END

# sums FILE: looks at and misses of those paths, how many were told apart, how often each; what there was no room for.
sums() {
    python3 -c 'import json, os, sys
report = json.load(open(sys.argv[1]))
rows = [row for row in report["files"] if row["path"].startswith(os.path.join(os.getcwd(), "none") + "/")]
other = report["files_other"]
print(sum(row["looks"] for row in rows) + other["looks"], sum(row["misses"] for row in rows) + other["misses"], len(rows),
      sorted({row["looks"] for row in rows}), other["looks"] > 0)' "$1"
}

try 0 "$RECKON" run --files -f json -o room.json "$python" -S looks.py 5003
same "5003 paths" "10006 10006 5003 [2] False" "$(sums room.json)"
try 0 "$RECKON" run --files -f json -o many.json "$python" -S looks.py 40009
read -r looks misses paths rest <<END
$(sums many.json)
END
same "looks at 40009 paths" "80018 80018 [2] True" "$looks $misses $rest"
[ "$paths" -gt 25000 ] || bad "only $paths paths were told apart"

# 64 KiB of them and hardly more: then all further looks are `other`.
cat >small.sh <<'END'
mount -t tmpfs -o size=700k none /dev/shm && mkdir /dev/shm/tmp && TMPDIR=/nowhere exec "$@"
END
# Root needs no namespace of users for that, and may not have one where its root directory is another.
alone=--mount
[ "$(id -u)" -eq 0 ] || alone='--mount --map-root-user'
# shellcheck disable=SC2086  # words
unshare $alone true 2>/dev/null || { echo "skipped: a small /dev/shm needs a mount namespace, which only root can have here"; finish; }
# shellcheck disable=SC2086  # words
try 0 unshare $alone sh small.sh "$RECKON" run --files -f json -o small.json "$python" -S looks.py 5003
read -r looks misses paths rest <<END
$(sums small.json)
END
same "looks where memory is short" "10006 10006 [2] True" "$looks $misses $rest"
if [ "$paths" -lt 300 ] || [ "$paths" -gt 4000 ]; then
    bad "$paths paths were told apart in 700 KiB"
fi
finish
