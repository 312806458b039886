#!/bin/sh
# make install puts files where they find each other, under any name, and make uninstall removes those and no others.
. "$TOP/tests/cli/helpers"
build=${LIBCOUNT%/*}
mkdir -p 'a place'

made() { # TARGET [SETTING...]
    target=$1
    shift
    try 0 make -s -C "$TOP" B="$build" CC="${CC:-cc}" "$@" "$target"
    silent err
}
files() { (cd "$1" && find . ! -type d | LC_ALL=C sort | sed 's/^..//'); }

made install DESTDIR="$PWD/a place" PREFIX=/opt/x
cat >expected <<'END'
bin/countcalls
bin/reckon
lib/libcount-whole.so
lib/libcount.so
lib/pkgconfig/libcount.pc
share/bash-completion/completions/countcalls
share/bash-completion/completions/reckon
share/fish/vendor_completions.d/reckon.fish
share/man/man1/countcalls.1
share/man/man1/reckon.1
share/man/man7/libcount.7
share/zsh/site-functions/_reckon
END
same files "$(cat expected)" "$(files 'a place/opt/x')"
same "files that are not below PREFIX" "" "$(find 'a place' ! -type d ! -path 'a place/opt/x/*')"
same "programs" "./bin/countcalls ./bin/reckon " \
    "$(cd 'a place/opt/x' && find . -type f -perm -111 | LC_ALL=C sort | tr '\n' ' ')"
bin="$PWD/a place/opt/x/bin"
try 0 "$bin/reckon" run -o - -l calls -f csv "$FIXTURES/primes"
same "lstat by the installed reckon" 23 "$(calls out library lstat)"
silent err
try 0 "$bin/countcalls" -l calls -f csv -o report "$FIXTURES/primes"
same "lstat by the installed countcalls" 23 "$(calls report library lstat)"
try 0 "$bin/reckon" run -o - --whole -f csv true
same "execve by the installed library for whole runs" 1 "$(calls out system execve)"

# The loader finds the library by its name alone where it looks for libraries.
LD_LIBRARY_PATH="$PWD/a place/opt/x/lib" LD_PRELOAD=libcount.so ls -l / >out 2>err || bad "ls failed"
says err "libcount: ls -l / (1 process)"
says err statx
if command -v man >/dev/null; then
    try 0 man -M "$PWD/a place/opt/x/share/man" -w 1 reckon
fi

# What stood there before stays.
: >'a place/opt/x/bin/other'
made uninstall DESTDIR="$PWD/a place" PREFIX=/opt/x
same "files after uninstall" bin/other "$(files 'a place/opt/x')"
made uninstall DESTDIR="$PWD/a place" PREFIX=/opt/x

# A prefix with a space in it, and a library folder of its own.
made install PREFIX="$PWD/a prefix" LIBDIR="$PWD/a prefix/lib64"
try 0 "$PWD/a prefix/bin/countcalls" --version
same "libraries" "libcount-whole.so libcount.so pkgconfig/libcount.pc " "$(files 'a prefix/lib64' | tr '\n' ' ')"
PKG_CONFIG_PATH="$PWD/a prefix/lib64/pkgconfig"
export PKG_CONFIG_PATH
try 0 pkg-config --modversion libcount
same "version in libcount.pc" "$("$RECKON" --version | sed 's/.* //')" "$(cat out)"
try 0 pkg-config --variable=preload libcount
same "library in libcount.pc" "$PWD/a prefix/lib64/libcount.so" "$(cat out)"
made uninstall PREFIX="$PWD/a prefix" LIBDIR="$PWD/a prefix/lib64"
same "files after uninstall" "" "$(files 'a prefix')"
same "left behind" "" "$(left_behind)"
finish
