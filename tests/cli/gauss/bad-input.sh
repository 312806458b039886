#!/bin/sh
# Input that cannot be used: a message that names it, status 2, nothing on standard output.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "gauss-bad-input: $*" >&2; exit 1; }

# PATTERN OPTION...: refused with a message that matches.
refused() {
    pattern=$1
    shift
    status=0
    "$RECKON" gauss "$@" >"$work/out" 2>"$work/error" || status=$?
    [ "$status" -eq 2 ] || fail "$*: status $status"
    [ ! -s "$work/out" ] || fail "$*: something on standard output"
    grep -Eq "$pattern" "$work/error" || fail "$*: $(cat "$work/error")"
}

for part in local compare "call 127.0.0.1:9"; do
    # shellcheck disable=SC2086  # a list of words
    set -- $part
    refused '^reckon: gauss: --count: ' "$@" --count=0
    refused '^reckon: gauss: --count: ' "$@" --count=-1
    refused '^reckon: gauss: --count: ' "$@" --count=1000000000000000000
    refused '^reckon: gauss: --count: ' "$@" --count=99999999999999999999999
    refused '^reckon: gauss: --count: ' "$@" --count=1.5
    refused '^reckon: gauss: --count: ' "$@" --count=
    refused '^reckon: gauss: --count: ' "$@" --count=0x10
    refused '^reckon: gauss: sd: ' "$@" --sd=0
    refused '^reckon: gauss: sd: ' "$@" --sd=-1
    refused '^reckon: gauss: --sd: ' "$@" --sd=nan
    refused '^reckon: gauss: --sd: ' "$@" --sd=inf
    refused '^reckon: gauss: --sd: ' "$@" --sd=1e-400
    refused '^reckon: gauss: width: ' "$@" --width=0
    refused '^reckon: gauss: width: ' "$@" --width=1e-12
    refused '^reckon: gauss: width: ' "$@" --mean=1e300
    refused '^reckon: gauss: --mean: ' "$@" --mean=six
    refused '^reckon: gauss: --mean: ' "$@" '--mean=6 '
    refused '^reckon: gauss: --seed: ' "$@" --seed=4294967296
    refused '^reckon: gauss: --seed: ' "$@" --seed=18446744073709551617
    refused '^reckon: gauss: --seed: ' "$@" --seed=-1
    refused ': --generator: quick: not one of perl, fast' "$@" --generator=quick
    refused '^reckon: gauss: --threads: ' "$@" --threads=0
    refused ': --format: xml: not one of table, json, csv' "$@" --format=xml
    refused '^reckon: plot: ' "$@" --plot=picture.gif
    refused 'unrecognized option' "$@" --no-such-option
    refused 'unexpected argument' "$@" one-too-many
done
refused '^reckon: gauss: --stream: ' local --stream=0/2
refused '^reckon: gauss: --stream: ' local --stream=3/2
refused '^reckon: gauss: --stream: ' local --stream=2
refused '^reckon: gauss: --margin: ' compare --margin=0
refused '^reckon: gauss: --margin: ' compare --margin=100%
refused '^reckon: gauss: --rounds: ' compare --rounds=0
refused '^reckon: gauss: --seconds: ' compare --seconds=-3
refused '^reckon: gauss: --perl: ' compare --perl --generator=fast
refused '^reckon: gauss: --count-calls: ' compare --count-calls --perl
refused '^reckon: gauss: --timeout: ' call 127.0.0.1:9 --timeout=0
refused '^reckon: gauss: here: must be HOST:PORT' call here
refused 'address is missing' call
refused '^reckon: gauss: --port: ' serve --port=65536
refused '^reckon: gauss: --limit: ' serve --limit=0
refused '^reckon: gauss: other: must be' other
