# shellcheck shell=sh disable=SC2034,SC2154
# git's own tests, t0 to t3, on a build of its own.
source=git needs=zlib1g-dev
options='NO_CURL=1 NO_EXPAT=1 NO_OPENSSL=1 NO_TCLTK=1 NO_GETTEXT=1 NO_PYTHON=1'

build() {
    # shellcheck disable=SC2086  # words
    make -s -j2 CFLAGS=-O0 $options
}
units() { (cd t && ls t[0-3]*.sh); }
unit() { # SCRIPT
    # shellcheck disable=SC2086  # words
    (cd "$home/source/t" && timeout "$limit" $under sh "./$1" --root="$work/run") | tap
}
