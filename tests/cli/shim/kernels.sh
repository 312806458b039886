#!/bin/sh
# Kernels that know less than this one, as far as a seccomp filter can play them (tests/fixture/older.c): library calls are
# counted on each, system calls by the first way that there is, and what cannot be had is told.
. "$TOP/tests/cli/helpers"
older=$FIXTURES/older
all='"system calls: this kernel has no Syscall User Dispatch (Linux 5.11)"'

# The sum of the system calls in the report, null where there is none, and what is told.
told() { jq -c '[([.system_calls[].calls] | add), .uncounted]' report; }
lstats() { jq '.library_calls[] | select(.name == "lstat") | .calls' report; }

try 0 "$RECKON" run -f json -o report "$FIXTURES/primes"
both=$(told)
try 0 "$RECKON" run --whole=kernel -f json -o report "$FIXTURES/primes"
whole=$(told)
for version in 5.11 5.10 5.9 5.8 5.5 5.2 4.19 4.15 3.17; do
    try 0 "$older" $version "$RECKON" run -f json -o report "$FIXTURES/primes"
    same "lstat on $version" 23 "$(lstats)"
    case $version in 5.11) same "system calls on $version" "$both" "$(told)" ;; *) same "told on $version" "[null,[$all]]" "$(told)" ;; esac
    silent err
    case $version in
    [34].*)
        for how in --whole --whole=kernel; do
            rm -f touched report
            try 125 "$older" $version "$RECKON" run $how -o report touch touched
            says err "reckon: whole run: this kernel has no seccomp notifications (Linux 5.5)"
            if [ -e touched ] || [ -e report ]; then bad "$how on $version: the command has run"; fi
        done
        ;;
    *)
        for how in --whole --whole=kernel; do
            try 0 "$older" $version "$RECKON" run $how -f json -o report "$FIXTURES/primes"
            same "system calls of $how on $version" "$whole" "$(told)"
        done
        ;;
    esac
done

# Programs are what they are there without us: threads, processes, shells, directories.
# shellcheck disable=SC2016
printf '%s\n' 'seq 100000 | sort --parallel=4 -S 1M -n | md5sum' 'find "$TOP/shim" | sort' 'tar cf - -C "$TOP" shim | tar tf - | wc -l' \
    '/usr/bin/python3 -c "import subprocess, threading; print(subprocess.run([\"sh\", \"-c\", \"exit 3\"]))"' \
    'perl -e "print fork ? (wait, \$? >> 8)[1] : exit 5"' >commands
for version in 5.10 5.2 4.15; do
    while read -r command; do
        "$older" $version sh -c "$command" >alone 2>&1
        for level in calls both; do
            "$older" $version env LD_PRELOAD="$LIBCOUNT" LIBCOUNT_LEVEL=$level LIBCOUNT_OUTPUT=report sh -c "$command" >counted 2>&1
            cmp -s alone counted || bad "$command on $version at level $level: $(diff alone counted | head -n 5)"
        done
    done <commands
done
finish
