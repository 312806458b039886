/* What scripts/chaos counts: calls of known numbers, noted in a file that others can read while it runs.
 *
 *   count FILE THREADS         getppid, until it is killed: how often it began one, and how often one came back
 *   signals FILE THREADS N     N getppid in each thread, while every thread gets signals, whose handlers call getuid
 *   timers FILE N              N reads of a pipe, N getppid, with a timer at 10 kHz, whose handler calls getuid */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

enum { MOST = 1024 };

static struct notes {
    _Atomic long pid;
    _Atomic long handled;                       /* handlers that have made their call */
    struct { _Atomic long begun, done; } of[MOST];
} *notes;

static long rounds;
static atomic_int working;
static pthread_barrier_t all;

static void *count(void *number)
{
    for (long i = (long)number;;) {
        notes->of[i].begun++;
        getppid();
        notes->of[i].done++;
    }
    return NULL;
}

static void handler(int signal)
{
    (void)signal;
    getuid();
    notes->handled++;
}

static void *work(void *number)
{
    pthread_barrier_wait(&all);
    for (long i = 0; i < rounds; i++)
        getppid();
    notes->of[(long)number].done = rounds;
    working--;
    return number;
}

static void start(void *(*function)(void *), long threads, pthread_t *started)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 16);
    for (long i = 0; i < threads; i++)
        if (pthread_create(&started[i], &attributes, function, (void *)i))
            exit(3);
}

static void handle(int number)
{
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
    sigaction(number, &action, NULL);
}

static void signals(long threads)
{
    static pthread_t started[MOST];
    handle(SIGUSR1);
    working = (int)threads;
    pthread_barrier_init(&all, NULL, (unsigned)threads + 1);
    start(work, threads, started);
    pthread_barrier_wait(&all);
    for (long i = 0; working; i++)
        pthread_kill(started[i % threads], SIGUSR1);
    for (long i = 0; i < threads; i++)
        pthread_join(started[i], NULL);
}

static void timers(void)
{
    int ends[2];
    char byte = 0;
    struct itimerval often = { { 0, 100 }, { 0, 100 } }, never = { { 0, 0 }, { 0, 0 } };
    if (pipe(ends))
        exit(3);
    handle(SIGALRM);
    setitimer(ITIMER_REAL, &often, NULL);
    for (long i = 0; i < rounds; i++)
        if (write(ends[1], &byte, 1) != 1 || getppid() < 0 || read(ends[0], &byte, 1) != 1)
            exit(4);
    setitimer(ITIMER_REAL, &never, NULL);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    int file = open(argv[2], O_RDWR);
    long threads = strtol(argv[3], NULL, 10);
    notes = mmap(NULL, sizeof *notes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file < 0 || notes == MAP_FAILED || threads < 1)
        return 2;
    rounds = argc > 4 ? strtol(argv[4], NULL, 10) : threads;
    notes->pid = getpid();
    if (!strcmp(argv[1], "count")) {
        static pthread_t started[MOST];
        start(count, threads - 1, started);
        count((void *)(threads - 1));
    } else if (!strcmp(argv[1], "signals")) {
        signals(threads);
    } else {
        timers();
    }
    return 0;
}
