#!/bin/sh
# Certified digits against known hashes, bc and PARI.
set -u
: "${RECKON:?}"
status=0
fail() { echo "rump-digits: $*"; status=1; }

# hash DIGITS SHA256
hash() {
    found=$("$RECKON" rump --digits="$1" --quiet | tr -d '\n' | sha256sum | cut -d' ' -f1)
    [ "$found" = "$2" ] || fail "$1 digits: $found"
}
hash 1000 faf1390ce802691ed4e7672ba4e9dd199122fd73c08a8f2cdae7dec648bc2198
hash 100000 9a7692f801f81efcf6d05fb23318a452bf02d8d80e94769a928e5436cc8ee49e
hash 1000000 d3f5542e7c44e066fdc2adae1a8eebbbca00db8940675d3fda42d9e34b1f0f3e

[ "$("$RECKON" rump --digits=40 --quiet)" = -0.8273960599468213681411650954798162919990 ] || fail '40 digits'
[ "$("$RECKON" rump --exact)" = "$("$RECKON" rump --exact --quiet)" ] && fail '--exact without --quiet is no table'
[ "$("$RECKON" rump --exact --quiet)" = -54767/66192 ] || fail 'the fraction'

formula='(333.75-a^2)*b^6 + a^2*(11*a^2*b^2-121*b^4-2) + 5.5*b^8 + a/(2*b)'
exact='(33375/100-a^2)*b^6 + a^2*(11*a^2*b^2-121*b^4-2) + 55/10*b^8 + a/(2*b)'
for pair in '77617 33096' '-77617 33096' '12.5 0.25' '0.1 0.3' '77618 33096' '123456789.987654321 3.14159' '1000001 999999'; do
    a=${pair% *} b=${pair#* }
    # bc truncates: compare what it can know.
    if command -v bc > /dev/null; then
        mine=$("$RECKON" rump --digits=60 --quiet -- "$a" "$b")
        both=$(echo "scale=120; a=$a; b=$b; f=$formula; m=$mine; d=f-m; if (d<0) d=-d; if (f<0) f=-f; d*10^59<f" |
               BC_LINE_LENGTH=0 bc | tail -n 1)
        [ "$both" = 1 ] || fail "bc differs at $a, $b: $mine"
    fi
    if command -v gp > /dev/null; then
        fraction=$("$RECKON" rump --exact --quiet -- "$a" "$b")
        numerator() { case $1 in *.*) digits=${1#*.}; echo "(${1%.*}${digits})/10^${#digits}" ;; *) echo "$1" ;; esac }
        same=$(echo "a=$(numerator "$a"); b=$(numerator "$b"); print(($exact) == ($fraction))" | gp -qf)
        [ "$same" = 1 ] || fail "PARI differs at $a, $b: $fraction"
    fi
done

# Where the polynomial part is -2, the value is a/(2b) - 2.
if command -v gp > /dev/null; then
    fraction=$("$RECKON" rump --pell=50 --exact --quiet)
    ab=$("$RECKON" rump --pell=50 --format=json | sed -n 's/^ "\([ab]\)": "\([0-9]*\)",$/\1=\2;/p' | tr -d '\n')
    [ "$(echo "$ab print(a^2-22*(b/2)^2 == 1 && a/(2*b)-2 == $fraction)" | gp -qf)" = 1 ] || fail "--pell=50: $fraction"
fi
exit $status
