#!/bin/sh
# reckon ls: the article's experiment, its directory and what is left of it.
. "$TOP/tests/cli/helpers"
mkdir tmp
TMPDIR=$PWD/tmp
export TMPDIR

# cell NAME COLUMN: a number of the first table that has the row.
cell() { awk -v name="$1" -v column="$2" '$1 == name { print $(column + 1); exit }' out; }
at_least() { [ "$3" -ge "$2" ] 2>/dev/null || bad "$1: expected $2 or more, got '$3'"; }

# An ls whose calls are known, whatever the system's own one asks for.
cat >own.c <<'C'
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    struct dirent *entry;
    struct statx status;
    char value[9];
    DIR *folder = opendir(".");
    while ((entry = readdir(folder))) {
        if (entry->d_name[0] == '.')
            continue;
        if (argc > 1 && !strcmp(argv[1], "-l")) {
            statx(AT_FDCWD, entry->d_name, AT_SYMLINK_NOFOLLOW, STATX_ALL, &status);
            lgetxattr(entry->d_name, "security.x", value, sizeof value);
            getxattr(entry->d_name, "user.x", value, sizeof value);
        }
        write(1, entry->d_name, strlen(entry->d_name));
    }
    return closedir(folder);
}
C
${CC:-cc} -D_GNU_SOURCE -w -o own own.c || bad "own.c does not compile"

try 0 "$RECKON" ls --runs=2 --level=calls
silent err
same "first line" "20 files" "$(sed -n 1p out)"
same "head" "library call ls -l ls -1 ls" "$(sed -n 3p out | tr -s ' ')"
at_least "statx of ls -l" 20 "$(cell statx 1)"
same "readdir" "23 23 23" "$(cell readdir 1) $(cell readdir 2) $(cell readdir 3)"
same "names in order" "" "$(sed -n '/^----/,/^----/p' out | sed '1d;$d;/^----/,$d' | awk '{ print $1 }' | LC_ALL=C sort -c 2>&1)"
says out "time of 2 runs each without counting: median [min .. max]"
says out "calls that each file costs, between 1 and 20 files"
same "lines beyond 80 columns" "" "$(grep '.\{81\}' out)"
same "left in TMPDIR" "" "$(ls -A tmp)"
try 0 "$RECKON" ls --ls=./own --runs=1 --level=calls
for name in statx lgetxattr getxattr; do
    same "$name of ls -l, ls -1 and ls" "20 - -" "$(cell $name 1) $(cell $name 2) $(cell $name 3)"
done
same "calls per file" "5.000 2.000 2.000 " "$(sed -n '/each file costs/,$s/^.*own.*  *//p' out | tr '\n' ' ')"

# Longer than a second, but not on a terminal: no progress is shown.
try 0 "$RECKON" ls --runs=150 --level=calls --files=1000
silent err

# What two sizes have in common goes away: the slope.
try 0 "$RECKON" ls --ls=./own --runs=1 --level=calls --files=107,7,7 --format=json
silent err
tr -d ' \n' <out >flat
says flat '{"version":1,"runs":[{"files":7,"variants":[{"command":["./own","-l"],"exit":{"status":0},'
says flat '{"files":107,"variants":['
says flat '"startup_system_calls":null,"time":{"runs":1,"real_s":{"median":'
same "variants" 6 "$(grep -c '"total_system_calls"' out)"
# 107 files are 100 readdir, write and so on more than 7.
grep -q '"per_file":\[{"command":\["./own","-l"\],"library_calls":5.0,"system_calls":null},{"command":\["./own","-1"\],"library_calls":2.0,"system_calls":null},{"command":\["./own"\],"library_calls":2.0,"system_calls":null}\]}$' flat ||
    bad "per_file differs: $(sed 's/.*"per_file"//' flat)"

