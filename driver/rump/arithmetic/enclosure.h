/* Arithmetics: enclosures by directed rounding. The exact result of the expression is never outside. Pure. */
#ifndef RUMP_ARITHMETIC_ENCLOSURE_H
#define RUMP_ARITHMETIC_ENCLOSURE_H

#include "operations.h"

extern const struct operations enclosure_operations;

/* One number, exactly. */
bool enclosure_is_point(mpfi_srcptr x);
bool enclosure_holds_zero(mpfi_srcptr x);

/* As MPFI's, but quick where x is large. */
void enclosure_sine(mpfi_ptr result, mpfi_srcptr x);
void enclosure_cosine(mpfi_ptr result, mpfi_srcptr x);

/* x^n for an integer n; x holds no zero where n is negative. */
void enclosure_power(mpfi_ptr result, mpfi_srcptr x, long n);

/* The smallest or largest of two. */
void enclosure_least(mpfi_ptr result, mpfi_srcptr x, mpfi_srcptr y);
void enclosure_most(mpfi_ptr result, mpfi_srcptr x, mpfi_srcptr y);

#endif
