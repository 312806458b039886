/* The two sides of a comparison, and how pairs of runs of them are made. */
#ifndef GAUSS_PAIRS_SIDES_H
#define GAUSS_PAIRS_SIDES_H

#include "gauss/workload/workload.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One pair of runs. Seconds; B's `worker` figures are the server's own, NaN where there is no server. */
struct sample {
    unsigned block;
    bool b_first;
    double a_wall, a_cpu, a_fastest;  /* CPU of the computation and of its third fastest whole block, or NaN */
    double b_wall, b_cpu, b_fastest;  /* wall as the caller sees it */
    double b_worker_wall;
    uint64_t preemptions;      /* involuntary context switches of both computations */
    unsigned migrations;       /* computations that ended on another processor than they began on */
};

/* What is compared. */
struct sides {
    struct workload workload;
    bool self_test;            /* B is A */
    bool perl;                 /* the article's own programs */
    const char *reckon_b;      /* reckon's executable for B; NULL: this one */
    const char *perl_a, *perl_b;
};

/* What was found out along the way. */
struct findings {
    double null_call;          /* seconds, median of the last block's; NaN where there is no server */
    bool same;                 /* both sides ran the same executable and libraries */
    char *differences;         /* else: which, a line each; owned */
    char *perl_a, *perl_b;     /* what those perls are; owned, NULL without them */
};
void findings_free(struct findings *findings);

/* Make up to `pairs` pairs with fresh processes (and a fresh server) after a warm-up; order[i] is 'a' or 'b', the side
 * that goes first. Ends early, after one pair at least, at `deadline` (timing_wall). Returns the pairs made, or -1 after
 * saying what is wrong: above all when the sides' histograms differ. */
int sides_block(const struct sides *sides, const char *order, size_t pairs, double deadline, struct sample *samples,
                struct findings *findings);

/* The arguments that give another reckon this workload; NULL-terminated, owned. */
char **sides_arguments(const struct workload *workload);
void sides_arguments_free(char **arguments);

/* The article's programs, for perl -e; the role is the first argument (peers/article.pl). */
extern const char sides_script[] __attribute__((visibility("hidden")));
#define SIDES_PERL_COUNT 500000u  /* variates that a perl draws in a quarter of a second */

/* This program's own executable; not to be freed. */
char *sides_self(void);

#endif
