/* How the pairs of a comparison come together. */
#ifndef GAUSS_PAIRS_COLLECT_H
#define GAUSS_PAIRS_COLLECT_H

#include "judge.h"

struct collect {
    uint64_t rounds;          /* 0: COMPARE_PAIRS at least, then until the interval is as narrow as the margin */
    double seconds;           /* most that it may take, but for the first pair; INFINITY: as long as it takes */
    bool count_chosen;        /* of the workload fewer variates on a busy machine */
    const char *label;        /* in front of the progress */
};

/* Make pairs of runs of `sides`, which are comparison->sides. 0, or -1 after saying what is wrong. */
int collect_pairs(const struct collect *collect, struct sides *sides, struct comparison *comparison);

#endif
