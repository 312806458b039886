#!/bin/sh
# No circle of files: what a file includes, itself or through others, does not include the file's own header.
. "$TOP/tests/cli/helpers"

# Pairs of files without their ending, who includes whom; headers are found beside the file or from the top of its half.
includes() {
    (cd "$TOP/$1" && grep -rH --include='*.[ch]' '^#include "' .) | awk -F: '
        {
            from = $1; sub(/^\.\//, "", from); sub(/\.[ch]$/, "", from)
            folder = from; sub(/[^\/]*$/, "", folder)
            to = $2; gsub(/^#include "|"$/, "", to)
            print from, folder to, to
        }' | while read -r from beside top; do
            case $top in *.h) ;; *) continue ;; esac
            to=$top
            [ -e "$TOP/$1/$beside" ] && to=$beside
            echo "$from ${to%.h}"
        done
}

for half in shim driver; do
    includes "$half" >pairs
    [ "$(wc -l <pairs)" -gt 100 ] || bad "only these includes in $half: $(cat pairs)"
    same "circles in $half" "" "$(tsort pairs 2>&1 >/dev/null)"
done
finish
