#!/bin/sh
# Pictures of ls, run and compare: what their suffixes say, with the data in them, whole or not at all.
. "$TOP/tests/cli/helpers"
mkdir bin empty
P=$FIXTURES/primes
ln -s "$P" p

# Known before anything is run: a wrong suffix, a folder that isn't there, no gnuplot.
for arguments in 'ls --runs=1' 'run touch ran' 'compare true'; do
    mode=${arguments%% *} rest=${arguments#* }
    [ "$rest" != ls ] || rest=
    # shellcheck disable=SC2086 # several words
    for path in a.gif nosuffix; do
        try 125 "$RECKON" $mode --plot=$path $rest
        same message "reckon: plot: $path: the name must end in .svg, .png or .pdf" "$(cat err)"
    done
    # shellcheck disable=SC2086
    try 125 "$RECKON" $mode --plot=none/a.svg $rest
    same message "reckon: output: none/a.svg: No such file or directory" "$(cat err)"
    # shellcheck disable=SC2086
    PATH=$PWD/empty try 125 "$RECKON" $mode --plot=a.svg $rest
    same message "reckon: plot: gnuplot is not installed (Debian package gnuplot-nox)" "$(cat err)"
    silent out
done
[ ! -e ran ] || bad "the command ran although its picture cannot be drawn"

# Where drawing fails the report is there, no picture, and the status is ours.
printf '#!/bin/sh\n[ "$1" = --version ] || { echo half; exit 3; }\n' >bin/gnuplot
chmod +x bin/gnuplot
PATH=$PWD/bin:$PATH try 125 "$RECKON" run -o - --plot=a.svg -l calls ./p
same message "reckon: plot: a.svg: gnuplot failed with status 3" "$(cat err)"
says out getxattr
PATH=$PWD/bin:$PATH try 125 "$RECKON" ls --plot=a.svg --runs=1
says out "20 files"
same "files left" "" "$(ls -d a.*  2>/dev/null)"
rm bin/gnuplot

command -v gnuplot >/dev/null || { echo "gnuplot is not installed: pictures are not drawn"; finish; }

# texts FILE: all that an SVG says, a line each; the parser refuses what is not well-formed.
texts() {
    xmllint --noout "$1" || bad "$1 is not well-formed"
    sed -n 's/.*<text>\(.*\)<\/text>.*/\1/p' "$1" | sed 's/<[^>]*>//g; s/^ *//'
}
# marks FILE NUMBER: how many marks of gnuplot's kind are drawn, those of the keys too.
marks() { grep -o "<use xlink:href='#gpPt$2' transform" "$1" | wc -l; }

try 0 "$RECKON" ls --files=20,100,1000 --runs=3 --plot=ls.svg --format=json
silent err
texts ls.svg >said
for text in "ls -l" "ls -1" ls files 20 100 1000 "system calls, start and program" "time, ms: median, minimum to maximum"; do
    grep -qxF -e "$text" said || bad "the picture does not say '$text'"
done
# Three sizes and the key in each of two panels: filled circles, open squares and triangles.
same "marks of the three variants" "8 8 8" "$(marks ls.svg 6) $(marks ls.svg 3) $(marks ls.svg 7)"
# The circles of the first panel are as high as the logarithms of the totals of ls -l.
sed -n 's/^ *"total_system_calls": \([0-9]*\),/\1/p' out | sed -n '1~3p' >totals
sed -n "s/.*'#gpPt6' transform='translate([0-9.]*,\([0-9.]*\)).*/\1/p" ls.svg | head -n 3 >heights
paste totals heights | awk '{ x[NR] = log($1); y[NR] = $2 }
    END { slope = (y[3] - y[1]) / (x[3] - x[1]); off = y[1] + slope * (x[2] - x[1]) - y[2]
          exit !(NR == 3 && slope < 0 && off * off < 1) }' || bad "the circles are not where the totals are: $(paste totals heights)"
try 0 "$RECKON" ls --ls=echo --runs=2 --level=calls --variant='-l "&<>"' --variant="$(printf -- "-1 'a\377\`b\$c'")" --plot=odd.svg
texts odd.svg >said
grep -q "^echo -l '&amp;&lt;>'$" said || bad "a name with &<>: $(cat said)"
grep -qxF "echo -1 'a$(printf '\357\277\275')\`b\$c'" said || bad "a name with bytes that are no text: $(cat said)"
grep -qxF "library calls" said || bad "without system calls the picture is not of library calls"
try 0 "$RECKON" ls --runs=1 --directory=empty --plot=none.svg
silent err
texts none.svg >said

# Latency: the names that cost most, three kinds of marks, a command's name in compare.
try 0 "$RECKON" run -o - --plot=run.svg --family=lstat,open ./p
silent err
texts run.svg >said
for text in ./p "time of one library call" "time of one system call" lstat open median "99th percentile" maximum; do
    grep -qxF -e "$text" said || bad "the picture of run does not say '$text'"
done
grep -qx getxattr said && bad "a family that was not asked for is drawn"
says out "% time"
try 0 "$RECKON" compare --plot=compare.svg -l calls ./p './p status 0 x'
texts compare.svg >said
for text in ./p "./p status 0 x" "time of one library call" lstat; do
    grep -qxF -e "$text" said || bad "the picture of compare does not say '$text'"
done
grep -q "system call" said && bad "a panel of calls that were not counted"
# As many medians as there are rows with a time, and one in the key.
rows=$("$RECKON" run -o - --time -f csv -l calls ./p 2>/dev/null | awk -F, '/,library,/ && $7 > 0' | wc -l)
[ "$rows" -le 14 ] || rows=14
try 0 "$RECKON" run -o - --plot=one.svg -l calls ./p
silent err
same "medians" $((rows + 1)) "$(marks one.svg 6)"
try 125 "$RECKON" run --plot=a.svg -l syscalls --family=network "$(command -v true)"
says err "reckon: plot: a.svg: no call was timed"

# The other kinds of files.
try 0 "$RECKON" run --plot='a name.png' ./p
head -c 8 'a name.png' | od -An -c | grep -q 'P *N *G' || bad "the PNG is none"
try 0 "$RECKON" ls --runs=1 --plot=ls.pdf
same "PDF" "%PDF-" "$(head -c 5 ls.pdf)"
tail -c 8 ls.pdf | grep -q '%%EOF' || bad "the PDF is not complete"
same "left behind" "" "$(left_behind)"
finish
