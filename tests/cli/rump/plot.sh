#!/bin/sh
# Pictures: each kind is what its suffix says; they appear whole or not at all.
# shellcheck disable=SC2015
set -u
: "${RECKON:?}"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
status=0
fail() { echo "rump-plot: $*"; status=1; }

# Without gnuplot: a message that names the package, status 125, no file, empty standard output.
mkdir "$work/empty"
PATH=$work/empty "$RECKON" rump --plot="$work/none.svg" > "$work/out" 2> "$work/err"
[ $? -eq 125 ] && [ ! -s "$work/out" ] && grep -q 'gnuplot-nox' "$work/err" || fail "without gnuplot: $(cat "$work/err")"
# A gnuplot that fails half-way.
printf '#!/bin/sh\necho half\nexit 1\n' > "$work/empty/gnuplot" && chmod +x "$work/empty/gnuplot"
PATH=$work/empty "$RECKON" rump --plot="$work/none.svg" > "$work/out" 2> "$work/err"
[ $? -eq 125 ] && [ ! -s "$work/out" ] && grep -q 'failed with status 1' "$work/err" || fail "failing gnuplot: $(cat "$work/err")"
[ "$(ls "$work")" = "$(printf 'empty\nerr\nout')" ] || fail "files are left: $(ls "$work")"

command -v gnuplot > /dev/null || { echo "rump-plot: gnuplot is not installed, pictures are not checked"; exit $status; }
for kind in svg png pdf; do
    "$RECKON" rump --quiet --plot="$work/a name.$kind" > "$work/out" 2> "$work/err" || fail "$kind: status $?: $(cat "$work/err")"
    [ "$(cat "$work/out")" = -0.8273960599468213681411650954798162919990 ] || fail "$kind: standard output"
done
grep -q '</svg>' "$work/a name.svg" || fail "svg is not complete"
for word in right plausible huge binary64 precision; do
    grep -q ">.*$word" "$work/a name.svg" || fail "svg lacks $word"
done
head -c 4 "$work/a name.png" | grep -q PNG || fail "png is none"
head -c 5 "$work/a name.pdf" | grep -q '%PDF-' || fail "pdf is none"
# Results without any error are drawn, too.
"$RECKON" rump --plot="$work/exact.svg" -q -e '1/4+x' x=0.5 > /dev/null || fail "a plot of exact results"
[ "$(grep -o '<use ' "$work/exact.svg" | wc -l)" -gt 250 ] && grep -q '>exact<' "$work/exact.svg" || fail "exact results are not drawn"
# Hostile text in the title.
"$RECKON" rump --plot="$work/t.svg" --expression='x = 1/3; x  -  2/7' --quiet > /dev/null || fail "an expression in the title"
exit $status
