/* A program that runs beside us and tells us things line by line. */
#ifndef GAUSS_PROCESS_H
#define GAUSS_PROCESS_H

#include <stddef.h>
#include <sys/types.h>

struct process {
    pid_t pid;
    int output;       /* what it prints, non-blocking */
    char *text;       /* read, not yet handed out */
    size_t length;
};

/* Start argv (found along PATH), `input` on its standard input (NULL: nothing). It is ended when we end. 0, or -1 after
 * saying what is wrong; a program that cannot be executed shows by process_end's status only. */
int process_start(struct process *process, char *const argv[], const char *input);

/* The next line without its newline, a new string; NULL at the end of output or when the clock (timing_wall) passes
 * `deadline`. */
char *process_line(struct process *process, double deadline);

/* Send `signal` (0: none), wait for its end and release all. The exit status, or 128 + the signal that ended it. */
int process_end(struct process *process, int signal);

#endif
