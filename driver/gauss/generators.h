/* The two generators, each able to begin anywhere in its sequence, so that shares of it can be computed apart. */
#ifndef GAUSS_GENERATORS_H
#define GAUSS_GENERATORS_H

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

/* Perl: attempt k of the polar method takes numbers 2k and 2k + 1 of drand48's sequence. Make `attempts` attempts from
 * `first` on and count their variates in `tally`. Returns how many were accepted. */
uint64_t perl_attempts(const struct workload *workload, uint64_t first, uint64_t attempts, struct tally *tally);

/* The same, one at a time and in Perl's own arithmetic, until `accepted` were accepted. */
void perl_until(const struct workload *workload, uint64_t first, uint64_t accepted, struct tally *tally);

/* The variates of block `block` of the fast generator: FAST_BLOCK of them, the last block of a workload has fewer. */
#define FAST_BLOCK 262144u
void fast_block(uint64_t seed, uint64_t block, size_t count, struct tally *tally);

/* The same variates as numbers: standard normal. For the tests. */
void fast_variates(uint64_t seed, uint64_t block, double *out, size_t count, const struct kernels *kernels);

#endif
