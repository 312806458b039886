/* The generator `perl`, able to begin anywhere in its sequence: attempt k of the polar method takes numbers 2k and 2k + 1
 * of drand48's. */
#ifndef GAUSS_WORKLOAD_PERL_H
#define GAUSS_WORKLOAD_PERL_H

#include "tally.h"

/* Make `attempts` attempts from `first` on and count their variates in `tally`. Returns how many were accepted. */
uint64_t perl_attempts(const struct workload *workload, uint64_t first, uint64_t attempts, struct tally *tally);

/* The same, one at a time and in Perl's own arithmetic, until `accepted` were accepted. */
void perl_until(const struct workload *workload, uint64_t first, uint64_t accepted, struct tally *tally);

#endif
