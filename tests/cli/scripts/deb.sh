#!/bin/sh
# make deb: lintian finds nothing in the package, it runs from where it is unpacked, and as root it is installed, used
# and purged again.
. "$TOP/tests/cli/helpers"
command -v dpkg-shlibdeps >/dev/null || { echo "no dpkg-dev here"; exit 0; }
build=${RECKON%/*}
# Who makes the package is asked of git, and there may be none.
export DEBFULLNAME='The tests' DEBEMAIL=tests@debian.org
try 0 make -s -C "$TOP" B="$build" CC="${CC:-cc}" deb
package=$(tail -n 1 out)
[ -s "$package" ] || bad "no package: $package"
same "version" "$("$RECKON" --version | sed 's/.* //')-1" "$(dpkg-deb -f "$package" Version)"
if command -v lintian >/dev/null; then
    try 0 lintian --allow-root --fail-on error,warning "$package"
    grep -v '^N: .* overridden' out >complaints
    silent complaints
fi

dpkg-deb -x "$package" root
dpkg-deb -e "$package" root/DEBIAN
library=$(find "$PWD/root/usr/lib" -name libcount.so)
try 0 sh -c 'cd root && md5sum -c --quiet DEBIAN/md5sums'
LD_PRELOAD=$library LIBCOUNT_LEVEL=calls LIBCOUNT_FORMAT=csv "$FIXTURES/primes" 2>report || bad "primes failed"
same "lstat with the unpacked library" 23 "$(calls report library lstat)"
try 0 root/usr/bin/countcalls -f csv -l calls -o report "$FIXTURES/primes"
same "lstat by the unpacked countcalls" 23 "$(calls report library lstat)"

# dpkg waits for nobody: another one may be at work for a moment.
dpkg_now() {
    patience=60
    until dpkg "$@" >out 2>err; do
        patience=$((patience - 1))
        if [ $patience -eq 0 ] || ! grep -q lock err; then
            bad "dpkg $*: $(cat err)"
            return 1
        fi
        sleep 0.5
    done
}
# The files and folders of the package that are on this system.
present() {
    dpkg-deb -c "$package" | sed 's/^[^.]*\.\(\/.*\)/\1/; s/.* \.\//\//' | while IFS= read -r file; do
        [ ! -e "$file" ] || echo "$file"
    done
}
if [ "$(id -u)" -eq 0 ] && ! dpkg-query -W libcount >/dev/null 2>&1 && [ ! -e "${library#"$PWD/root"}" ]; then
    present >before
    trap 'dpkg --purge libcount >/dev/null 2>&1' EXIT
    dpkg_now -i "$package"
    LD_PRELOAD=libcount.so ls -l / >out 2>err || bad "ls failed"
    says err "libcount: ls -l / (1 process)"
    says err statx
    try 0 /usr/bin/reckon run -o - -l calls -f csv "$FIXTURES/primes"
    same "lstat by the installed reckon" 23 "$(calls out library lstat)"
    try 0 /usr/bin/reckon run -o - --whole -f csv true
    grep -q ',system,execve,' out || bad "--whole does not see execve"
    dpkg_now --purge libcount
    trap - EXIT
    present >after
    same "what the package left behind" "" "$(diff before after)"
    same "the loader's cache" "" "$(ldconfig -p | grep libcount)"
    try 1 dpkg-query -W libcount
fi
finish
