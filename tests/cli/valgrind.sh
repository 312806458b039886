#!/bin/sh
# The driver under valgrind, which sees values that nobody has set: every mode, and what it does at an end by a signal.
. "$TOP/tests/cli/helpers"
command -v valgrind >/dev/null || { bad "valgrind is missing"; finish; }
P=$FIXTURES/primes

# watched STATUS MODE...
watched() {
    expected=$1
    shift
    try "$expected" valgrind -q --error-exitcode=99 "$RECKON" "$@"
    if grep -q '^==' err; then
        bad "valgrind reckon $*:"
        grep '^==' err | head -n 20
    fi
}
watched 0 run "$P"
watched 0 run --time --sort=family -f json -o one.json "$P" children 3
watched 3 run -f csv "$P" status 3
watched 127 run nosuchcommand
watched 0 compare --color=always "$P" "$P signal 9"
watched 0 compare -f json -l syscalls true 'echo x | cat'
watched 0 ls --runs=3 --files=3,9
watched 0 ls --article --runs=2
cp one.json two.json
watched 0 merge --spread one.json two.json
watched 0 merge -f csv one.json
watched 0 gauss local --count=20000 --threads=2
watched 0 gauss local --generator=fast --count=20000 --stream=1/2 -f json -o g1.json
watched 0 gauss local --generator=fast --count=20000 --stream=2/2 -f json -o g2.json
watched 0 merge g1.json g2.json
watched 0 gauss compare --count=2000 --rounds=10
watched 0 rump --trace
watched 0 rump --expression='(x+1)^3' x=0.1 -f json
watched 0 rump --sweep=100:130
watched 2 rump --expression='(x+' x=1
watched 0 --help
finish
