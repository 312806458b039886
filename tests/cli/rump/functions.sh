#!/bin/sh
# Expressions with functions, certified: digits against PARI/gp and mpmath, formulas whose plain forms lose digits, what
# is undefined, and what is said of it.
# shellcheck disable=SC2015,SC2016
set -u
: "${RECKON:?}"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
status=0
fail() { echo "rump-functions: $*"; status=1; }

# Lines "digits|expression|variables|the same for gp|the same for mpmath"; a ^ that all three read stays.
cat > "$work/cases" <<'END'
60|sqrt(x)|x=2|sqrt(2)|sqrt(2)
60|cbrt(x)|x=-7|-7^(1/3)|-mpf(7)**(mpf(1)/3)
60|exp(x)|x=1/3|exp(1/3)|exp(mpf(1)/3)
60|expm1(x)|x=1e-20|exp(10^-20)-1|expm1(mpf('1e-20'))
60|log(x)|x=10|log(10)|log(10)
60|log1p(x)|x=1e-30|log(1+10^-30)|log1p(mpf('1e-30'))
60|log2(x)|x=3|log(3)/log(2)|log(3)/log(2)
60|log10(x)|x=2|log(2)/log(10)|log10(2)
60|sin(x)|x=1e22|sin(10^22)|sin(mpf('1e22'))
60|cos(x)|x=355/226|cos(355/226)|cos(mpf(355)/226)
60|tan(x)|x=1.5|tan(3/2)|tan(mpf('1.5'))
60|asin(x)|x=0.5|asin(1/2)|asin(mpf('0.5'))
60|acos(x)|x=-0.9|acos(-9/10)|acos(mpf('-0.9'))
60|atan(x)|x=1e10|atan(10^10)|atan(mpf('1e10'))
60|atan2(y, x)|x=-1 y=-3|arg(-1-3*I)|atan2(-3,-1)
60|sinh(x)|x=7/3|sinh(7/3)|sinh(mpf(7)/3)
60|cosh(x)|x=-7/3|cosh(7/3)|cosh(mpf(7)/3)
60|tanh(x)|x=0.001|tanh(1/1000)|tanh(mpf('0.001'))
60|hypot(x, y)|x=2/3 y=5/7|sqrt(4/9+25/49)|hypot(mpf(2)/3,mpf(5)/7)
60|x^y|x=2/3 y=5/7|(2/3)^(5/7)|(mpf(2)/3)**(mpf(5)/7)
60|x**-y|x=pi y=2||
60|pi^e - e**pi||Pi^exp(1)-exp(1)^Pi|pi**e-e**pi
60|min(sin(x), cos(x))/max(x, 1/3)|x=0.25|sin(1/4)/(1/3)|sin(mpf('0.25'))*3
60|abs(log(x))|x=0.3|-log(3/10)|-log(mpf('0.3'))
40|sin(x)|x=3.141592653589793238462643383279|sin(3141592653589793238462643383279/10^30)|sin(mpf('3.141592653589793238462643383279'))
40|sin(x*pi)|x=1000000000000000000000.0000000001|sin(Pi/10^10)|sin(pi/10**10)
40|(exp(x)-1)/x|x=1e-15|(exp(10^-15)-1)/10^-15|expm1(mpf('1e-15'))/mpf('1e-15')
40|log(1+x)/x|x=-1e-18|log(1-10^-18)/(-10^-18)|log1p(mpf('-1e-18'))/mpf('-1e-18')
40|sqrt(x+1)-sqrt(x)|x=1e30|sqrt(10^30+1)-sqrt(10^30)|1/(sqrt(mpf(10)**30+1)+sqrt(mpf(10)**30))
40|(1-cos(x))/x^2|x=1e-12|(1-cos(10^-12))/10^-24|2*sin(mpf('5e-13'))**2/mpf('1e-24')
40|(-b+sqrt(b^2-4*a*c))/(2*a)|a=1 b=1e20 c=1|(-10^20+sqrt(10^40-4))/2|-2/(10**20+sqrt(mpf(10)**40-4))
40|(-b-sqrt(b*b-a*c))/a|a=94906265.625 b=-94906267 c=94906268.375|(94906267-sqrt(94906267^2-94906265625/1000*94906268375/1000))/(94906265625/1000)|(94906267-sqrt(mpf(94906267)**2-mpf('94906265.625')*mpf('94906268.375')))/mpf('94906265.625')
40|exp(pi*sqrt(163))-262537412640768744||exp(Pi*sqrt(163))-262537412640768744|exp(pi*sqrt(163))-262537412640768744
40|log(2)*sqrt(5)^(1/3)-tanh(cos(1))/atan(7)||log(2)*sqrt(5)^(1/3)-tanh(cos(1))/atan(7)|log(2)*sqrt(5)**(mpf(1)/3)-tanh(cos(1))/atan(7)
END
sed -i '/^60|x\*\*-y/d' "$work/cases"

