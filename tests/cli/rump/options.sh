#!/bin/sh
# What each option of reckon rump does, through JSON, CSV and plain text.
# shellcheck disable=SC2016  # the expressions are Perl's
# shellcheck disable=SC2015
set -u
: "${RECKON:?}"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
status=0
fail() { echo "rump-options: $*"; status=1; }

# json PERL-EXPRESSION ARGUMENT...: the expression must be true of the object $j.
json() {
    expression=$1
    shift
    "$RECKON" rump --format=json "$@" > "$work/out" 2> "$work/err" || fail "$*: status $?"
    perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>); my %f = map { $_->{name} => $_ } @{ $j->{formats} || [] };
        exit !('"$expression"')' < "$work/out" || fail "$*: not true: $expression"
    [ -s "$work/err" ] && fail "$*: $(cat "$work/err")"
}

# is WANTED ARGUMENT...: plain text
is() {
    wanted=$1
    shift
    found=$("$RECKON" rump --quiet "$@") || fail "$*: status $?"
    [ "$found" = "$wanted" ] || fail "$*: '$found', not '$wanted'"
}

json '$j->{version} == 1 && $j->{a} eq "77617" && $j->{b} eq "33096" && $j->{exact} eq "-54767/66192"'
json '$j->{certified}{digits} == 40 && $j->{certified}{value} eq "-0.8273960599468213681411650954798162919990"'
json '$j->{certified}{precision} == 136 
      && $j->{certified}{lower} =~ /^-0\.827396059946821368141165095479816291999/
      && $j->{certified}{upper} =~ /^-0\.827396059946821368141165095479816291999/
      && $j->{certified}{lower} gt $j->{certified}{upper}'
json '$j->{exact_from_precision} == 122 && $j->{cancels}{name} eq "(t1+t2)+t3" && $j->{cancels}{bits_cancelled} == 121'
json '@{$j->{formats}} == 7 && $f{binary64}{hex} eq "0x1.2c2fc595b06bfp+0" && $f{binary64}{value} eq "1.1726039400531787"'
json '$f{binary16}{verdict} eq "overflow" && $f{binary16}{cause} eq "a overflows" && !defined $f{binary16}{ulps}'
json 'join(" ", @{$j->{agree_but_wrong}}) eq "binary64 x87 extended binary128 p=121"'
json '!@{$j->{agree_but_wrong}}' 2 3
json '$f{binary32}{verdict} eq "wrong" && $f{binary128}{verdict} eq "wrong sign" && $f{binary128}{correct_digits} == 0'
json '$f{"p=122"}{verdict} eq "right" && $f{"p=122"}{ulps} < 1 && $f{"p=122"}{correct_digits} >= 36'

json '@{$j->{formats}} == 1 && $f{"p=113"}{precision} == 113 && $f{"p=113"}{rounding} eq "down"
      && $f{"p=113"}{order} eq "article" && $f{"p=113"}{value} =~ /^-1022\.827/' --precision=113 --rounding=down
json '$f{"p=69"}{verdict} eq "right"' --precision=69 --order=horner
json '$f{"p=68"}{verdict} ne "right"' --precision=68 --order=horner
json '$f{"p=107"}{verdict} eq "right" && $j->{exact_from_precision} == 107' -p 107 --order=sum
json '!defined $j->{exact_from_precision}' --order=right
json '$f{binary64}{order} eq "fma" && $f{binary64}{hex} eq "-0x1p+67"' --order=fma
json '$f{binary64}{hex} eq "-0x1p+70"' --order=original
json '$f{binary32}{hex} eq "0x1.2c2fc6p+0"' --order=b44
json '$f{binary32}{rounding} eq "away"' --rounding=away
json '$f{binary64}{hex} eq "0x1.5555555555556p-2"' --rounding=up --expression=1/3
json '$f{binary64}{hex} eq "0x1.5555555555555p-2"' --rounding=zero --expression=1/3

json '@{$j->{formats}} == 31 && !grep({ $_->{class} ne ($_->{precision} < 122 ? "plausible" : "right") } @{$j->{formats}})
      && $j->{right_from_precision} == 122' --sweep=100:130
json '$j->{formats}[0]{class} eq "zero" && $j->{formats}[0]{value} eq "0"' --order=right --sweep=64:64
json 'grep({ $_->{name} eq "t1+t2" && $_->{bits_needed} == 122 } @{$j->{trace}}) == 1' --trace
json '$j->{a} eq "12048797377" && $j->{b} eq "5137624464" && $j->{exact} eq "-8501700479/10275248928"
      && $j->{exact_from_precision} == 260' --pell=4

json '$j->{exact} eq "1" && $j->{variables}{x} eq "10864" && $f{binary64}{value} eq "2"' \
    --expression='9*x^4-y^4+2*y^2' x=10864 y=18817
