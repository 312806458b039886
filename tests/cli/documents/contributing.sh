#!/bin/sh
# The map in CONTRIBUTING.md is the tree: each folder, and each file of the top, in both.
. "$TOP/tests/cli/helpers"

# Paths of the map, by indentation; behind a name a description, in which no further folder is named.
sed -n 's/^    \( *[^ ].*\)/\1/p' "$TOP/CONTRIBUTING.md" | awk '
    {
        depth = match($0, /[^ ]/) - 1
        name = $1
        while (top && depth <= level[top]) top--
        if (name ~ /\/$/) {
            path[top + 1] = path[top] name
            level[++top] = depth
            print path[top]
        } else {
            for (i = 1; i <= NF; i++) if ($i ~ /^([A-Z]+\.md|Makefile|LICENSE)$/ && !depth) print $i
        }
    }' | LC_ALL=C sort >map

# What mirrors another folder is not drawn again, and data lie where they are used.
(
    cd "$TOP" || exit
    find shim driver tests scripts .ci -type d | grep -v -e '/data$' -e '^tests/driver/' -e '^tests/shim/' | sed 's|$|/|'
    find . -maxdepth 1 -type f ! -name '.*' ! -name CONTRIBUTING.md | sed 's|^\./||'
) | LC_ALL=C sort >tree
[ "$(wc -l <map)" -gt 30 ] || bad "only these in the map: $(cat map)"
same "folders in the map alone, or in the tree alone" "" "$(diff map tree)"

for folder in $(cd "$TOP/tests" && find driver shim -type d ! -name data); do
    [ -d "$TOP/$folder" ] || bad "tests/$folder mirrors nothing"
done
for name in $(grep -o '`[a-z]*/[a-z./_0-9-]*`' "$TOP/CONTRIBUTING.md" | tr -d '`'); do
    [ -e "$TOP/$name" ] || bad "CONTRIBUTING.md names $name"
done

finish
