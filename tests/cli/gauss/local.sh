#!/bin/sh
# reckon gauss local against the installed perl, and its formats.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "gauss-local: $*" >&2; exit 1; }

# What the article's sub prints after srand(SEED), as "bin<TAB>count".
oracle() {
    cat "$TOP/driver/gauss/pairs/peers/dev.pl" - >"$work/oracle.pl" <<'END'
my ($seed, $count, $mean, $sd, $width) = @ARGV;
srand($seed);
my $h = dev($mean, $count, $sd, $width);
print map "$_\t$h->{$_}\n", sort { $a <=> $b } keys %$h;
END
    perl "$work/oracle.pl" "$@"
}

ours() {
    "$RECKON" gauss local --format=csv --seed="$1" --count="$2" --mean="$3" --sd="$4" --width="$5" | sed 1d | cut -d, -f1,2 | tr , '\t'
}

for set in "1 300000 6 1 1" "123456789 200000 0 1 0.1" "4294967295 100000 -3.7 2.5 0.03" "77 50000 1e6 1 0.5" "0 1 6 1 1" \
    "31337 100000 0 1e-12 0.25" "99 3 6 1 1"; do
    # shellcheck disable=SC2086  # a list of words
    oracle $set >"$work/perl"
    # shellcheck disable=SC2086
    ours $set >"$work/ours"
    cmp -s "$work/perl" "$work/ours" || fail "seed count mean sd width = $set: not perl's histogram:
$(diff "$work/perl" "$work/ours" | head)"
done

# The expected md5 sums of the data file, the set whose bins it does not list among them.
grep '^set' "$TOP/tests/driver/gauss/workload/data/histograms.tsv" | while read -r _ seed count mean sd width _ sum; do
    [ "$sum" = - ] && continue
    got=$(ours "$seed" "$count" "$mean" "$sd" "$width" | md5sum | cut -d' ' -f1)
    [ "$got" = "$sum" ] || fail "seed $seed width $width: md5 $got, not $sum"
done

# JSON: keys, sums, and the same numbers as CSV.
"$RECKON" gauss local --generator=fast --count=100000 --seed=3 --format=json -o "$work/json"
perl -MJSON::PP -e '
    local $/; my $r = decode_json(<STDIN>); my $sum = $r->{outside};
    $sum += $_->{count} for @{$r->{histogram}};
    die "keys: @{[sort keys %$r]}\n" unless join(" ", sort keys %$r) eq
        "chi_square count cpu_s generator histogram mean ns_per_variate outside sd seed threads version wall_s width";
    die "sum $sum\n" unless $sum == 100000 && $r->{count} == 100000;
    die "head\n" unless $r->{version} == 1 && $r->{generator} eq "fast" && $r->{seed} == 3 && $r->{mean} == 6;
    die "fit\n" unless $r->{chi_square}{degrees} >= 5 && $r->{chi_square}{p} > 0.0001;
    die "time\n" unless $r->{wall_s} > 0 && abs($r->{ns_per_variate} / ($r->{wall_s} * 1e4) - 1) < 1e-6;
    print map "$_->{bin}\t$_->{count}\n", @{$r->{histogram}};' <"$work/json" >"$work/from-json" || fail "JSON is not as documented"
"$RECKON" gauss local --generator=fast --count=100000 --seed=3 --format=csv | sed 1d | cut -d, -f1,2 | tr , '\t' >"$work/from-csv"
cmp "$work/from-json" "$work/from-csv" || fail "JSON and CSV differ"

# Shares of a stream add up to the whole.
for generator in perl fast; do
    "$RECKON" gauss local --generator=$generator --count=1000003 --threads=3 --format=csv | cut -d, -f1,2 >"$work/whole"
    for share in 1 2 3; do
        "$RECKON" gauss local --generator=$generator --count=1000003 --stream=$share/3 --format=csv | sed 1d
    done | awk -F, '{ sum[$1] += $2 } END { for (bin in sum) print bin "," sum[bin] }' | sort -n >"$work/sum"
    sed 1d "$work/whole" | sort -n | cmp -s - "$work/sum" || fail "$generator: the shares do not add up to the whole"
done

# A full disk is an error.
if "$RECKON" gauss local --count=10 -o /dev/full 2>"$work/error"; then fail "/dev/full is no error"; fi
grep -q '^reckon: output: /dev/full: ' "$work/error" || fail "/dev/full: $(cat "$work/error")"

# An interrupted run leaves nothing behind.
"$RECKON" gauss local --count=1e11 -o "$work/late" &
sleep 0.5
kill -s TERM $!
wait $! && fail "ended by itself"
[ -z "$(find "$work" -name 'late*')" ] || fail "left: $(find "$work" -name 'late*')"
if "$RECKON" gauss local --count=1e12 -o "$work/none/at-all" 2>"$work/error"; then fail "no such folder"; fi
grep -q '^reckon: output: .*none/at-all: No such file' "$work/error" || fail "$(cat "$work/error")"
