/* An expression over a box: variables that may have any value between two. Pure. */
#ifndef RUMP_STUDY_BOX_H
#define RUMP_STUDY_BOX_H

#include "rump/arithmetic/evaluate.h"

/* A variable and its range. */
struct side {
    const char *name;
    mpq_t lower, upper;
};

struct range {
    mpfi_t within;   /* all values over the box */
    mpfi_t reached;  /* values that were met: the range reaches from one end of it to the other at least */
    int uncertain;   /* an operation that may be undefined somewhere in the box, -1: none is */
    int undefined;   /* one that surely is, everywhere in some part of it; -1: none */
};

/* Split the box again and again where the ends of the enclosure are, until it hardly shrinks. */
struct range box_range(const struct expression *expression, const struct side *side, size_t sides, mpfr_prec_t precision);
void range_free(struct range *range);

#endif