# The Gaussian integral from 0 to 3 by its series, sum of (-1)^n x^(2n+1)/(n! (2n+1)): terms up to 400, sum below 1; and a
# telescope of square roots, sum of 1/(sqrt(k)+sqrt(k+1)) = sqrt(101)-1.
series=$(awk 'BEGIN { f = 1; for (n = 0; n <= 80; n++) { if (n) f = f "*" n; printf "%sx^%d/(%s*%d)", (n % 2 ? "-" : n ? "+" : ""), 2*n+1, f, 2*n+1 } }')
telescope=$(awk 'BEGIN { for (k = 1; k <= 100; k++) printf "%s1/(sqrt(%d)+sqrt(%d))", (k > 1 ? "+" : ""), k, k + 1 }')
echo "$series" > "$work/series"
echo "$telescope" > "$work/telescope"
cat >> "$work/cases" <<END
25|@$work/series|x=3|sqrt(Pi)/2*(1-erfc(3))|sqrt(pi)/2*erf(3)
50|@$work/telescope||sqrt(101)-1|sqrt(101)-1
50|sum($(echo "$telescope" | tr + ','))||sqrt(101)-1|sqrt(101)-1
END
sed -i 's/sqrt(\([0-9]*\)),sqrt(/sqrt(\1)+sqrt(/g' "$work/cases"

# Values of both other systems, rounded to the digits that are asked for.
python3 - "$work/cases" > "$work/mpmath" <<'END' || fail "mpmath"
import sys
from mpmath import *
mp.dps = 300
for line in open(sys.argv[1]):
    digits, _, _, _, value = line.rstrip("\n").split("|")
    print(nstr(mpf(eval(value)), int(digits), strip_zeros=False, min_fixed=-inf, max_fixed=-inf))
END
{ echo 'default(realprecision, 300); default(format, "e.90")'; cut -d'|' -f4 "$work/cases" | sed 's/.*/print(1.*(&))/'; } |
    gp -qf > "$work/gp" || fail "gp"

while IFS='|' read -r digits expression variables _ _; do
    # shellcheck disable=SC2086  # a list of words
    "$RECKON" rump -q -d "$digits" -e "$expression" $variables || echo nothing
done < "$work/cases" > "$work/mine"
# All digits of gp's, rounded here to as many as are asked for.
sed -i 's/ E/e/' "$work/gp"
cut -d'|' -f1,2 "$work/cases" | paste - "$work/mine" "$work/mpmath" "$work/gp" | python3 -c '
import sys
from decimal import *
lines = sys.stdin.read().splitlines()
for line in lines:
    what, mine, *others = line.split("\t")
    setcontext(Context(prec=int(what.split("|")[0])))
    if any(+Decimal(other) != +Decimal(mine) for other in others):
        sys.exit("%s: %s, and others have %s" % (what, mine, others))
sys.exit(len(lines) < 35)' || fail "digits"

# json PERL-EXPRESSION ARGUMENT...: the expression must be true of the object $j.
json() {
    expression=$1
    shift
    "$RECKON" rump --format=json "$@" > "$work/out" 2> "$work/err" || fail "$*: status $?: $(cat "$work/err")"
    perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>); my %f = map { $_->{name} => $_ } @{ $j->{formats} || [] };
        exit !('"$expression"')' < "$work/out" || fail "$*: not true: $expression"
}

