/* What the supervisor keeps: shared by supervise.c and supervise_count.c. */
#ifndef CALLS_WHOLE_COUNT_H
#define CALLS_WHOLE_COUNT_H

#include "supervisor.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* How often a number of an architecture (AUDIT_ARCH_...) was seen. */
struct supervised_row {
    uint32_t architecture;
    int number;
    uint64_t calls;
};

struct supervisor {
    char *library;                     /* NULL: none is preloaded */
    int sockets[2];
    pthread_t thread;
    atomic_bool stop, stopped;
    uint64_t calls[COUNTERS_NUMBERS];  /* of this machine's own architecture */
    struct supervised_row *rows;       /* all others */
    size_t row_count;
    uint64_t startup;
    uint32_t processes;
    void *tasks;                       /* a tsearch tree of the tasks that live */
    struct task *last;
    char *setuid;
};

#endif
