#!/bin/sh
# reckon run --whole: a signal that arrives while a call waits for the supervisor is not seen by the call.
. "$TOP/tests/cli/helpers"
cat >calls.c <<'C'
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t came;

static void handler(int number)
{
    (void)number;
    came++;
}

static void tick(long microseconds)
{
    struct itimerval timer = { { 0, microseconds }, { 0, microseconds } };
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void check(int right, const char *what)
{
    if (!right) {
        tick(0);
        printf("wrong: %s: %s\n", what, strerror(errno));
        exit(1);
    }
}

/* Calls that no signal can interrupt, each known to the last. */
static void *calls(void *argument)
{
    pid_t me = getpid();
    for (long i = 0; i < (long)argument; i++) {
        check(getpid() == me, "getpid");
        check(getppid() > 0, "getppid");
        int copy = dup(1);
        check(copy >= 0, "dup");
        check(close(copy) == 0, "close");
        void *memory = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        check(memory != MAP_FAILED, "mmap");
        check(munmap(memory, 4096) == 0, "munmap");
        check(kill(me, 0) == 0, "kill");
        copy = open("/dev/null", O_RDONLY);
        check(copy >= 0, "open");
        check(close(copy) == 0, "close");
        check(sigprocmask(SIG_BLOCK, NULL, NULL) == 0, "sigprocmask");
    }
    return NULL;
}

/* A read that has begun is interrupted, each time. */
static void reads(int count)
{
    int ends[2];
    char byte;
    check(pipe(ends) == 0, "pipe");
    tick(20000);
    while (count--)
        check(read(ends[0], &byte, 1) < 0 && errno == EINTR, "a read that was interrupted");
}

int main(int argc, char **argv)
{
    struct sigaction action = { .sa_handler = handler };
    sigaction(SIGALRM, &action, NULL);
    if (!strcmp(argv[1], "reads")) {
        reads(29);
    } else if (!strcmp(argv[1], "threads")) {
        pthread_t threads[3];
        tick(150);
        for (int i = 0; i < 3; i++)
            pthread_create(&threads[i], NULL, calls, (void *)301L);
        for (int i = 0; i < 3; i++)
            pthread_join(threads[i], NULL);
    } else {
        tick(150);
        calls((void *)1009L);
    }
    tick(0);
    return argc > 2 || came < 5;
}
C
cc -O1 -pthread -o calls calls.c || exit 1
cc -O1 -pthread -static -o calls-static calls.c || exit 1

# Each call is made, and counts once, however often it was interrupted before it began.
for program in ./calls ./calls-static; do
    for how in --level=syscalls --level=both; do
        try 0 "$RECKON" run --whole $how --format=csv -o report $program one
        silent out
        same "$program $how: calls that were made" "1009 1009" \
            "$(calls report system getppid) $(calls report system kill)"
        try 0 "$RECKON" run --whole $how --format=csv -o report $program threads
        silent out
        same "$program $how: calls of threads" "903 903" \
            "$(calls report system getppid) $(calls report system kill)"
        try 0 "$RECKON" run --whole $how --format=csv -o report $program reads
        silent out
    done
done
finish
