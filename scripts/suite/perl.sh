# shellcheck shell=sh disable=SC2034,SC2154
# perl's own tests of its operators, and of input and output, with the perl of this release.
source=perl needs='perl libperl-dev'

# The tests want ./perl and ../lib; what was built for this release stands there instead of what would be built.
build() {
    ln -sf "$(command -v perl)" t/perl
    for folder in $(perl -MConfig -le 'print for @Config{qw(privlibexp archlibexp)}') /usr/lib/*/perl-base; do
        cp -rsf "$folder/." lib/
    done
}
units() { (cd t && ls op/*.t io/*.t); }
unit() { # SCRIPT
    # Taint checks are wished for in the first line of a script, but have to be on the command line too, as in t/TEST.
    taint=$(sed -n '1s/^#!.*perl.* -[a-zA-Z]*\([tT]\).*/-\1/p' "$home/source/t/$1")
    # shellcheck disable=SC2086  # words
    (cd "$home/source/t" && PERL_CORE=1 PERL_HASH_SEED=0 timeout "$limit" $under ./perl $taint "$1") | tap
}
