/* A comparison's outcome: from pairs of runs to a verdict, and to its words. */
#ifndef GAUSS_PAIRS_JUDGE_H
#define GAUSS_PAIRS_JUDGE_H

#include "common/statistics.h"
#include "sides.h"

/* Reasons to doubt the figures; each has a name for programs and a sentence for people. */
enum doubt {
    DOUBT_FEW = 1,            /* fewer than COMPARE_PAIRS pairs */
    DOUBT_DRIFT = 2,          /* the ratio of the second half of the pairs is another: see `drift` */
    DOUBT_MODES = 4,          /* the ratios have two modes */
    DOUBT_PREEMPTED = 8,      /* others took the processor away */
    DOUBT_MIGRATED = 16,      /* runs changed the processor */
    DOUBT_STOLEN = 32,        /* the hypervisor gave the processor to others */
    DOUBT_UNLIKE = 64,        /* the sides did not run the same executable and libraries */
    DOUBT_CLOCKS = 128,       /* another clock has another verdict */
    DOUBT_LAST = DOUBT_CLOCKS,
};

/* What a run is timed by, in the order of preference: what its caller waits for, what it computes, and the part of that
 * which other programs disturb least. */
enum clock { CLOCK_WALL, CLOCK_CPU, CLOCK_FASTEST, CLOCKS };
#define COMPARE_PAIRS 10

struct comparison {
    const struct sides *sides;
    struct findings findings;
    struct sample *samples;
    size_t pairs;
    double margin;
    double elapsed;           /* seconds that all of it took */
    double stolen;            /* share of the processors' time that the hypervisor took meanwhile; NaN: unknown */

    /* From here on set by comparison_judge(). */
    struct statistics_interval ratios[CLOCKS];  /* B's time over A's, by pair; NaN where that clock has none */
    enum clock basis;                       /* the one that the verdict rests on */
    double sign_p, wall_sign_p;             /* by that clock, and by wall time */
    enum statistics_verdict verdict;
    size_t needed;                          /* pairs in all that a verdict needs, 0: nobody can say or it has one */
    double needed_s;                        /* the time that the missing ones take; NaN where needed is 0 */
    struct statistics_interval drift;       /* of the ratio from the first half of the pairs to the second, 99 % */
    double transport;                       /* seconds, median of caller's wall minus worker's; NaN without a server */
    unsigned doubts;
};

void comparison_judge(struct comparison *comparison);

/* "B is equivalent to A by CPU time: ratio 1.002 [0.995, 1.008]; transport costs 0.2 ms a call". A new string. */
char *comparison_sentence(const struct comparison *comparison);

/* "wall", "cpu", "fastest_block" for programs, "wall time" and so on for people. */
const char *comparison_clock_name(enum clock clock);
const char *comparison_clock_text(enum clock clock);

/* The doubt with this bit for programs and for people (a new string). */
const char *comparison_doubt_name(unsigned doubt);
char *comparison_doubt_text(const struct comparison *comparison, unsigned doubt);

#endif
