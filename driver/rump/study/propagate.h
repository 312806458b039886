/* Bounds of the errors that roundings make in an evaluation, by the mean value theorem: what an operand is off by grows
 * by the largest slope where both the exact and the computed operands are. Pure. */
#ifndef RUMP_STUDY_PROPAGATE_H
#define RUMP_STUDY_PROPAGATE_H

#include "rump/arithmetic/evaluate.h"

struct propagation {
    const struct expression *expression;
    struct arithmetic arithmetic;
    union value *value;  /* encloses the exact and the computed value of each node */
    mpfr_t *radius;      /* most by which those two differ */
    union value **operand;
};

/* Enclosures take `precision` bits. */
struct propagation propagation_open(const struct expression *expression, mpfr_prec_t precision);
void propagation_close(struct propagation *propagation);

/* Enclose the node's result, before it is rounded; the nodes before it are done. False where there is no bound. */
bool propagation_enclose(struct propagation *propagation, int index);

/* Bound the node's error where rounding it adds no more than `rounding`. False where there is no bound. */
bool propagation_round(struct propagation *propagation, int index, mpfr_srcptr rounding);

#endif