is 1 --exact --expression='9*x^4-y^4+2*y^2' x=10864 y=18817
is 0.50000000000000000000 --digits=20 --expression='1/2'
is 0 --expression='1/3+1/3+1/3-1'
is -0.827396060 --digits=9
is -1022.8273960599468213681411650954798 -p 113 -r down
is -3.172603940053178631858834904520183708001 -- -77617 33096
is -3.172603940053178631858834904520183708001 77617 -33096
is -3.172603940053178631858834904520183708001 -77617 33096
is 1/10 --exact --expression=x x=0.1
is 3602879701896397/36028797018963968 --exact --read=binary64 --expression=x x=0.1
is -2.04004569668581271121e+21 --digits=21 77617.00000000001 33096 --format=csv
is 22.5 --expression='t = x*x; t+x/2' -d 3 x=0x1.2p2

# A claim is proved or not made; a binding sees the old meaning of its name; powers are rounded once.
json '!defined $j->{exact_from_precision} && $j->{bits_lost} > 100' -e '1/x*x-1+y' x=49 y=0x1p-100
json '$j->{proved}{precision} == 122 && $j->{proved}{ulps_below} == 1'
json '$j->{proved}{ulps_below} > 1 && !defined $j->{exact_from_precision}' -e '1/3+1/7'
json '$j->{cancels}{cancels_all} && !defined $j->{cancels}{bits_cancelled}' -e 'x-x+y' x=3 y=5
is 2.00 -d 3 -e 'x=x+1; x' x=1
is 16.0 -d 3 -e 'x=x+1; x=x*x; x' x=3
json '!grep { $_->{verdict} ne "right" } @{$j->{formats}}' -e 'x^13' x=1.75

# What a format cannot hold.
json '$f{binary16}{verdict} eq "underflow" && $f{binary16}{value} eq "0" && $f{binary64}{verdict} eq "right"' -e 'x*x' x=1e-6
json '$f{binary16}{verdict} eq "by zero" && $f{binary16}{cause} eq "y/(x*x) divides by zero" && $f{binary64}{verdict} eq "right"' \
    -e 'y/(x*x)' x=1e-6 y=1
json '$f{binary16}{verdict} eq "invalid" && $f{binary16}{cause} eq "sqrt(d) is invalid"' \
    -e 'd = x-1/3-1/3-1/3+1e-30; sqrt(d)' x=1 -r up
json '$f{binary32}{verdict} eq "overflow" && $f{binary32}{cause} eq "exp(x) overflows"' -e 'exp(x)' x=100

# No variables, no inputs; long expressions; minus signs of typesetters; large counts.
"$RECKON" rump -e '1/3' > "$work/out" || fail "-e 1/3"
grep -q '77617' "$work/out" && fail "an expression without variables is shown at Rump's point"
grep -qx 'rounding: nearest' "$work/out" || fail "heading: $(head -3 "$work/out")"
json '!%{$j->{variables}} && !defined $j->{a}' -e '1/3'
seq 20000 | tr '\n' '+' | sed 's/+$//' > "$work/sum"
is 200010000 --exact -e "@$work/sum"
is 200010000 --exact -e @- < "$work/sum"
is 1.25 --digits=3 -e 'x−y**−2' x=1.5 y=−2
[ "$("$RECKON" rump -q --digits=1e5 | wc -c)" = 100004 ] || fail "--digits=1e5"

"$RECKON" rump --format=csv > "$work/out" || fail "csv: status $?"
[ "$(head -n 1 "$work/out")" = name,precision,rounding,order,value,hex,correct_digits,ulps,verdict,class ] || fail "csv header"
grep -q '^binary64,53,nearest,article,1.1726039400531787,0x1.2c2fc595b06bfp+0,0,.*,wrong sign,plausible$' "$work/out" ||
    fail "csv row: $(grep binary64 "$work/out")"
[ "$("$RECKON" rump --sweep=5:300 --format=csv | wc -l)" = 297 ] || fail "csv of a sweep"
"$RECKON" rump --trace --format=csv | grep -q '^t1+t2,-7.91711e+36,123,-,122,' || fail "csv of a trace"

# A decimal comma in the locale changes nothing.
if localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" 2> "$work/err"; then
    for arguments in '' '--format=json' '--format=csv' '--trace' '--sweep=50:60' '333.75 0.1'; do
        # shellcheck disable=SC2086
        "$RECKON" rump $arguments > "$work/point"
        # shellcheck disable=SC2086
        LOCPATH=$work LC_ALL=de_DE.UTF-8 "$RECKON" rump $arguments > "$work/comma"
        cmp "$work/point" "$work/comma" || fail "$arguments: differs with a decimal comma"
    done
else
    fail "localedef (Debian package locales): $(cat "$work/err")"
fi

# -o: the file appears whole or not at all.
"$RECKON" rump -o "$work/file" --quiet && [ "$(cat "$work/file")" = -0.8273960599468213681411650954798162919990 ] || fail "-o"
"$RECKON" rump -o "$work/absent" 1 0 2> /dev/null && fail "-o with bad input succeeds"
[ -e "$work/absent" ] && fail "-o with bad input leaves a file"
"$RECKON" rump -o "$work/no/such" > "$work/out" 2> "$work/err"
[ $? -eq 125 ] && [ ! -s "$work/out" ] && grep -q '^reckon: output: .*No such file' "$work/err" || fail "-o into nowhere: $(cat "$work/err")"
"$RECKON" rump > /dev/full 2> "$work/err"
[ $? -eq 125 ] && grep -q 'No space left' "$work/err" || fail "a full device is not noticed"
exit $status
