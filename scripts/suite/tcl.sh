# shellcheck shell=sh disable=SC2034,SC2154
# Tcl's own tests, on a build of its own.
source=tcl8.6

build() {
    cd unix && ./configure -q CFLAGS=-O0 && make -s -j2 tcltest
}
units() { (cd tests && find *.test); }
unit() { # FILE
    export TCL_LIBRARY="$home/source/library" LD_LIBRARY_PATH="$home/source/unix"
    # shellcheck disable=SC2086  # words
    timeout "$limit" $under "$home/source/unix/tcltest" "$home/source/tests/$1" -verbose psb -tmpdir "$PWD" 2>&1 |
        sed -n -e 's/^++++ \(.*\) PASSED.*/\1\tpassed/p' -e 's/^++++ \([^ ]*\) SKIPPED.*/\1\tskipped/p' \
            -e 's/^==== \([^ ]*\) .*FAILED$/\1\tfailed/p' | sort -u
}
