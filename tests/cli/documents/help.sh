#!/bin/sh
# Help and manuals: 80 columns, three examples, and the manuals have the options that are parsed, all and no others.
. "$TOP/tests/cli/helpers"

version=$(sed -n 's/^version=//p' "$TOP/scripts/countcalls")
echo "$version" | grep -Eqx '[0-9]+\.[0-9]+\.[0-9]+' || bad "scripts/countcalls has no version: '$version'"
same "countcalls --version" "countcalls (libcount) $version" "$("$COUNTCALLS" --version)"
same "reckon --version" "reckon (libcount) $version" "$("$RECKON" --version)"

# The modes, or the parts of a mode: the lines of its help that name them.
modes() { "$RECKON" ${1:+"$1"} --help | sed -n "/^Examples/q; s/^  reckon ${1:+$1 }\([a-z-]*\)  .*/\1/p"; }

# The help of a command, in ./out: fits, and has three examples of this command at its end.
helps() { # COMMAND...
    try 0 "$@" --help
    silent err
    name=${1##*/}
    shift
    same "lines of $name $* --help beyond 80 columns" "" "$(grep '.\{81\}' out)"
    same "examples of $name $* --help" "3 of 3" \
        "$(sed '1,/^Examples:/d' out | grep -cE "^ .*$name${*:+ $*}( |$)") of $(sed '1,/^Examples:/d' out | grep -c .)"
}

# The options that a help in ./out tells: "f", "format".
told() {
    sed -n '/^Examples/q; s/^  *-\(.\), --\([a-z0-9-]*\).*/\1\n\2/p; t
        s/^  *--\([a-z0-9-]*\).*/\1/p; t; s/^  -\(.\) .*/\1/p' out
}

# The options that section SECTION of a manual explains.
explained() { # MANUAL SECTION
    awk -v section="$2" '
        /^\.S[hs] / { inside = substr($0, 5) == section; next }
        inside && /^\.It Fl/ {
            for (i = 1; i < NF; i++)
                if ($i == "Fl") {
                    sub(/^-/, "", $(i + 1))
                    print $(i + 1)
                }
        }' "$1"
}

for mode in $(modes); do
    : >all
    for part in $(modes "$mode") ''; do
        helps "$RECKON" "$mode" ${part:+"$part"}
        told >>all
        grep -q 'OPTION' out || bad "$mode $part: no usage"
        try 0 "$RECKON" "$mode" ${part:+"$part"} --help
    done
    grep -vx '[?V]\|help\|usage\|version' all | sort -u >parsed
    explained "$TOP/driver/reckon.1" "reckon $mode" | sort -u >documented
    [ -s parsed ] || bad "reckon $mode: the test finds no options"
    same "options of reckon $mode that the manual has not" "" "$(comm -23 parsed documented | tr '\n' ' ')"
    same "options of reckon $mode that only the manual has" "" "$(comm -13 parsed documented | tr '\n' ' ')"
    try 0 "$RECKON" "$mode" --version
    same "version of $mode" "$("$RECKON" --version)" "$(cat out)"
done

helps "$RECKON"
helps "$COUNTCALLS"
same "options of countcalls" "$(told | sort)" "$(explained "$TOP/scripts/countcalls.1" DESCRIPTION | sort)"

# The manual has a section for each mode and no other; libcount(7) has each variable and each family.
same "sections of reckon(1)" "$(modes | sort)" "$(sed -n 's/^\.Ss reckon //p' "$TOP/driver/reckon.1" | sort)"
same "variables of libcount(7)" "$(grep -oh '"LIBCOUNT_[A-Z]*"' "$TOP"/shim/settings.c | tr -d '"' | sort -u)" \
    "$(sed -n '/^\.Sh ENVIRONMENT/,/^\.Sh FILES/p' "$TOP/shim/libcount.7" | grep '^\.It' |
        grep -o 'LIBCOUNT_[A-Z]*' | sort -u)"
families=$(sed -n 's/^\(CALL\|OWN\|VOID\)(\([a-z]*\),.*/\2/p' "$TOP/shim/table/calls.def")
same "families of libcount(7)" "$(printf '%s\nother\n' "$families" | sort -u)" \
    "$(sed -n '/^\.Ss Families/,/^\.Ss What/s/^\.It Cm //p' "$TOP/shim/libcount.7" | sort)"

# Without a formatter there is nothing more to see.
if command -v mandoc >/dev/null; then
    for manual in "$TOP/driver/reckon.1" "$TOP/scripts/countcalls.1" "$TOP/shim/libcount.7"; do
        try 0 mandoc -T ascii -O width=80 "$manual"
        for section in NAME SYNOPSIS DESCRIPTION ENVIRONMENT 'EXIT STATUS' EXAMPLES; do
            grep -qx "$section" out || sed 's/.\x08//g' out | grep -qx "$section" || bad "$manual: no $section"
        done
    done
fi
finish
