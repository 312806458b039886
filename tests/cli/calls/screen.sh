#!/bin/sh
# What people see: colours, widths, names of any bytes, and progress.
. "$TOP/tests/cli/helpers"
unset NO_COLOR COLUMNS
TERM=xterm LC_ALL=C.UTF-8
export TERM LC_ALL
P=$FIXTURES/primes
ln -s "$P" p

# Colours: headings and warnings, and the rest byte by byte the same.
try 0 "$RECKON" compare --color=never -l calls ./p './p status 2'
cp out plain
same "colours of never" "" "$(colours <plain | grep '<')"
try 0 "$RECKON" compare -l calls ./p './p status 2'
cmp -s out plain || bad "colours where there is no terminal"
try 0 "$RECKON" compare --color=always -l calls ./p './p status 2'
colourless <out | cmp -s - plain || bad "without its colours the table is another"
same "coloured head" '<1>library call<0>' "$(colours <out | grep -o '^<1>library call<0>')"
same "coloured lines" 1 "$(colours <out | grep -c '<')"
try 0 "$RECKON" compare --color -l calls ./p './p status 2'
colours <out | grep -q '<1>' || bad "--color alone is not always"
for format in json csv; do
    try 0 "$RECKON" run -o - --color=always --format=$format -l calls ./p
    same "colours in $format" "" "$(colours <out | grep '<[0-9]')"
done
try 0 env LIBCOUNT_DISABLE=1 "$RECKON" run -o - --color=always ./p
colours <out | grep -q '^<33>uncounted<0>: ' || bad "what is uncounted is not coloured: $(colours <out)"
for mode in run compare ls rump; do
    expected=125
    [ $mode = rump ] && expected=2
    try $expected "$RECKON" $mode --color=pink
    says err "reckon $mode: --color: pink: not one of auto, always, never"
done
try 0 "$RECKON" rump --color=always
colours <out | grep -q '^<33>Warning<0>    binary64' || bad "the warning of rump is not coloured"
cp out coloured
try 0 "$RECKON" rump
colourless <coloured | cmp -s - out || bad "without its colours rump says something else"

# On a terminal they come by themselves, unless the environment or the option says no.
command="'$RECKON' compare -l calls ./p './p status 2'"
on_terminal 80 "$command"
same "colours on a terminal" 1 "$(colours <screen | grep -c '<1>library call<0>')"
on_terminal 80 "NO_COLOR= $command"
same "colours with NO_COLOR empty" 1 "$(colours <screen | grep -c '<1>library call<0>')"
for no in "NO_COLOR=1 $command" "TERM=dumb $command" "$command --color=never" "$command | cat" "$command -o file; cat file"; do
    on_terminal 80 "$no"
    same "colours with $no" "" "$(colours <screen | grep '<')"
    says screen "library call"
done

# What run says on standard error is coloured where that is the terminal, whatever standard output is.
on_terminal 80 "'$RECKON' run -l calls ./p >file"
same "colours of run on a terminal" 1 "$(colours <screen | grep -c '^<1>library calls<0>')"
on_terminal 80 "'$RECKON' run -l calls ./p 2>file; cat file"
same "colours of run in a file" "" "$(colours <screen | grep '<')"
says screen "library calls"

# Every width from 80 to 200 columns holds what is shown, and no column is lost; headings are texts where they fit.
for columns in 80 81 100 119 132 160 200; do
    for arguments in '' "--variant='-l --color=always' --variant='-l --time-style=full-iso' --variant=-1"; do
        on_terminal $columns "'$RECKON' ls --runs=1 --files=2,30 $arguments"
        same "lines beyond $columns columns of ls $arguments" "" "$(colourless <screen | grep ".\\{$((columns + 1))\\}")"
        says screen "system calls"
    done
    COLUMNS=$columns try 0 "$RECKON" ls --runs=1 --variant='-l --color=always' --variant=-1
    same "lines beyond COLUMNS=$columns" "" "$(grep ".\\{$((columns + 1))\\}" out)"
done
on_terminal 80 "'$RECKON' ls --runs=1 --variant='-l --color=always' --variant=-1"
says screen "[1] ls -l --color=always"
on_terminal 200 "'$RECKON' ls --runs=1 --variant='-l --color=always' --variant=-1"
same "legend at 200 columns" "" "$(grep -F '[1]' screen)"
colourless <screen | grep -q '^ls -l --color=always .*█' || bad "no bars at 200 columns: $(cat screen)"

# Wide, combining, invalid and control characters in the names of commands.
for name in 漢字 "$(printf 'e\314\201')" "$(printf 'a\377b')" "$(printf 'c\033[31m')" "$(printf 'n\nl')"; do
    ln -s "$P" "$name"
    ln -s "$P" "$name.2"
done
try 0 "$RECKON" compare -l calls --family=lstat,getxattr --sort=name ./漢字 "$(printf './e\314\201')" "$(printf './a\377b')" "$(printf "'./c\\033[31m'")"
cat >expected <<'END'
library call family   ./漢字   ./é ./a\377b './c\033[31m'
------------ -------- ------ ----- -------- -------------
getxattr     getxattr     29    29       29            29
lstat        lstat        23    23       23            23
------------ -------- ------ ----- -------- -------------
total                     52    52       52            52
ratio                  1.000 1.000    1.000         1.000
END
sed -i "s/é/$(printf 'e\314\201')/" expected
sed '/^$/d' out | diff expected - || bad "names of any bytes: the table differs"
LC_ALL=C try 0 "$RECKON" compare -l calls --family=lstat,getxattr --sort=name ./漢字 ./p
cat >expected <<'END'
library call family   ./\346\274\242\345\255\227   ./p
------------ -------- -------------------------- -----
getxattr     getxattr                         29    29
lstat        lstat                            23    23
------------ -------- -------------------------- -----
total                                         52    52
ratio                                      1.000 1.000
END
sed '/^$/d' out | diff expected - || bad "in the C locale: the table differs"
name=$(printf './n\nl')
try 0 "$RECKON" run -o - -f json -l calls "$name"
says out '"./n\nl"'
try 0 env LIBCOUNT_DISABLE=1 "$RECKON" run -o - "$name"
says out 'uncounted: '
same "raw line ends in a name" "" "$(sed -n '/^l/p' out)"
try 127 "$RECKON" run "$(printf './none\033[31m')"
same "escapes in a message" 'reckon: command: ./none\033[31m: No such file or directory' "$(cat err)"
ln -s "$(command -v ls)" 漢
ln -s "$(command -v ls)" "$(printf 'x\377\033')"
for ls in ./漢 "$(printf './x\377\033')"; do
    try 0 "$RECKON" ls --runs=1 --ls="$ls"
    silent err
    same "bytes that are no text" "" "$(LC_ALL=C tr -d '[:print:]\n\200-\376' <out)"
    iconv -f UTF-8 -t UTF-8 <out >text || bad "the report is no UTF-8"
done

# Progress: on a terminal, wiped at the end, never wider than it; nothing in a file.
on_terminal 40 "'$RECKON' ls --files=5 --runs=1000 --variant=-1 >report"
says report "time of 1000 runs"
sed 's/\x1b\[K/\n/g' screen >lines
grep -q '^timing in /' lines || bad "no progress on a terminal: $(cat -v screen)"
same "progress beyond 40 columns" "" "$(grep '.\{40\}' lines)"
same "end of the progress" "$(printf '\033[K')" "$(tail -c 3 screen)"
"$RECKON" ls --files=5 --runs=300 --variant=-1 >/dev/null 2>err
silent err
finish
