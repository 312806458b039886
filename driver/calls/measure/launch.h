/* Start a command exactly as a shell would start it, and wait for it. */
#ifndef CALLS_MEASURE_LAUNCH_H
#define CALLS_MEASURE_LAUNCH_H

#include <stdbool.h>
#include <sys/resource.h>

struct supervisor;

struct launch {
    char **argv;             /* ends with NULL */
    const char *directory;   /* where it runs; NULL: here */
    bool quiet;              /* standard input and output are /dev/null */
    bool tentative;          /* nothing is said where the supervisor is refused */
    const struct supervisor *supervisor;  /* sees every system call from the execve on; NULL: nobody does */
};

struct launch_end {
    int status;              /* as of waitpid */
    double real_s;           /* from before the start to after the end */
    struct rusage usage;     /* of the command and of the children that it waited for */
};

/* The file that the command's name stands for, as a new string. Returns 0, or an exit status (126 not executable,
 * 127 not found) after saying what is wrong. */
int launch_find(const struct launch *launch, char **path);

/* Run the file `path` as the command, with this environment, to its end. The same results; between interrupt_begin()
 * and interrupt_end(). */
int launch_run(const struct launch *launch, const char *path, char **environment, struct launch_end *end);

/* A command's exit status as a shell would tell it: its own, or 128 and the signal. */
int launch_exit_status(int status);

#endif
