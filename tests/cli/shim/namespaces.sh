#!/bin/sh
# Process numbers are not who a process is: in nested namespaces parent and child are both process 1.
. "$TOP/tests/cli/helpers"

unshare -pf true 2>/dev/null || { echo "skipped: no process namespaces can be made here"; finish; }
cat >nested.c <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    if (unshare(CLONE_NEWPID))
        return 1;
    if (fork() == 0) {
        for (int i = 0; i < 5; i++)
            getppid();
        _exit(getpid() != 1);
    }
    int status;
    wait(&status);
    for (int i = 0; i < 101; i++)
        getppid();
    return status != 0;
}
END
${CC:-cc} nested.c -o nested || bad "nested.c: not compiled"
for level in calls syscalls both; do
    # shellcheck disable=SC2016 # the inner shell's
    LIBCOUNT_LEVEL=$level try 0 unshare -pf sh -c 'LD_PRELOAD=$0 exec ./nested' "$LIBCOUNT"
    same "reports at level $level" 1 "$(grep -c '^libcount:' err)"
    says err '(2 processes)'
    grep -q '^ *106 .* getppid$' err || { bad "level $level: not 106 getppid:"; cat err; }
done
finish
