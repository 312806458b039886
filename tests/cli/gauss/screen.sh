#!/bin/sh
# shellcheck disable=SC2015
# What people see of reckon gauss: 80 columns, three examples, pictures.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "gauss-screen: $*" >&2; exit 1; }
XDG_RUNTIME_DIR=$work
export XDG_RUNTIME_DIR
unset COLUMNS

narrow() {
    awk 'length > 80 { print FILENAME ": " $0; wide = 1 } END { exit wide }' "$1" || fail "wider than 80 columns"
}

for part in '' local serve call compare; do
    # shellcheck disable=SC2086  # nothing, or a word
    "$RECKON" gauss $part --help >"$work/help"
    narrow "$work/help"
    [ "$(sed '1,/^Examples:$/d' "$work/help" | grep -c '^  reckon gauss ')" -eq 3 ] || fail "$part: not three examples"
    [ "$(tail -1 "$work/help" | cut -c1-15)" = '  reckon gauss ' ] || fail "$part: help does not end with an example"
done

"$RECKON" gauss local --count=1e6 >"$work/table"
narrow "$work/table"
grep -Eq '^ +6 383446 +382924\.9$' "$work/table" || fail "table: $(cat "$work/table")"
"$RECKON" gauss compare --rounds=2 --count=1e5 >"$work/table"
narrow "$work/table"
"$RECKON" gauss serve >"$work/said" &
server=$!
until grep -q '^token in ' "$work/said"; do
    kill -0 $server || fail "no server"
    sleep 0.05
done
"$RECKON" gauss call "$(sed -n 's/^listening on //p' "$work/said")" --seed=4294967295 --width=0.01 >"$work/table" || fail "call"
kill $server
wait $server || fail "serve"
narrow "$work/table"

# On a terminal bars fill the width and no more.
NO_COLOR=1
export NO_COLOR
for columns in 80 120; do
    LC_ALL=C.UTF-8 script -qec "stty cols $columns; $RECKON gauss local --count=100000 --generator=fast" /dev/null </dev/null | tr -d '\r' >"$work/screen"
    widest=$(perl -CS -lne '$w = length if length > $w; END { print $w }' <"$work/screen")
    [ "$widest" -le "$columns" ] && [ "$widest" -ge 60 ] || fail "$columns columns: the widest line has $widest"
    grep -q '█' "$work/screen" || fail "no bars on a terminal"
    LC_ALL=C script -qec "stty cols $columns; $RECKON gauss local --count=100000" /dev/null </dev/null >"$work/screen"
    grep -q '####' "$work/screen" || fail "no bars in the C locale"
    LC_ALL=C grep -q '[^ -~[:space:]]' "$work/screen" && fail "more than ASCII in the C locale"
done

# Pictures are well-formed and hold the data.
if command -v gnuplot >/dev/null; then
    "$RECKON" gauss local --count=100000 --plot="$work/a picture.svg" >/dev/null
    perl -0777 -ne 'die unless /^<\?xml.*<svg.*<\/svg>\s*$/s && /N\(6, 1\)/ && /counted/ && /expected/;
        die "bars: " . scalar(() = /<polygon|Z\x27\/>/g) . "\n" if (() = /expected_plot|gnuplot_plot/g) < 2' "$work/a picture.svg" || fail "svg"
    "$RECKON" gauss local --count=1000 --plot="$work/p.png" >/dev/null
    [ "$(head -c 8 "$work/p.png" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] || fail "png"
    "$RECKON" gauss compare --rounds=6 --count=1e5 --plot="$work/p.pdf" >/dev/null
    [ "$(head -c 5 "$work/p.pdf")" = %PDF- ] || fail "pdf"
    if "$RECKON" gauss local --count=1000 --plot="$work/none/p.svg" >/dev/null 2>"$work/error"; then fail "no such folder"; fi
    grep -q '^reckon: output: .*none/p.svg: No such file' "$work/error" || fail "$(cat "$work/error")"
fi
if PATH=$work "$RECKON" gauss local --count=1000 --plot="$work/q.svg" >/dev/null 2>"$work/error"; then fail "without gnuplot"; fi
grep -q 'gnuplot is not installed' "$work/error" || fail "$(cat "$work/error")"
[ ! -e "$work/q.svg" ] || fail "a part of a picture is left over"
