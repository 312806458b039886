/* A program that runs beside us and tells us things line by line. */
#ifndef GAUSS_PAIRS_PROCESS_H
#define GAUSS_PAIRS_PROCESS_H

#include <sys/types.h>

struct process {
    pid_t pid;
    int output;  /* the reading end of its standard output */
};

/* Start argv (found along PATH) with nothing to read. It is ended when we end. 0, or -1 after saying what is wrong; a
 * program that cannot be executed says so itself and has the status of env(1). */
int process_start(struct process *process, char *const argv[]);

/* The next line without its newline, a new string; NULL at the end of output or when the clock (timing_wall) passes
 * `deadline`. */
char *process_line(struct process *process, double deadline);

/* Send `signal` (0: none), wait for its end and release all. The exit status, or 128 + the signal that ended it. */
int process_end(struct process *process, int signal);

#endif
