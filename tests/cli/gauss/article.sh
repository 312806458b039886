#!/bin/sh
# shellcheck disable=SC2015,SC2016
# reckon gauss --article: with two builds of perl, with one, and without any.
. "$TOP/tests/cli/helpers"
XDG_RUNTIME_DIR=$PWD
export XDG_RUNTIME_DIR
perl=$(perl -e 'print $^X') here=$(command -v perl)
mkdir none one two
ln -s "$here" one/perl
ln -s "$here" two/perl
cp "$perl" two/perl5.99    # another file is another build
printf '#!/bin/sh\necho no perl\n' >two/perl5.1
chmod +x two/perl5.1

# Its JSON in ./out with PATH: perls, experiments that were made, and what the words begin with.
answer() { # PATH
    PATH=$1 "$RECKON" gauss --article --seconds=2 --count=20000 --format=json >out 2>err || bad "status $?: $(cat err)"
    perl -MJSON::PP -e '
        local $/; my $r = decode_json(<STDIN>); my $e = $r->{experiments};
        die "article\n" unless abs($r->{article}{ratio} - 168.74 / 188.96) < 1e-9;
        die "elapsed\n" unless $r->{elapsed_s} > 0 && $r->{elapsed_s} < 250;
        for my $made (grep $_, values %$e) {
            die "margin\n" unless $made->{margin} == 0.03 && $made->{pairs} == @{$made->{samples}} && $made->{transport_ms} > 0;
        }
        die "same build twice\n" if $e->{two_perls} && $e->{two_perls}{same_executable};
        die "one perl is two\n" if $e->{one_perl} && !$e->{one_perl}{same_executable};
        print join(" ", scalar @{$r->{perls}}, grep $e->{$_}, qw(one_perl two_perls c)), "\n";
        print join("\n", @{$r->{follows}}), "\n";' <out
}

answer "$PWD/two" >words
same "two builds" "2 one_perl two_perls c" "$(head -1 words)"
grep -q "^Two builds, A by $PWD/two/perl.*, B by $PWD/two/perl" words || bad "$(cat words)"
same "stderr" "reckon: gauss: --article: 3 experiments, at most about 2 s" "$(cat err)"
answer "$PWD/one" >words
same "one build" "1 one_perl c" "$(head -1 words)"
grep -q '^There is only one build of perl along PATH (perl 5.*): what another' words || bad "$(cat words)"
answer "$PWD/none" >words
same "no perl" "0 c" "$(head -1 words)"
grep -q "^No perl along PATH: the article's programs cannot be run here" words || bad "$(cat words)"
grep -q '^Transport costs [0-9.]* ms in C (ONC RPC): of the' words || bad "$(cat words)"

# A table of 80 columns with the words below, and CSV.
for width in 40 80; do
    PATH=$PWD/two COLUMNS=$width "$RECKON" gauss --article --seconds=1 --count=10000 >out 2>err || bad "status $?"
    grep -Eq '^the article, 2009 +94\.48 +84\.37 +0\.893' out || bad "$(cat out)"
    grep -q '^What follows: ' out || bad "$(cat out)"
    same "lines beyond 80 columns" "" "$(grep '.\{81\}' out | grep -v "$PWD")"
done
PATH=$PWD/none "$RECKON" gauss --article --seconds=1 --format=csv >out 2>err || bad "status $?"
same "CSV" "experiment,A s,B s,B/A,95 %,transport ms,B is" "$(head -1 out)"
same "rows" 3 "$(wc -l <out)"
try 2 "$RECKON" gauss --article now
try 2 "$RECKON" gauss --article --seconds=0
finish
