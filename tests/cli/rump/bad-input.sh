#!/bin/sh
# Bad input: a message, exit status 2, and nothing on standard output.
set -u
: "${RECKON:?}"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
status=0

# refused MESSAGE ARGUMENT...
refused() {
    message=$1
    shift
    timeout 60 "$RECKON" rump "$@" > "$work/out" 2> "$work/err"
    code=$?
    if [ $code -ne 2 ]; then echo "rump-bad-input: $*: status $code"; status=1; fi
    if [ -s "$work/out" ]; then echo "rump-bad-input: $*: standard output: $(head -c 200 "$work/out")"; status=1; fi
    if ! grep -qF -e "$message" "$work/err"; then
        echo "rump-bad-input: $*: '$(cat "$work/err")' instead of '$message'"
        status=1
    fi
}

refused 'b is zero: a/(2*b) is undefined' 77617 0
refused 'b is zero: a/(2*b) is undefined' 77617 -0.0
refused "a: '12abc': not a number" 12abc 1
refused "a: '1e': not a number" 1e 1
refused "b: 'nan': not a number" 1 nan
refused "b: 'inf': not a number" 1 inf
refused "b: '1@5': not a number" 1 1@5
refused "b: '': empty" 1 ''
refused "b: '1/0': the denominator is zero" 1 1/0
refused "b: '333,75': not a number" 1 333,75
refused 'exponent beyond 100000' 1e99999999999999999999 1
refused 'exponent beyond 100000' 1 0x1p99999999999999999999
refused 'more than 100000 digits' "$(head -c 100001 /dev/zero | tr '\0' 7)" 1
refused 'two numbers are needed' 77617
refused 'there are two numbers already' 1 2 3
refused 'a is given twice' a=1 a=2
refused 'b: the variable has no value' a=1
refused 'x: the expression has no such variable' x=1 a=1 b=2
refused 'unrecognized option' --nonsense
refused 'invalid option' -z
refused "requires an argument" --digits
for value in 0 -1 x "" 1.5 99999999999999999999; do
    for option in digits precision pell; do
        refused "--$option: '$value' is not a whole number from 1 to" "--$option=$value"
    done
done
refused "--precision: '9223372036854775807' is not a whole number" --precision=9223372036854775807
refused 'is not a whole number from 1 to' -p -1 77617 33096
refused "--rounding: odd: not one of nearest" --rounding=odd
refused "--order: 'left' is none of these" --order=left
refused "--read: octal: not one of decimal, binary64" --read=octal 1 2
refused "--format: xml: not one of" --format=xml
refused "--sweep: '5' is not P0:P1" --sweep=5
refused "--sweep: '9:5' is not P0:P1" --sweep=9:5
refused "--sweep: '0' is not a whole number" --sweep=0:5
refused 'must end in .svg, .png or .pdf' --plot="$work/plot.gif"
refused 'exclude each other' --precision=5 --sweep=1:5
refused 'exclude each other' --peers --article
refused '--peers takes integers and decimals' --peers 1/3 1/7
refused '--quiet prints one number' --quiet --sweep=1:5
refused '--pell sets a and b' --pell=3 1 2
refused "about Rump's expression, not --expression" --expression=1 --peers
refused 'expression: column 3: unexpected end' --expression='a+'
refused 'expression: column 1: unexpected end' --expression=
refused 'nested more than 200 deep' --expression="$(head -c 100000 /dev/zero | tr '\0' '(')"
refused 'c: the variable has no value' --expression=c
refused 'a: the variable has no value: add a=NUMBER' --expression='a*b'
refused 'a-a is zero: 1/(a-a) is undefined' --expression='1/(a-a)' a=77617
refused 'x: ' --expression=x x=3..2
refused "x: '': empty" --expression=x x=3..
refused "x: 'y': not a number" --expression=x x=1..y
refused 'a range of inputs has an enclosure' --trace --expression=x x=1..2
refused 'a range of inputs has an enclosure' --sweep=1:5 --expression=x x=1..2
refused '1/x is perhaps undefined somewhere in the box' --expression=1/x x=-1..2
refused 'sqrt(x) is undefined somewhere in the box' --expression='sqrt(x)' x=-2..3
refused 'rump: --expression: /no/such/file: No such file' --expression=@/no/such/file
refused 'unexpected end' --expression=@/dev/null
refused 'the exact fraction is too large' --expression='((1+1/3)^1000000)^1000' --exact
refused 'overflow: a value is outside the range' --expression='((2^1000000)^1000000)^1000000'
refused 'sign not proved' --expression='sqrt(2)*sqrt(3)-sqrt(6)'
refused 'outside the range of binary64' --read=binary64 1e400 1
(
    # shellcheck disable=SC3045  # dash and bash have it
    ulimit -v 40000  # kilobytes
    "$RECKON" rump --digits=20000000 --quiet --expression='1/(a+b)' a=77617 b=33096 > "$work/out" 2> "$work/err"
    code=$?
    [ $code -ne 0 ] && [ ! -s "$work/out" ] && grep -q '^reckon: ' "$work/err"
) || { echo "rump-bad-input: out of memory: $(cat "$work/err")"; status=1; }
exit $status
