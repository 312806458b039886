/* The wrappers of functions that make processes and end them. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "filter/seal.h"
#include "process.h"
#include "report/render.h"
#include "report/report.h"
#include "table/kernel.h"
#include "wrap/wrap.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Where system calls are counted, exit_group does this: the last moment that there is. */
static void ending(int status)
{
    if (!dispatch_armed)
        process_ending(status);
}

#define FORK(name)                              \
    pid_t WRAPPED(name)(void)                     \
    {                                           \
        WRAP(name)                              \
        if (!next)                              \
            return MISSING_minus;               \
        pid_t pid = next();                     \
        if (pid == 0)                           \
            process_child();                    \
        return counted_result(row, pid);        \
    }
FORK(fork)
FORK(__fork)
FORK(_Fork)

struct start {
    int (*function)(void *);
    void *argument;
};

static int start_forked(void *memory)
{
    struct start *start = memory;
    process_child();
    return start->function(start->argument);
}

/* A child with memory of its own begins in start_forked; it has a copy of `start`. */
int WRAPPED(clone)(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
    WRAP(clone)
    va_list list;
    va_start(list, argument);
    pid_t *parent = va_arg(list, pid_t *);
    void *thread_data = va_arg(list, void *);
    pid_t *child = va_arg(list, pid_t *);
    va_end(list);
    struct start start = { function, argument };
    if (flags & CLONE_VM || !function)
        return counted_result(row, next(function, stack, flags, argument, parent, thread_data, child));
    return counted_result(row, next(start_forked, stack, flags, &start, parent, thread_data, child));
}

int WRAPPED(daemon)(int keep_folder, int keep_streams)
{
    WRAP(daemon)
    bool root = report_root && counters_table->root == process_self();
    int result = next(keep_folder, keep_streams);
    if (result == 0 && counters_table) {  /* our parent has ended inside libc: the report is the daemon's now */
        if (root && !dispatch_armed)
            counters_table->root = process_self();
        process_seen();
    }
    return counted_result(row, result);
}

#define ENDING(name, parameters, arguments, prepare)            \
    __attribute__((noreturn)) void WRAPPED(name) parameters       \
    {                                                           \
        WRAP(name)                                              \
        prepare;                                                \
        next arguments;                                         \
        __builtin_unreachable();                                \
    }
ENDING(_exit, (int status), (status), ending(status))
ENDING(_Exit, (int status), (status), ending(status))
ENDING(exit, (int status), (status), report_quick(status))
ENDING(quick_exit, (int status), (status), report_quick(status))
ENDING(abort, (void), (), if (report_root) report_print(RENDER_SIGNAL + SIGABRT))
ENDING(pthread_exit, (void *result), (result), (void)0)
