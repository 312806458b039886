#!/bin/sh
# A program whose surroundings fail does what it does alone: few descriptors, none open, /dev/shm full, no /proc.
. "$TOP/tests/cli/helpers"

# shellcheck disable=SC2016 # for the inner shell
work='for word in a b c; do [ -e /nowhere ] || echo "$word"; done; exit 7'

enter=
# as_alone WHAT SCRIPT: SCRIPT has the same output and status alone and under the bare library, at each level.
as_alone() {
    alone=$($enter timeout 60 sh -c "$2" 2>alone.err; echo "status $?")
    for level in calls syscalls both; do
        counted=$($enter env LIBCOUNT_OUTPUT="$PWD/report" LIBCOUNT_LEVEL=$level LD_PRELOAD="$LIBCOUNT" \
            timeout 60 sh -c "$2" 2>err
            echo "status $?")
        same "output with $1, $level" "$alone" "$counted"
        same "errors with $1, $level" "$(cat alone.err)" "$(cat err)"
    done
}

# No program that needs libc.so.6 starts with 3 descriptors: the limit comes into force in one that runs.
as_alone '3 descriptors' "ulimit -n 3; $work"
for limit in 4 5 6 7 8 9 10; do
    as_alone "$limit descriptors" "ulimit -n $limit; exec sh -c '$work'"
done
as_alone 'standard input closed' "exec sh -c '$work' <&-"
as_alone 'standard error closed' "exec sh -c '$work' 2>&-"
as_alone 'descriptors 0 to 2 closed' "exec sh -c '$work' <&- >&- 2>&-"

# The set-up is made uncounted, else its own tables would have a part in it.
# shellcheck disable=SC2317 # called as $enter
inside() { unshare -m sh -c "$setup"' || exit 1; exec "$@"' sh "$@"; }
if unshare -m true 2>/dev/null; then
    enter=inside
    setup='mount -t tmpfs -o size=4k none /dev/shm && head -c 4096 /dev/zero >/dev/shm/full'
    as_alone '/dev/shm full' "$work"
    setup='mount -t tmpfs none /proc'
    as_alone 'no /proc' "$work"
else
    echo "skipped: /dev/shm full and no /proc need a mount namespace"
fi
finish
