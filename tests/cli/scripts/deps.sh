#!/bin/sh
# scripts/deps: of several names the one that the release knows, what a release lacks by name, and apt's words where it
# fails; scripts/check goes on without what is lacking, and is no success; scripts/demo builds the library. apt and its
# kin are told here what to know, what is installed, and what fails.
. "$TOP/tests/cli/helpers"

mkdir programs
cat >programs/dpkg-query <<'END'
#!/bin/sh
for package; do :; done
! grep -qx "$package" installed || printf 'installed '
END
cat >programs/apt-cache <<'END'
#!/bin/sh
! grep -qx "$2" known || echo "$2 | 1"
END
cat >programs/apt-get <<'END'
#!/bin/sh
echo "$@" >>asked
[ "$2" != update ] || exit 0
[ ! -e broken ] || { echo "one : Depends: two but it is not going to be installed"; exit 100; }
for package; do case $package in -* | install) ;; *) echo "$package" >>installed ;; esac; done
END
cat >programs/sudo <<'END'
#!/bin/sh
echo "as root:" >>asked
exec env -u DEBIAN_FRONTEND "$@"
END
cat >programs/id <<'END'
#!/bin/sh
echo 1000
END
chmod +x programs/*
PATH=$PWD/programs:$PATH

# deps STATUS NAME...
deps() {
    status=$1
    shift
    : >asked
    try "$status" "$TOP/scripts/deps" these "$@"
}
printf '%s\n' dpkg one old new >known
echo one >installed
deps 0 one
same "what is asked of apt where nothing is missing" "" "$(cat asked)"
deps 0 one 'newer|old' 'new|old'
same "installed" "one old new" "$(xargs <installed)"
says err "scripts/deps: installing with apt: old new"
same "as root" 2 "$(grep -c 'as root' asked)"

# What the release lacks is named; all others are installed first.
echo two >>known
deps 3 none 'neither|nor' two
same "installed beside what is lacking" "one old new two" "$(xargs <installed)"
same "what is lacking" "scripts/deps: this release has no package none nor" "$(tail -n 1 err)"
deps 3 none
grep -q install asked && bad "apt-get is asked to install nothing: $(cat asked)"

: >broken
echo three >>known
deps 1 three
says err "one : Depends: two"
says err "apt-get has not installed: three"
rm broken

# The scripts, in a tree of their own whose make tells what it does.
mkdir tree tree/scripts tree/build
cp "$TOP/scripts/deps" "$TOP/scripts/check" "$TOP/scripts/demo" tree/scripts
cp "$LIBCOUNT" tree/build
printf '#!/bin/sh\necho "made: $*"\n' >programs/make
printf '#!/bin/sh\necho "reckon $*"\n' >tree/build/reckon
chmod +x programs/make tree/build/reckon
"$TOP/scripts/deps" nothing 2>usage && bad "scripts/deps takes any word"
sed -n '/^build=/,/^bench=/p' "$TOP/scripts/deps" | sed 's/.*="//; s/"//; s/#.*//' | tr -s ' |' '\n' |
    sed '/^\$/d; /^$/d' >>known
grep -q '^libmpfi-dev$' known || bad "libmpfi-dev is no name in scripts/deps"
touch tree/installed
cp known tree/known
for step in demo check; do try 0 sh -c "cd tree && scripts/$step words"; done
same "check with all packages" "made: -s check words" "$(cat out)"

grep -vx libmpfi-dev known >tree/known
grep -vx libmpfi-dev tree/installed >without && mv without tree/installed
try 3 sh -c 'cd tree && scripts/check words'
same "check without one" "made: -s check words" "$(cat out)"
says err "this release has no package libmpfi-dev"
try 3 sh -c 'cd tree && scripts/demo words'
same "demo without one" "made: -s build/libcount.so" "$(cat out)"
says err "this release has no package libmpfi-dev"
says err "without it there is no reckon; the library: LD_PRELOAD=$PWD/tree/build/libcount.so"
finish
