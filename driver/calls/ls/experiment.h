/* The experiment of reckon ls: variants of ls in directories of several sizes, counted, and timed without counting. */
#ifndef CALLS_LS_EXPERIMENT_H
#define CALLS_LS_EXPERIMENT_H

#include "calls/measure/measure.h"
#include "common/progress.h"
#include "common/statistics.h"

struct variant {
    char **argv;                /* "ls", "-l" */
    char *text;                 /* "ls -l" */
};

struct variant_times {          /* seconds */
    struct statistics_spread real, user, system;
    struct statistics_interval real_median;  /* where the median is, but for one time in twenty */
};

/* Calls that each further file costs; NAN where they were not counted. */
struct per_file {
    double library, system;
};

struct experiment {
    struct variant *variant;
    size_t variants;
    const char *directory;      /* an existing one; NULL: make some with `size` files */
    size_t *size;               /* files in each directory, ascending */
    size_t sizes;
    size_t rounds;              /* timed runs of each variant; 0: at least 10, and for at least a second */
    uint32_t flags;             /* enum counters_flags */

    struct measurement *result; /* [size * variants + variant] */
    bool article;               /* the article's figures are wanted too */
    struct count_list *whole;   /* for each variant, in the first directory: system calls from execve on */
    int64_t *startup;           /* for each variant: system calls from execve to the end of the loader; -1: not known */
    struct variant_times *times;
    size_t *timed;              /* runs of each variant, for each size */
    struct measurement *small;  /* for each variant, in a directory of `base` files; NULL: the first of `result` */
    size_t base;
    struct per_file *per_file;  /* for each variant, between `base` files and the largest size */
    struct progress progress;
};

/* Do it all. Returns 0, or an exit status after saying what is wrong (nothing is said when interrupt_noted()). */
int experiment_run(struct experiment *experiment);

/* What was counted in the smallest directory. */
const struct measurement *experiment_small(const struct experiment *experiment);

/* Free all of it, the variants and sizes too. */
void experiment_free(struct experiment *experiment);

#endif
