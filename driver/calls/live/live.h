/* Runs that go on: found by the processes that have their table, and read without disturbing any. */
#ifndef CALLS_LIVE_LIVE_H
#define CALLS_LIVE_LIVE_H

#include "calls/measure/measure.h"
#include "common/output.h"
#include "shim/table/file.h"

#include <argp.h>

struct live {
    struct file file;              /* open for reading only, and not mapped: nobody can raise SIGBUS here */
    char *path;                    /* of the table, as its processes see it */
    int pid;                       /* of the command: the first process of the run that is not reckon itself */
    char **command;                /* its arguments; words_free() */
};

struct lives {
    struct live *run;
    size_t count;
};

/* The run that `pid` belongs to or, where it is 0, all that go on and are ours (root: everybody's). Returns 0, or -1
 * after saying what is wrong: no such process, none that is counted, a file that is no table. */
int live_find(struct lives *runs, int pid);
void live_free(struct lives *runs);

/* A copy of the run's table, to be freed; NULL where there is none any more. */
struct counters_table *live_copy(const struct live *run);

/* What such a copy says. */
void live_measure(const struct live *run, const struct counters_table *table, struct measurement *result);

/* Say that there is no table any more. */
void live_say_gone(const struct live *run);

/* Several runs: which process is to be named for each. */
void live_list(struct output *output, const struct lives *runs);

/* Whether a process has it still. */
bool live_goes_on(const struct live *run);

/* The process number of an argument; -1 for anything else. */
int live_pid(const char *text);

/* Take the argument that names a process; one, or none. */
void live_argument(int *pid, char *argument, const struct argp_state *state);

#endif
