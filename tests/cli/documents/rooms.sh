#!/bin/sh
# Who may take what from whom: shim/table is all that the driver takes from the library, and wings know no neighbours.
. "$TOP/tests/cli/helpers"
cd "$TOP" || exit 1

# "FILE HEADER" for each line that includes a header of ours: a path beside the file, below driver/ or below the top.
grep -ro --include='*.[ch]' '^ *# *include "[^"]*"' driver | sed 's/: *# *include "/ /; s/"$//' |
    while read -r file header; do
        for place in "${file%/*}/$header" "driver/$header" "$header"; do
            [ ! -e "$place" ] || { echo "$file $place"; break; }
        done
    done >"$OLDPWD/includes"
cd "$OLDPWD" || exit 1
[ "$(wc -l <includes)" -gt 300 ] || bad "the test finds no includes"
same "what the driver takes from the library beside shim/table" "" "$(grep ' shim/' includes | grep -v ' shim/table/')"
grep -q ' shim/table/' includes || bad "the test finds nothing that the driver takes from shim/table"
same "what the library takes from the driver" "" "$(grep -rn 'include .*driver/' "$TOP/shim")"

# main.c knows the doors of the wings; merge alone looks into its neighbours.
same "wings that look into others" "" "$(sed 's/^driver\/\([^ /]*\)[^ ]* driver\/\([^ /]*\).*/\1 \2/' includes |
    awk '$1 != $2 && $1 != "main.c" && $1 != "merge" && $2 != "common"' | grep -v 'shim/' | sort -u)"
finish
