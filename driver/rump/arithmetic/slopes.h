/* Partial derivatives of operations, enclosed. Pure. */
#ifndef RUMP_ARITHMETIC_SLOPES_H
#define RUMP_ARITHMETIC_SLOPES_H

#include "operations.h"

/* Enclose the derivative of the node's operation by operand `which` where the operands are in `x` and the result is in
 * `result`. All real numbers where it is not bounded there. */
void slopes_of(const struct node *node, int which, mpfi_ptr slope, union value *const *x, mpfi_srcptr result);

#endif
