#!/bin/sh
# Ranges of inputs: the enclosure holds every value over the box and hardly more; ends that are known; a sampled oracle.
# shellcheck disable=SC2015,SC2016
set -u
: "${RECKON:?}"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
status=0
fail() { echo "rump-box: $*"; status=1; }

# range LOWER UPPER ARGUMENT...: the ends, to 1e-9 of the range's width outwards and not at all inwards.
range() {
    lower=$1 upper=$2
    shift 2
    "$RECKON" rump --format=json "$@" > "$work/json" 2> "$work/err" || { fail "$*: status $?: $(cat "$work/err")"; return; }
    python3 -IS - "$lower" "$upper" "$work/json" <<'END' || fail "$*: $(tr -d '\n' < "$work/json"), not $lower to $upper"
import json, sys
from fractions import Fraction as F
low, high = F(sys.argv[1]), F(sys.argv[2])
r = {k: F(v) for k, v in json.load(open(sys.argv[3]))["range"].items()}
slack = (high - low) / 10**9
good = low - slack <= r["lower"] <= low and high <= r["upper"] <= high + slack
good = good and low <= r["reached_lower"] <= low + slack and high - slack <= r["reached_upper"] <= high
sys.exit(not good)
END
}
range -0.75 -0.4375 -e 'x^2-2*x' x=1.5..1.75
range -1 0 -e 'x*x-2*x' x=0..2
range 0 1/2 -e 'x/(1+x)' x=0..1
range -4 5.25 -e 'x*y-x^2+y' x=-1..2 y=0..3
range 0 0 -e 'x-x' x=0..1
range 2 2 -e '2+0*x' x=-1..7
range 0 1 -e 'abs(x)' x=-1..1
range 1 16 -e 'x^4' x=-2..-1
range 2 4 -e 'x' x=2..4
range 1/4 4 -e '2^x' x=-2..2

# Values at a grid of points lie within, and what is said to be reached is hardly beyond them.
sampled() {
    "$RECKON" rump --format=json -e "$1" "$3" > "$work/json" || { fail "$1: status $?"; return; }
    python3 -IS - "$2" "$3" "$work/json" <<'END' || fail "$1 over $3: $(tr -d '\n' < "$work/json")"
import json, sys
from math import *
r = {k: float(v) for k, v in json.load(open(sys.argv[3]))["range"].items()}
low, high = map(float, sys.argv[2].split("=")[1].split(".."))
values = [eval(sys.argv[1], globals(), {"x": low + (high - low) * k / 20000}) for k in range(20001)]
width = max(values) - min(values)
good = r["lower"] <= min(values) + 1e-12 * width and r["upper"] >= max(values) - 1e-12 * width
good = good and r["lower"] >= min(values) - 1e-4 * width and r["upper"] <= max(values) + 1e-4 * width
sys.exit(not good)
END
}
sampled 'sin(x)*exp(-x)' 'sin(x)*exp(-x)' x=0..10
sampled 'x*sin(x^2)' 'x*sin(x**2)' x=-3..3
sampled 'atan2(x, 1-x)+sqrt(x+4)' 'atan2(x, 1-x)+sqrt(x+4)' x=-4..4
sampled '(x-1)*(x-2)*(x-3)' '(x-1)*(x-2)*(x-3)' x=0..4
sampled 'max(cos(x), x/3)-min(x, 1)' 'max(cos(x), x/3)-min(x, 1)' x=-1..5

"$RECKON" rump -e 'x^2' x=1..2 > "$work/out"
grep -qx 'over x = 1..2' "$work/out" && grep -q '^Within     0*1.*' "$work/out" && grep -q '^Reaches ' "$work/out" || fail "$(cat "$work/out")"
[ "$("$RECKON" rump -q -d 5 -e '2*x' x=1/3..2/3)" = 0.66666..1.3334 ] || fail "--quiet: $("$RECKON" rump -q -d 5 -e '2*x' x=1/3..2/3)"
"$RECKON" rump -f csv -e 'x' x=1..2 | head -1 | grep -qx lower,upper,reached_lower,reached_upper || fail "CSV"
exit $status
