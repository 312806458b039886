/* Evaluate an expression in an arithmetic. Pure. */
#ifndef RUMP_EVALUATE_H
#define RUMP_EVALUATE_H

#include "arithmetic.h"

struct evaluation {
    const struct expression *expression;
    struct arithmetic arithmetic;
    union value *value;  /* one for each node */
    int undefined;       /* the node that is an exact division by zero, where evaluation stops; -1: none is */
};

/* All variables must be assigned. */
struct evaluation evaluate(const struct expression *expression, struct arithmetic arithmetic);
void evaluation_free(struct evaluation *evaluation);

/* The result as an MPFR number, which has the format's precision; for native formats and MPFR's. Returns the first node
 * that is not finite, -1 if all are; `by_zero` then tells whether a division by zero (after underflow) made it so. */
int evaluate_number(const struct expression *expression, struct arithmetic arithmetic, mpfr_ptr result, bool *by_zero);

/* Bits of the largest numerator or denominator that exact rationals can meet at most: check before evaluating. */
double evaluate_rational_bits(const struct expression *expression);

#endif
