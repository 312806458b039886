#!/bin/sh
# The article's table: its numbers judged, and the other programs run where they are installed.
set -u
: "${RECKON:?}"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
status=0
fail() { echo "rump-peers: $*"; status=1; }

"$RECKON" rump --peers --format=csv > "$work/peers" || fail "--peers: status $?"
"$RECKON" rump --article --format=csv > "$work/article" || fail "--article: status $?"

# row FILE NAME PROGRAM VALUE-PATTERN DIGITS VERDICT: where the program is installed
row() {
    command -v "$3" > /dev/null || { echo "rump-peers: $3 is not installed, its row is not checked"; return; }
    grep -qxE "\"?$2\"?,$4,$5,$6" "$1" || fail "$2: $(grep -E "^\"?$2" "$1")"
}
row "$work/peers" perl perl '1\.17260394005318' 0/15 'wrong sign'
row "$work/peers" 'perl -Mbignum' perl '-0\.827396059946821368141165095479816291999' 39/39 right
row "$work/peers" 'perl -Mbignum=a,20' perl '-99999999999999998\.827' 0/20 wrong
row "$work/peers" 'perl -Mbignum=a,37' perl '-0\.8273960599468213681411650954798162920' 37/37 right
row "$work/peers" 'perl -Mbigrat' perl '-54767/66192' all right
row "$work/peers" tclsh tclsh '1\.1726039400531787' 0/17 'wrong sign'
row "$work/peers" 'tcl math::bigfloat' tclsh '-0\.827396059946821368141165095479816291999.*' '([0-9]+)/\1' right
row "$work/peers" 'bc -l, scale=40' bc '-\.8273960599468213681411650954798162919991' 39/40 'last digit'
row "$work/peers" 'python3 float' python3 '1\.1726039400531787' 0/17 'wrong sign'
row "$work/peers" 'python3 fractions' python3 '-54767/66192' all right
row "$work/peers" gp gp '-0\.82739605994682136.*' '([0-9]+)/[0-9]+' right
row "$work/peers" sollya sollya '-0\.82739605994682136814116509547981629199903311578.*' '.*' '(right|last digit)'
row "$work/peers" 'Mpexpr, article' sh '-0\.827396059946821368141165095479816291999' 39/39 right

row "$work/article" 'rump.exe, 32 bits' sh '1\.172604' 0/7 'wrong sign'
row "$work/article" '""correct"", 32 bits' sh '-0\.82739603' 7/8 'last digit'
row "$work/article" '""correct"", 64 bits' sh '-0\.8273960599468213' 16/16 right
row "$work/article" '""correct"", 128 bits' sh '-0\.8273960599468213050755593940266408' 16/34 partly
row "$work/article" 'bc 1.06, scale=40' sh '-\.8273960599468213681411650954798162919991' 39/40 'last digit'
row "$work/article" 'Tcl, Mpexpr' sh '-0\.827396059946821368141165095479816291999' 39/39 right

# Other inputs, in any order: Python's fractions and PARI see the same ones.
if command -v python3 > /dev/null; then
    "$RECKON" rump --peers --format=csv b=2 a=-1.5 | grep -q '^python3 fractions,-\{0,1\}[0-9]*/\{0,1\}[0-9]*,.*,right$' ||
        fail "b before a: $("$RECKON" rump --peers --format=csv b=2 a=-1.5 | grep fractions)"
fi

# Nothing installed: each missing program is named with its package, and that is no error.
mkdir "$work/empty"
PATH=$work/empty "$RECKON" rump --peers > "$work/none" || fail "without peers: status $?"
for package in perl tcl tcllib bc python3 pari-gp sollya; do
    grep -q "Debian package $package).* missing" "$work/none" || fail "the package $package is not named"
done
grep -q 'Mpexpr: Debian has no package' "$work/none" || fail "nothing is said of Mpexpr"

# A peer that hangs, lies or floods does no harm.
printf '#!/bin/sh\nyes\n' > "$work/empty/bc"
printf '#!/bin/sh\necho nonsense\n' > "$work/empty/gp"
printf '#!/bin/sh\nexit 3\n' > "$work/empty/perl"
chmod +x "$work/empty/bc" "$work/empty/gp" "$work/empty/perl"
ln -s "$(command -v yes)" "$work/empty/yes"
PATH=$work/empty "$(command -v timeout)" 60 "$RECKON" rump --peers > "$work/odd" || fail "odd peers: status $?"
grep -q '^gp .*no number' "$work/odd" || fail "nonsense is taken for a number"
grep -q '^perl  .*does not run' "$work/odd" || fail "a failing peer is not noticed"
exit $status
