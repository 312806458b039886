#!/bin/sh
# reckon run --whole sees what strace -f sees: every row of real commands, static programs too.
. "$TOP/tests/cli/helpers"

# compare_whole VARYING COMMAND...: every row of the two is the same, but those in the comma-separated VARYING, whose
# number depends on timing or on where the address-space layout puts the heap. Three tries: a command may differ from
# itself (a signal comes earlier, a cache is warm).
compare_whole() {
    varying=$1
    shift
    for how in --whole --whole=kernel; do
        agrees "$how" "$@" && continue
        bad "$* under $how: rows differ from strace's after 3 tries:"
        diff expected.fixed seen.fixed | sed 's/^/  | /'
    done
}

# With a library the loader may make one mmap more, for its own bookkeeping, in each program that it loads.
one_mmap_more() {
    programs=$(sed -n 's/^execve //p' expected)
    without=$(sed -n 's/^mmap //p' expected) with=$(sed -n 's/^mmap //p' seen)
    if [ -n "$without" ] && [ -n "$with" ] && [ $((with - without)) -ge 0 ] &&
        [ $((with - without)) -le "${programs:-0}" ]; then
        sed -i "s/^mmap .*/mmap $without/" seen
    fi
}

# agrees HOW COMMAND...
agrees() {
    way=$1
    shift
    for _ in 1 2 3; do
        strace -f -qq -o trace "$@" >/dev/null 2>&1 </dev/null
        awk -f "$TOP/tests/cli/calls/whole/oracle.awk" trace | sort >expected
        "$RECKON" run "$way" --format=csv -o report "$@" >/dev/null 2>&1 </dev/null
        sed -n 's/^.*,system,\([^,]*\),[^,]*,\([0-9]*\),.*$/\1 \2/p' report | sort >seen
        maps=''
        if [ "$way" = --whole ]; then
            one_mmap_more
            ! grep -q '"/proc/[a-z0-9]*/maps"' trace || maps='read'  # the library's mappings stand in it, too
        fi
        for file in expected seen; do
            awk -v varying=",$varying,$maps," '!index(varying, "," $1 ",")' $file >$file.fixed
        done
        cmp -s expected.fixed seen.fixed && [ -s seen.fixed ] && return
    done
    return 1
}

mkdir files
for i in $(seq 20); do : >"files/sample.$i"; done
git init -q repository 2>/dev/null
cat >program.c <<'C'
int main(void) { return 0; }
C
printf 'all:\n\t@echo made\n' >Makefile
printf 'b\na\nc\n' >lines

compare_whole "" ls -l files
compare_whole "" ls -1 files
compare_whole "" ls -R /etc/apt
compare_whole "" find /usr/share/doc -maxdepth 1
compare_whole "" du -s /usr/share/perl
compare_whole "" grep -r zzz /etc/apt
compare_whole "" tar cf /dev/null files
compare_whole "" git -C repository status
compare_whole "" perl -e 'print 1'
compare_whole "" sort lines
compare_whole "brk,mmap" awk 1 lines
compare_whole "rt_sigreturn" sh -c 'ls files | wc -l'  # two children may end as one SIGCHLD
compare_whole "" make
compare_whole "brk,getrandom,mmap,munmap,mremap" gcc -c program.c
compare_whole "" /usr/bin/python3 -c 'print(1)'  # another python3 may be a script, whose reads of pipes vary
compare_whole "rt_sigreturn" bash -c 'for i in 1 2 3; do (exit $i); done; x=$(echo x)'
compare_whole "" busybox ls -l files
cc -static -o static program.c && compare_whole "" ./static
musl-gcc -static -o musl program.c && compare_whole "" ./musl
musl-gcc -o musl-dynamic program.c && compare_whole "" ./musl-dynamic

# The sum of both figures is the whole, and the start is execve and the loader.
"$RECKON" run --whole=kernel --format=json -o report ls -l files >/dev/null
startup=$(sed -n 's/.*"startup_system_calls": \([0-9]*\).*/\1/p' report)
[ "${startup:-0}" -gt 10 ] || bad "startup_system_calls: '$startup'"
grep -q '"whole": true' report || bad "whole is not true"
grep -q '"errors": null' report || bad "errors that nobody saw are not null"
"$RECKON" run --whole --format=json -o report ./static
same "start of a static program" 1 "$(sed -n 's/.*"startup_system_calls": \([0-9]*\).*/\1/p' report)"
finish
