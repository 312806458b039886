/* How the result of an expression changes with each node. Pure. */
#ifndef RUMP_STUDY_GRADIENT_H
#define RUMP_STUDY_GRADIENT_H

#include "rump/arithmetic/operations.h"

/* Enclose the derivative of the result by each node, where `value` encloses each node: a new array of as many. */
mpfi_t *gradient_of(const struct expression *expression, union value *value);
void gradient_free(mpfi_t *gradient, const struct expression *expression);

#endif
