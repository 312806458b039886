#!/bin/sh
# A command may write what it likes into its table, or cut it: reckon says so, or reads what is there, and never dies.
. "$TOP/tests/cli/helpers"

overwritten="uncounted: everything: the counters were overwritten by the command"
# spoil STATUS COMMAND: a static shell, whose own counting cannot suffer, does that to the table.
spoil() { try "$1" "$RECKON" run -o - -f "${3:-table}" ${4:+"$4"} busybox sh -c "$2"; }

spoil 3 ': >"$LIBCOUNT_TABLE"; exit 3'
says out "$overwritten"
spoil 0 'truncate -s 4096 "$LIBCOUNT_TABLE"'
says out "$overwritten"
spoil 0 'truncate -s 4096 "$LIBCOUNT_TABLE"' json --time
says out "the counters were overwritten by the command"
spoil 0 'head -c 5000 /dev/zero | dd conv=notrunc of="$LIBCOUNT_TABLE" 2>/dev/null'
says out "$overwritten"
spoil 0 'rm "$LIBCOUNT_TABLE"'

# Rubbish behind a head that is right: any numbers are read, and what is no number is not followed.
for format in table json csv; do
    for _ in 1 2 3 4 5; do
        spoil 0 'dd if=/dev/urandom bs=32 seek=1 count=$(($(stat -c %s "$LIBCOUNT_TABLE") / 32 - 1)) conv=notrunc \
            of="$LIBCOUNT_TABLE" 2>/dev/null' $format --time
        [ "$(wc -l <out)" -gt 100 ] || bad "$format: rubbish was not read"
    done
done

same "left behind" "" "$(left_behind)"
finish
