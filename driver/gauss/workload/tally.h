/* A thread's own counts of a workload. */
#ifndef GAUSS_WORKLOAD_TALLY_H
#define GAUSS_WORKLOAD_TALLY_H

#include "kernels.h"
#include "workload.h"

/* Neighbouring variates are counted in different places, so that equal ones need not wait for each other's sums. */
#define TALLY_WAYS 4

/* What one thread counts, and its scratch memory. */
struct tally {
    const struct kernels *kernels;
    struct kernels_window window;
    uint64_t (*counts)[TALLY_WAYS]; /* per slot of the histogram, and two more for what the polar method rejects or doubts */
    uint64_t *cells;           /* counts of pairs of slots, folded into `counts` at the end; NULL for wide windows */
    size_t slots;
};
struct tally tally_new(const struct workload *workload, const struct workload_histogram *histogram,
                       const struct kernels *kernels);

/* A value that the rule puts well inside bin `index`. */
double tally_middle(int64_t index);

/* Count `count` slots. */
static inline void tally_count(struct tally *tally, const int32_t *slots, size_t count)
{
    uint64_t (*counts)[TALLY_WAYS] = tally->counts;
    for (size_t i = 0; i < count; i++)
        counts[slots[i]][i % TALLY_WAYS]++;
}

/* Add what was counted to the histogram (NULL: to none) and free the rest. */
void tally_finish(struct tally *tally, struct workload_histogram *histogram);

#endif
