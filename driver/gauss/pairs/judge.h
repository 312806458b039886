/* A comparison's outcome: from pairs of runs to a verdict, and to its words. */
#ifndef GAUSS_PAIRS_JUDGE_H
#define GAUSS_PAIRS_JUDGE_H

#include "common/statistics.h"
#include "sides.h"

/* Reasons to doubt the figures; each has a name for programs and a sentence for people. */
enum doubt {
    DOUBT_FEW = 1,            /* fewer than COMPARE_PAIRS pairs */
    DOUBT_DRIFT = 2,          /* the two halves' median ratios differ by more than the margin */
    DOUBT_MODES = 4,          /* the ratios have two modes */
    DOUBT_PREEMPTED = 8,      /* others took the processor away */
    DOUBT_MIGRATED = 16,      /* runs changed the processor */
    DOUBT_STOLEN = 32,        /* the hypervisor gave the processor to others */
    DOUBT_UNLIKE = 64,        /* the sides did not run the same executable and libraries */
};
#define COMPARE_PAIRS 10

struct comparison {
    const struct sides *sides;
    struct findings findings;
    struct sample *samples;
    size_t pairs;
    double margin;
    double stolen;            /* share of the processors' time that the hypervisor took meanwhile; NaN: unknown */

    /* From here on set by comparison_judge(). */
    struct statistics_interval ratio;       /* B's wall over A's, by pair */
    double sign_p;
    struct statistics_interval cpu_ratio;   /* the same of CPU times: where others disturb, it is the steadier one */
    enum statistics_verdict verdict;
    size_t needed;                          /* pairs in all that a verdict needs, 0: none would do or it has one */
    double transport;                       /* seconds, median of caller's wall minus worker's; NaN without a server */
    unsigned doubts;
};

void comparison_judge(struct comparison *comparison);

/* "B is equivalent to A: ratio 1.002 [0.995, 1.008]; transport costs 0.2 ms a call". A new string. */
char *comparison_sentence(const struct comparison *comparison);

/* The doubt with this bit for programs and for people (a new string). */
const char *comparison_doubt_name(unsigned doubt);
char *comparison_doubt_text(const struct comparison *comparison, unsigned doubt);

#endif
