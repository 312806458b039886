#!/bin/sh
# Every command of README runs as printed.
. "$TOP/tests/cli/helpers"

# What is left out, and why.
cat >skipped <<'END'
scripts/demo
scripts/check
make install
--files=20,10000
gauss serve
gauss call
gauss compare
END
: the scripts and make install change the machine, and this test is part of the check; the large listing takes
: minutes under load, and gauss has tests of its own that take less time than its defaults.

# Commands in indented blocks, without the remark behind them; the rest of a block is output.
sed -nE 's/^    (\$ )?(([A-Z_]+=[^ ]* )*(reckon|countcalls|ls|git|make|scripts\/[a-z]*|seq|mpirun|pkg-config) .*)/\1\2/p' "$TOP/README.md" |
    grep -v '^ls ' | sed -E 's/^\$ //; s/ {3,}.*//; s/  +#.*//' >commands
tests=$(sed -n 's/^    \$ //p' "$TOP/README.md" | while IFS= read -r line; do grep -qxF -e "$line" commands || echo "$line"; done)
same "commands with a prompt that are not extracted" "" "$tests"
command -v mpirun >/dev/null || echo mpirun >>skipped
command -v busybox >/dev/null || echo busybox >>skipped
try 0 sh "$TOP/tests/cli/as-printed" "$PWD/skipped" work <commands
sed 's/^/  | /' out
[ "$(wc -l <commands)" -gt 12 ] || bad "only these commands: $(cat commands)"
same "left behind" "" "$(left_behind)"
finish
