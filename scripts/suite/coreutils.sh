# shellcheck shell=sh disable=SC2034,SC2154
# coreutils' own tests, a folder at a time, on a build of its own.
source=coreutils needs='bison gperf'

build() {
    FORCE_UNSAFE_CONFIGURE=1 ./configure -q --disable-gcc-warnings CFLAGS=-O0 && make -s -j2
}
all_tests() { (cd "$home/source" && printf 'include Makefile\nfirst-of-all:\n\t@echo $(TESTS)\n' | make -s -f - first-of-all | tr ' ' '\n'); }
units() { all_tests | sed 's|/[^/]*$||' | sort -u; }
unit() { # FOLDER [TEST...]
    folder=$1
    shift
    tests=${*:-$(all_tests | grep "^$folder/[^/]*$" | tr '\n' ' ')}
    # shellcheck disable=SC2086  # words
    (cd "$home/source" && rm -f tests/*/*.log tests/*/*.trs tests/*/*/*.log tests/*/*/*.trs &&
        timeout "$limit" $under make -k check SUBDIRS=. TESTS="$tests" RUN_EXPENSIVE_TESTS=no) 2>&1 |
        sed -n 's/^\(PASS\|FAIL\|SKIP\|XFAIL\|XPASS\|ERROR\): \(tests[^ ]*\)$/\2\t\1/p' | sed 's/\tPASS/\tpassed/'
}
