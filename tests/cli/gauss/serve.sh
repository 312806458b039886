#!/bin/sh
# shellcheck disable=SC2015
# reckon gauss serve and call as a user runs them.
set -eu
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
fail() { echo "gauss-serve: $*" >&2; exit 1; }
XDG_RUNTIME_DIR=$work/run
export XDG_RUNTIME_DIR
mkdir -m 700 "$XDG_RUNTIME_DIR"

# OPTION...: start a server; sets server, address, token.
serve() {
    "$RECKON" gauss serve "$@" >"$work/said" 2>"$work/warned" &
    server=$!
    for _ in $(seq 600); do
        grep -q '^program ' "$work/said" && break
        sleep 0.05
    done
    address=$(sed -n 's/^listening on //p' "$work/said")
    token=$(sed -n 's/^token in //p' "$work/said")
    [ -n "$address" ] && [ -n "$token" ] || fail "no server: $(cat "$work/said" "$work/warned")"
}

# SIGNAL: the server ends by it, with status 0, and takes its token's file along.
ends_by() {
    status=0
    kill -s "$1" "$server"
    wait "$server" || status=$?
    [ "$status" -eq 0 ] || fail "status $status after SIG$1"
    [ ! -e "$token" ] || fail "$token is left over"
    server=
}

# PATTERN OPTION...: the call fails with a message that matches, status 125 and nothing on standard output.
call_fails() {
    pattern=$1
    shift
    status=0
    "$RECKON" gauss call "$@" >"$work/out" 2>"$work/error" || status=$?
    [ "$status" -eq 125 ] || fail "call $*: status $status"
    [ ! -s "$work/out" ] || fail "call $*: something on standard output"
    grep -Eq "$pattern" "$work/error" || fail "call $*: $(cat "$work/error")"
}

serve
case $address in 127.0.0.1:*) ;; *) fail "listens on $address" ;; esac
program=$(printf %d "$(sed -n 's/^} = \(0x[0-9a-f]*\);.*/\1/p' "$TOP/driver/gauss/rpc/gauss.x")") port=${address##*:}
[ "$(grep '^program' "$work/said")" = "program $program, version 1: rpcinfo -a 127.0.0.1.$((port / 256)).$((port % 256)) -T tcp $program" ] ||
    fail "$(cat "$work/said")"
[ ! -s "$work/warned" ] || fail "warns of $(cat "$work/warned")"
[ "$(stat -c %a "$token")" = 600 ] || fail "token has mode $(stat -c %a "$token")"
for generator in perl fast; do
    "$RECKON" gauss local --generator=$generator --count=500000 --seed=8 --format=csv >"$work/local"
    "$RECKON" gauss call "$address" --generator=$generator --count=500000 --seed=8 --format=csv >"$work/call"
    cmp "$work/local" "$work/call" || fail "$generator: call and local differ"
done
"$RECKON" gauss call "$address" --count=1000 --format=json | perl -MJSON::PP -e '
    local $/; my $r = decode_json(<STDIN>);
    die unless $r->{server}{wall_s} > 0 && $r->{server}{wall_s} < $r->{wall_s} && $r->{server}{address} eq $ARGV[0];' \
    "$address" || fail "JSON of a call"

# Tokens that are wrong, malformed, open to others, missing.
(umask 077 && tr 0-9a-f 1-9a-f0 <"$token" >"$work/wrong" && echo none >"$work/malformed" && cp "$token" "$work/open")
chmod 644 "$work/open"
call_fails "the token is not this server's" "$address" --token-file="$work/wrong"
call_fails 'is not a token' "$address" --token-file="$work/malformed"
call_fails 'must have mode 0600' "$address" --token-file="$work/open"
call_fails '^reckon: call: nosuchhost.invalid:4711: ' nosuchhost.invalid:4711 --token-file="$work/missing"
call_fails '^reckon: token: .*No such file' "$address" --token-file="$work/missing"

# Too much for this server; no answer in time; a port in use; nobody there.
call_fails 'at most 10000000000' "$address" --count=1e11
call_fails 'no answer within 0.2 s' "$address" --count=1e10 --timeout=0.2
status=0
"$RECKON" gauss serve --port="${address##*:}" >"$work/out" 2>"$work/error" || status=$?
[ "$status" -eq 125 ] && grep -q 'Address already in use' "$work/error" && [ ! -s "$work/out" ] || fail "port in use: status $status"
cp -p "$token" "$work/old"
ends_by TERM
call_fails 'Connection refused' "$address" --token-file="$work/old"

# A call that is cut short by the server's end is an error, never a part of a histogram.
serve
"$RECKON" gauss call "$address" --count=1e10 >"$work/out" 2>"$work/error" &
caller=$!
until [ -n "$(cat "/proc/$server/task/$server/children")" ]; do sleep 0.05; done  # it is being computed, or the test runs out of time
ends_by INT
status=0
wait "$caller" || status=$?
[ "$status" -eq 125 ] && [ ! -s "$work/out" ] && grep -q '^reckon: call: ' "$work/error" || fail "cut short: status $status"

serve --once
"$RECKON" gauss call "$address" --count=1000 >/dev/null
wait "$server" || fail "--once: status $?"
server=

if serve --bind=::1 2>/dev/null; then
    case $address in '[::1]:'*) ;; *) fail "IPv6: $address" ;; esac
    grep -q ' -a ::1\.[0-9]*\.[0-9]* -T tcp6 ' "$work/said" || fail "IPv6: $(cat "$work/said")"
    "$RECKON" gauss call "$address" --count=1000 >/dev/null || fail "IPv6"
    ends_by TERM
fi
serve --bind=0.0.0.0 --token-file="$work/here"
[ "$token" = "$work/here" ] && grep -q 'warning' "$work/warned" || fail "no warning for a server that others can reach"
ends_by HUP
