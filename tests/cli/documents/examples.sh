#!/bin/sh
# Every command of the manuals' EXAMPLES runs as printed.
. "$TOP/tests/cli/helpers"

: >skipped
command -v busybox >/dev/null || echo busybox >>skipped
for manual in driver/reckon.1 scripts/countcalls.1 shim/libcount.7; do
    sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE/s/^\.Dl \$ //p' "$TOP/$manual" | sed 's/\\&//g' >commands
    try 0 sh "$TOP/tests/cli/documents/as-printed" "$PWD/skipped" "work.${manual##*/}" <commands
    sed "s|^|  \| |" out
    same "examples in $manual" "$(grep -c '^\.Dl \$' "$TOP/$manual") commands ran" "$(tail -n 1 out)"
done
same "left behind" "" "$(left_behind)"
finish
