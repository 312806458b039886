#!/bin/sh
# --version and --help: one version, told by every program and every mode; help that fits the screen.
. "$TOP/tests/cli/helpers"

version=$(sed -n 's/^version=//p' "$TOP/scripts/countcalls")
echo "$version" | grep -Eqx '[0-9]+\.[0-9]+\.[0-9]+' || bad "scripts/countcalls has no version: '$version'"
same "countcalls --version" "countcalls (libcount) $version" "$("$COUNTCALLS" --version)"
same "reckon --version" "reckon (libcount) $version" "$("$RECKON" --version)"

# The list of modes in the help is that of the table; it fits the screen and ends with three examples.
try 0 "$RECKON" --help
silent err
same "lines of --help beyond 80 columns" "" "$(grep '.\{81\}' out)"
same "last lines of --help" 3 "$(tail -n 3 out | grep -c '^  reckon ')"
modes=$(sed -n '/^$/,/^$/s/^  reckon \([a-z]*\) .*/\1/p' out)
for mode in run compare ls gauss rump; do
    echo "$modes" | grep -qx "$mode" || bad "--help does not list $mode"
done
# shellcheck disable=SC2086 # several words
for mode in $modes 'gauss local' 'gauss serve' 'gauss call' 'gauss compare'; do
    try 0 "$RECKON" $mode --version
    same "reckon $mode --version" "reckon (libcount) $version" "$(cat out)"
    try 0 "$RECKON" $mode --help
    silent err
    same "lines of $mode --help beyond 80 columns" "" "$(grep '.\{81\}' out)"
    same "last lines of $mode --help" 3 "$(tail -n 3 out | grep -c "^  reckon $mode\\>")"
done
finish
