#!/bin/sh
# reckon run --whole: whoever descends from the command is followed, and nobody is left hanging.
. "$TOP/tests/cli/helpers"

# whole NAME: the calls of a system call in the report.
whole() { calls report system "$1"; }

# A program in C for what no shell can do; no library is loaded into it, so its calls are known to the last.
cat >tasks.c <<'C'
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void ask(int times)
{
    while (times--)
        syscall(SYS_getppid);
}

static void *thread(void *unused)
{
    ask(101);
    return unused;
}

int main(int argc, char **argv)
{
    const char *what = argv[1];
    if (!strcmp(what, "threads")) {
        pthread_t threads[64];
        for (int i = 0; i < 64; i++)
            pthread_create(&threads[i], NULL, thread, NULL);
        for (int i = 0; i < 64; i++)
            pthread_join(threads[i], NULL);
    } else if (!strcmp(what, "storm")) {
        for (int i = 0; i < 500; i++) {
            if (fork() == 0) {
                ask(3);
                _exit(0);
            }
        }
        while (wait(NULL) > 0)
            continue;
    } else if (!strcmp(what, "vfork")) {
        for (int i = 0; i < 17; i++) {
            if (vfork() == 0) {
                syscall(SYS_getppid);
                _exit(0);
            }
            wait(NULL);
        }
    } else if (!strcmp(what, "again")) {
        int left = atoi(argv[2]);
        char number[12] = { (char)('0' + left - 1), 0 };
        ask(7);
        if (left)
            execl("/proc/self/exe", argv[0], what, number, (char *)NULL);
    } else if (!strcmp(what, "daemon")) {
        if (fork())
            _exit(0);
        setsid();
        if (fork())
            _exit(0);
        usleep(200000);
        ask(23);
    } else if (!strcmp(what, "killed")) {
        ask(29);
        kill(getpid(), 9);
    } else if (!strcmp(what, "wait")) {
        for (;;)
            ask(1), usleep(1000);
    }
    return argc > 99;
}
C
cc -O1 -pthread -o tasks tasks.c || exit 1
cc -O1 -pthread -static -o tasks-static tasks.c || exit 1

for program in ./tasks ./tasks-static; do
    for level in syscalls both; do
        # shellcheck disable=SC2153 # the environment has it
        set -- "$RECKON" run --whole --level=$level --format=csv -o report "$program"
        try 0 "$@" threads
        same "$program $level: 64 threads" 6464 "$(whole getppid)"
        try 0 "$@" storm
        same "$program $level: 500 children" "1500 500" "$(whole getppid) $(whole clone)"
        try 0 "$@" vfork
        same "$program $level: vfork" "17 17" "$(whole getppid) $(whole vfork)"
        try 0 "$@" again 5
        same "$program $level: executes itself" "42 6" "$(whole getppid) $(whole execve)"
        try 0 "$@" daemon
        same "$program $level: a daemon is waited for" 23 "$(whole getppid)"
        "$@" killed 2>/dev/null
        same "$program $level: killed" "137 29 1" "$? $(whole getppid) $(whole kill)"
    done
done

# Library calls too: both kinds in one report.
try 0 "$RECKON" run --whole --level=both --format=csv -o report ls /
[ "$(calls report library readdir)" -gt 2 ] || bad "no library calls with --level=both"

# Exit statuses, and the usual failures.
try 7 "$RECKON" run --whole sh -c 'exit 7'
try 127 "$RECKON" run --whole ./nosuchcommand
says err "command: ./nosuchcommand: No such file or directory"
try 126 "$RECKON" run --whole /etc/passwd

# One listener is all that a process can have: the inner run says so, and the outer goes on.
try 125 "$RECKON" run --whole "$RECKON" run --whole true
says err "another supervisor listens to this process already"
says err "without --whole"

# A program that cannot load the library: --whole is what helps.
try 0 "$RECKON" run ./tasks-static vfork
says err "--whole"

# Compared side by side, and in a user namespace where that is allowed.
try 0 "$RECKON" compare --whole './tasks vfork' './tasks-static vfork'
says out "vfork"
if unshare -Ur true 2>/dev/null; then
    try 0 unshare -Ur "$RECKON" run --whole --format=csv -o report ./tasks vfork
    same "in a user namespace" 17 "$(whole vfork)"
fi

finish
