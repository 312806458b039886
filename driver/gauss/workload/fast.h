/* The generator `fast`: blocks of variates that can be computed in any order. */
#ifndef GAUSS_WORKLOAD_FAST_H
#define GAUSS_WORKLOAD_FAST_H

#include "tally.h"

/* The variates of block `block` of the fast generator: FAST_BLOCK of them, the last block of a workload has fewer. */
#define FAST_BLOCK 262144u
void fast_block(uint64_t seed, uint64_t block, size_t count, struct tally *tally);

/* The same variates as numbers: standard normal. For the tests. */
void fast_variates(uint64_t seed, uint64_t block, double *out, size_t count, const struct kernels *kernels);

#endif
