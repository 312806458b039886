/* Arithmetics: MPFR numbers of any precision, also as emulated formats. Pure. */
#ifndef RUMP_ARITHMETIC_REAL_H
#define RUMP_ARITHMETIC_REAL_H

#include "operations.h"

extern const struct operations real_operations;

/* One operation on MPFR numbers, correctly rounded; returns MPFR's ternary value. */
int real_apply(const struct node *node, mpfr_ptr result, const mpfr_ptr *operand, mpfr_rnd_t rounding);

#endif
