#!/bin/sh
# Every command of README runs as printed.
. "$TOP/tests/cli/helpers"

# What is left out: what changes the machine, and the check itself; what takes minutes under load, waits for callers, or
# shows a run that goes on.
cat >skipped <<'END'
scripts/demo
scripts/check
make install
--files=20,10000
gauss compare
gauss serve
gauss call
reckon show
reckon top
END

# Commands in indented blocks, without the remark behind them; the rest of a block is output.
programs='reckon|countcalls|ls|git|make|scripts\/[a-z]*|seq|mpirun|pkg-config'
sed -nE "s/^    (\\$ )?(([A-Z_]+=[^ ]* )*($programs) .*)/\\1\\2/p" "$TOP/README.md" | grep -v '^ls ' |
    sed -E 's/^\$ //; s/ {2,}.*//' >commands
same "commands with a prompt that are not extracted" "" \
    "$(sed -n 's/^    \$ //p' "$TOP/README.md" | while IFS= read -r line; do grep -qxF -e "$line" commands || echo "$line"; done)"
command -v mpirun >/dev/null || sed -i 's/^mpirun -n 4 //' commands  # one rank, then
command -v busybox >/dev/null || echo busybox >>skipped
try 0 sh "$TOP/tests/cli/documents/as-printed" "$PWD/skipped" work <commands
sed 's/^/  | /' out
[ "$(wc -l <commands)" -gt 12 ] || bad "only these commands: $(cat commands)"
same "left behind" "" "$(left_behind)"
finish
