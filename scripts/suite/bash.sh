# shellcheck shell=sh disable=SC2034,SC2154
# bash's own tests, with the bash of this release: each script's output is what is written beside it, or differs as alone.
source=bash needs=bash

build() {
    ./configure -q --without-bash-malloc && make -s recho zecho xcase
}
units() { (cd tests && find run-* ! -name run-all ! -name run-minimal ! -name run-gprof); }
unit() { # SCRIPT
    cp -r "$home/source/tests" tests
    cd tests || return
    export THIS_SH=/bin/bash BASH_TSTOUT="$PWD/out" TMPDIR="$PWD" PATH="$home/source:$PATH"
    status=0
    # shellcheck disable=SC2086  # words
    timeout "$limit" $under sh "./$1" >result 2>&1 || status=$?
    if [ "$status" -eq 0 ] && ! grep -q '^[<>]' result; then
        printf '%s\tpassed\n' "$1"
    else
        printf '%s\tstatus %s, output %s\n' "$1" "$status" "$(cksum <result)"
    fi
}