# Exact where the value is rational by construction.
json '$j->{exact} eq "8/27" && !defined $j->{exact_from_precision}' -e '(4/9)^1.5'
json '$j->{exact} eq "8" && $j->{exact_from_precision} == 2' -e '4^1.5'
json '$j->{exact} eq "5" && $j->{certified}{value} =~ /^5\.0+$/' -e 'hypot(3, x)' x=4
json '$j->{exact} eq "16" && !%{$j->{variables}}' -e '2^(1+3)'
json '!defined $j->{exact}' -e 'sqrt(2)'
json '$j->{certified}{value} =~ /^1\.414213562373095048801688724209698078570/' -e 'sqrt(2)'

# Why: the operation that loses, its condition number, and what to write instead.
json '$j->{worst}{name} eq "exp(x)-1" && $j->{worst}{condition} > 1.9e15 && $j->{advice} =~ /expm1\(x\)/' -e '(exp(x)-1)/x' x=1e-15
json '$j->{worst}{name} eq "log(1+x)" && $j->{advice} =~ /log1p\(x\)/' -e 'log(1+x)/x' x=1e-15
json '$j->{advice} =~ /sqrt\(u\)\+sqrt\(v\)/ && $j->{advice} =~ /u = x\+1/' -e 'sqrt(x+1)-sqrt(x)' x=1e15
json '$j->{advice} =~ /quadratic/' -e 'd = b^2-4*a*c; (-b+sqrt(d))/(2*a)' a=1 b=1e10 c=1
json '!defined $j->{advice}' -e '(-b-sqrt(b^2-4*a*c))/(2*a)' a=1 b=1e10 c=1
json '$j->{advice} =~ /2\*sin\(u\/2\)\^2/' -e '1-cos(x)' x=1e-8
# advised FORM EXPRESSION ARGUMENT...: this form is advised, and it is the same number.
advised() {
    form=$1 expression=$2
    shift 2
    "$RECKON" rump --format=json -e "$expression" "$@" > "$work/out" || fail "$expression: status $?"
    perl -MJSON::PP -e 'local $/; my $advice = decode_json(<STDIN>)->{advice} // "nothing";
        my $form = (split /; /, $ARGV[0])[-1]; exit !(index($advice, $form) >= 0)' -- "$form" < "$work/out" ||
        fail "$expression: '$form' is not advised: $(grep advice "$work/out")"
    [ "$("$RECKON" rump -q -e "$form" "$@")" = "$("$RECKON" rump -q -e "$expression" "$@")" ] || fail "$form is not $expression"
    perl -MJSON::PP -e 'local $/; exit !(abs(decode_json(<STDIN>)->{worst}{condition}) > 1000)' < "$work/out" ||
        fail "$expression loses nothing"
}
advised 'u = x+1; v = x; (u-v)/(sqrt(u)+sqrt(v))' 'sqrt(x+1)-sqrt(x)' x=1e15
advised 'expm1(x)' 'exp(x)-1' x=1e-9
advised '-expm1(x)' '1-exp(x)' x=1e-9
advised 'u = x; 2*sin(u/2)^2' '1-cos(x)' x=1e-8
advised 'u = x; -2*sin(u/2)^2' 'cos(x)-1' x=1e-8
advised 'log1p(x)' 'log(1+x)' x=1e-9
advised 'log1p(x)' 'log(x+1)' x=1e-9
advised 'log1p(-(x))' 'log(1-x)' x=1e-9
advised 'u = x; v = y; log1p((u-v)/v)' 'log(x/y)' x=7 y=7.000001
advised 'u = x; v = y; log1p((u-v)/v)' 'log(x)-log(y)' x=7 y=7.000001
advised 'u = x; v = y; exp(v)*expm1(u-v)' 'exp(x)-exp(y)' x=1 y=1.00000001
advised 'u = x; v = y; 2*cos((u+v)/2)*sin((u-v)/2)' 'sin(x)-sin(y)' x=1 y=1.00000001
advised 'u = x; v = y; -2*sin((u+v)/2)*sin((u-v)/2)' 'cos(x)-cos(y)' x=1 y=1.00000001
advised 'u = x; v = y; (u-v)*(u+v)' 'x*x-y^2' x=1.0000001 y=1
advised 'u = x; v = 1/x+x*x; (u^2-v)/(u+sqrt(v))' 'x-sqrt(1/x+x*x)' x=1000003
advised 'u = -x; v = y+x*x; (u^2-v)/(u-sqrt(v))' '-x+sqrt(y+x*x)' x=1000003 y=0.5
advised 'p = x; q = y; r = z; s = z; w = r*s; fma(p, q, -w)+fma(-r, s, w)' 'x*y-z*z' x=1.000001 y=0.999999 z=1
advised 'b = -x; c = 1; q = -(b-sqrt(b^2-4*c))/2; c/q' '(x-sqrt(x^2-4))/2' x=1e10
json '!defined $j->{advice} && $j->{condition} < 2' -e 'expm1(x)/x' x=1e-15
json 'abs($j->{condition} / 3.8e37 - 1) < 0.02 && abs($j->{worst}{condition} / 7.92e36 - 1) < 0.01 && $j->{worst}{name} eq "(t1+t2)+t3"'
"$RECKON" rump --trace -e '(exp(x)-1)/x' x=1e-15 > "$work/out"
grep -Eq '^exp\(x\)-1 .* 2\.0e\+15 <--' "$work/out" && [ "$(grep -c '<--$\|<-- *$' "$work/out")" = 1 ] || fail "trace: $(cat "$work/out")"

