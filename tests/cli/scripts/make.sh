#!/bin/sh
# The Makefile: short, explained by `make help`, and quick, since it asks other programs for little.
. "$TOP/tests/cli/helpers"
build=${LIBCOUNT%/*}
making() { make -C "$TOP" B="$build" CC="${CC:-cc}" "$@"; }
[ "$(wc -l <"$TOP/Makefile")" -lt 120 ] || bad "Makefile: $(wc -l <"$TOP/Makefile") lines"

# One test of the machine, one look for the sources, one at the packages, version and layout; make, and their shells.
try 0 "$RECKON" run -l calls -f json -o report make -C "$TOP" -n -B B="$build" CC="${CC:-cc}" all tests
processes=$(sed -n 's/^ *"processes": \([0-9]*\).*/\1/p' report)
[ "${processes:-99}" -le 10 ] || bad "a dry run starts $processes processes"
[ "$(grep -c -e ' -c ' out)" -gt 100 ] || bad "a dry run compiles only: $(cat out)"

# What a dry run says of the check, and of the package that is made for it, is all that it does.
mkdir empty
try 0 make -C "$TOP" -n B="$PWD/empty" CC="${CC:-cc}" check
says out tests/cli/run
same "what a dry run makes" "" "$(ls empty)"

# Whatever a user may ask for is explained.
making help >explained || bad "make help failed"
sed -n "s|^\.PHONY: ||p" "$TOP"/Makefile "$TOP"/*/*.mk "$TOP"/*/*/*.mk | tr " " "\n" >targets
while read -r target; do
    case $target in lint-*) continue ;; esac
    grep -q "^  make $target  *[a-z]" explained || bad "make help does not explain $target"
done <targets

# Nothing is made twice.
making all tests >again 2>&1 || bad "make failed: $(cat again)"
making -q all tests || bad "what was just made is made again"
finish
