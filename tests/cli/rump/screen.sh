#!/bin/sh
# The default screen of reckon rump, to the letter; other inputs fit 80 columns too.
set -u
: "${RECKON:?}" "${TOP:?}"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
status=0
fail() { echo "rump-screen: $*"; status=1; }

sed 's/ *$//' > "$work/wanted" <<'END'
a2 = a*a; b2 = b*b; b4 = b2*b2; b6 = b4*b2; b8 = b6*b2; t1 = (333.75-a2)*b6;
t2 = a2*(11*a2*b2-121*b4-2); t3 = 5.5*b8; t4 = a/(2*b); t1+t2+t3+t4
at a = 77617, b = 33096; order "article", rounding: nearest

format       value, decimal and hexadecimal          digits ulps off verdict
------------ --------------------------------------- ------ -------- ----------
binary16     nan (a overflows)                            0        - overflow
binary32     -1.2676506e+30                               0  2.1e+37 wrong
             -0x1p+100
binary64     1.1726039400531787                           0  1.8e+16 wrong sign
             0x1.2c2fc595b06bfp+0
x87 extended 1.1726039400531786318                        0  3.7e+19 wrong sign
             0x1.2c2fc595b06beb74p+0
binary128    1.1726039400531786318588349045201838         0  2.1e+34 wrong sign
             0x1.2c2fc595b06beb74a518f018c093p+0
p=121        1.172603940053178631858834904520183708       0  5.3e+36 wrong sign
             0x1.2c2fc595b06beb74a518f018c09289p+0
p=122        -0.827396059946821368141165095479816292     37     0.03 right
             -0x1.a7a074d49f282916b5ce1fce7edaefp-1

Warning    binary64, x87 extended, binary128 and p=121 agree and are wrong:
           agreement between precisions proves nothing
Certified  -0.8273960599468213681411650954798162919990
  between  -0.8273960599468213681411650954798162919990373724
      and  -0.8273960599468213681411650954798162919990144134
           40 digits, proved by an enclosure computed in 136 bits
Exactly    -54767/66192
Why        (t1+t2)+t3 cancels 121 bits; t1+t2 needs 122 bits to be exact
Condition  3.8e+37 of the whole; (t1+t2)+t3 alone: 7.9e+36
Precision  p >= 122: right, less than 1 ulp off: all that can be exact is
END
"$RECKON" rump > "$work/out" 2> "$work/err" || fail "status $?"
sed 's/ *$//' "$work/out" | diff "$work/wanted" - || fail "the default screen differs"
[ -s "$work/err" ] && fail "standard error: $(cat "$work/err")"

# Columns, not bytes: all of it is ASCII.
for arguments in '' '--order=horner' '--order=right' '--order=original' '0.1 0.3' '1e-300 1e300' '1/3 1/7' '--pell=50' \
    '--trace' '--trace --order=horner' '--sweep=1:300' '--article' '--help' '--expression=1/3+1/3-2/3' '--expression=exp(sin(1/3))-1' '--trace --expression=exp(sin(1/3))-1' \
    '--expression=sqrt(1e30+1)-sqrt(1e30)' \
    '123456789012345678901234567890.123456789 -98765432109876543210987654321/7'; do
    # shellcheck disable=SC2086
    "$RECKON" rump $arguments > "$work/out" || fail "$arguments: status $?"
    awk -v arguments="$arguments" 'length > 80 { print arguments ": " length " columns: " $0; bad = 1 } END { exit bad }' \
        "$work/out" || status=1
done
# On other screens values have the columns that the others leave, and text has its lines; CSV is what it is.
COLUMNS=70 "$RECKON" rump >"$work/out" || fail "70 columns"
grep -q '^p=121  .*[0-9]\.\. ' "$work/out" || fail "no value was cut for 70 columns"
awk '{ sub(/ +$/, "") } length > 70 { print "70 columns: " $0; bad = 1 } END { exit bad }' "$work/out" || status=1
COLUMNS=120 "$RECKON" rump --prec=300 >"$work/out" || fail "120 columns"
awk '/^p=300/ && length($2) == 80 { found = 1 } END { exit !found }' "$work/out" || fail "a wide screen shows no more digits"
"$RECKON" rump --trace -f csv >"$work/wanted"
COLUMNS=60 "$RECKON" rump --trace -f csv | diff "$work/wanted" - || fail "CSV differs by COLUMNS"
grep -qF 't2 = a2*(((11*a2)*b2-121*b4)-2),' "$work/wanted" || fail "CSV has no whole operation"
"$RECKON" rump --pell=50 | grep -q '^x87 .* >1e308 wrong' || fail "an error too large for a double"
"$RECKON" rump --help | tail -n 3 | grep -c 'reckon rump' | grep -qx 3 || fail "--help does not end with three examples"
exit $status