# Powers and functions are rounded once, in native formats too.
for mode in nearest zero up down; do
    json 'grep({ $_->{verdict} ne "right" || $_->{ulps} > ("'$mode'" eq "nearest" ? 0.5 : 1) } @{$j->{formats}}) == 0' \
        -r $mode -e 'x^7' x=3
done

# What is exact stays so beside what is not: no enclosure of it is asked.
is() { # VALUE ARGUMENT...
    value=$1
    shift
    [ "$("$RECKON" rump -q "$@" 2>&1)" = "$value" ] || fail "$*: $("$RECKON" rump -q "$@" 2>&1), not $value"
}
is 3.1415926536 -d 11 -e 'sqrt(x-x)+pi' x=1/3
is 3.1415926536 -d 11 -e 'log(x*3)+pi' x=1/3
is 0.73588411460301896128 -d 20 -e 'cos(pi^123456.789)'
is 22.50 -d 4 -e 'x×y÷2·3' x=3 y=5

# What is undefined, or may be, or is no number.
refused() {
    message=$1
    shift
    timeout 60 "$RECKON" rump "$@" > "$work/out" 2> "$work/err"
    code=$?
    [ $code -eq 2 ] && [ ! -s "$work/out" ] && grep -qF -e "$message" "$work/err" || fail "$*: status $code, $(cat "$work/err")"
}
refused 'x is negative: sqrt(x) is undefined' -e 'sqrt(x)' x=-2
refused 'x is zero: log(x) is undefined' -e 'log(x)' x=0
refused 'x is not within -1 and 1: asin(x) is undefined' -e 'asin(x)' x=1.0000000000000000000001
refused "x-pi is negative: sqrt(x-pi) is undefined" -e "1+sqrt(x-pi)" x=3
refused 'x is negative: x^y is undefined' -e 'x^y' x=-8 y=1/3
refused 'sin(pi) may be where sqrt(sin(pi)) is undefined' -e 'sqrt(sin(pi))'
refused 'pi/2 may be where tan(pi/2) is undefined (no enclosure of it tells): perhaps it is an odd multiple' -e 'tan(pi/2)'
refused 'tan(x) is perhaps undefined somewhere in the box' -e 'tan(x)' x=1..2
refused 'underflow: a value is outside the range' -e 'exp(-exp(50))'
refused 'overflow: a value is outside the range' -e 'exp(exp(50))'
refused "column 2: unexpected '‖'" -e 'x‖y' x=1 y=2
refused "column 6: unexpected end" -e '−x×(y' x=1 y=2
refused 'no function ln; there are sqrt, cbrt' -e 'ln(2)'
refused "column 3: unexpected '?'" -e "$(printf 'x+\302')"
refused 'sign not proved' -e 'sqrt(2)^2-2'
refused 'the value is no fraction that is known' --exact -e 'sqrt(2)'
exit $status
