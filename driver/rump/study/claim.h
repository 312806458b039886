/* From which precision on an evaluation is right, with proof. Pure. */
#ifndef RUMP_STUDY_CLAIM_H
#define RUMP_STUDY_CLAIM_H

#include "rump/arithmetic/evaluate.h"

/* In MPFR numbers of p >= `precision` bits the result is off by less than `ulps` units in the last place, whatever p:
 * the operations of which operands and result fit `precision` bits are exact, the errors of the others are bounded. */
struct claim {
    long precision;  /* 0: no such bound below CLAIM_ULPS was found */
    double ulps;     /* at most 1: the result is right */
    int needs;       /* the exact operation that needs most bits, -1: none is exact */
    double lost;     /* lost + 3.33 D bits and more have D digits right; infinite: not known, as of a zero */
};

#define CLAIM_ULPS 1000

/* `exact` is an evaluation in rationals, some of which may be unknown; the result is known or not zero. `lost` are the bits
 * that may be lost, about. */
struct claim claim_of(const struct evaluation *exact, mpfr_rnd_t rounding, double lost);

/* Bits that hold a fraction; 0: no number of bits does. */
long claim_bits(mpq_srcptr value);

/* Whether each node is computed exactly where there are bits enough: its operands are, and its value has bits. A new
 * array. */
bool *claim_exact_nodes(const struct evaluation *exact);

#endif