# Variants, another ls, and an existing directory that stays as it is.
mkdir -p dir/inner
touch dir/a dir/b dir/.hidden
find dir -printf '%p %m %T@ %C@\n' | sort >before
ln -s "$(command -v ls)" myls
try 0 "$RECKON" ls --runs=1 --level=calls --directory=dir --ls=./myls --variant='-l --color=always' --variant=-a --format=csv
find dir -printf '%p %m %T@ %C@\n' | sort | diff before - || bad "--directory was changed"
# 3 names, a hidden one, `.`, `..` and the end.
same "readdir of -l" 7 "$(sed -n 's/^3,.\/myls -l --color=always,library,readdir,getdents,\([0-9]*\),.*/\1/p' out)"
same "header" "files,command,kind,name,family,calls,errors,errnos,callers" "$(sed -n 1p out)"
same "commands" "./myls -l --color=always;./myls -a;" "$(sed 1d out | cut -d, -f2 | uniq | tr '\n' ';')"
try 0 "$RECKON" ls --runs=1 --level=calls --directory=dir
same "first line" "3 files" "$(sed -n 1p out)"

# ls fails: so do we.
try 125 "$RECKON" ls --runs=1 --variant=--nosuchoption
says err 'reckon: ls: `ls --nosuchoption`: exit status 2'
try 127 "$RECKON" ls --ls=/nonexistent/ls
same message "reckon: command: /nonexistent/ls: No such file or directory" "$(cat err)"
TMPDIR=/nonexistent try 125 "$RECKON" ls
says err "reckon: sample directory: /nonexistent/reckon-ls."
same "left in TMPDIR" "" "$(ls -A tmp)"

# A signal at any moment: the directory goes away, and reckon ends by the signal.
for delay in 0.01 0.05 0.1 0.3 1.2; do
    for signal in HUP INT TERM; do
        case $signal in HUP) number=1 ;; INT) number=2 ;; TERM) number=15 ;; esac
        env --default-signal=INT "$RECKON" ls --files=3000 --runs=1000 >out 2>err &
        driver=$!
        wait_until runs $driver reckon  # the shell before it has SIGINT ignored
        sleep $delay
        kill -$signal $driver
        wait $driver 2>/dev/null
        same "status after SIG$signal at $delay s" $((128 + number)) $?
        silent out
        silent err
        same "left in TMPDIR after SIG$signal at $delay s" "" "$(ls -A tmp)"
    done
done

# The article's columns are as printed, they add up, and its directory held 100 files.
try 0 "$RECKON" ls --runs=1 --article
same "2006, getxattr" "100 - -" "$(awk '/^family/ { on = 1 } on && $1 == "getxattr" { print $2, $3, $4 }' out)"
same "2006, lstat" "130 24 24" "$(awk '/^family/ { on = 1 } on && $1 == "lstat" { print $2, $3, $4 }' out)"
same "2006, total" "372 107 107" "$(awk '/^family/ { on = 1 } on && $1 == "total" { print $2, $3, $4 }' out)"
awk '/^family/ { on = 1; next } on && NF == 7 && $1 != "total" { for (i = 2; i <= 7; i++) sum[i] += $i }
     on && $1 == "total" { for (i = 2; i <= 7; i++) if ($i != sum[i]) print $0 " is not the sum in column " i; exit }' out >sums
silent sums
# Before glibc 2.34 libpthread's constructor is the first, and those of libraries run before ours.
awk '/program start/ { on = 1 } on && /^ls/ { print $NF }' out | head -3 >sums
awk '/^family/ { on = 1 } on && $1 == "total" { print $5; print $6; print $7 }' out >wholes
before=$(paste sums wholes | awk '{ print $2 - $1 }' | sort -u)
case $(getconf GNU_LIBC_VERSION) in
"glibc 2."[12]? | "glibc 2.3"[0-3])
    if [ "$before" -lt 0 ] || [ "$before" -gt 30 ]; then bad "$before calls between start and program"; fi
    ;;
*) same "start and program make the whole, but for" 0 "$before" ;;
esac
at_least "today, total of ls -l" 200 "$(awk '/^family/ { on = 1 } on && $1 == "total" { print $5 }' out)"
says out "directory held 100 files, not 20 as its text says."
same "left behind" "" "$(left_behind)"
finish
