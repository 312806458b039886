/* Arithmetics behind one interface: native formats, MPFR at any precision, enclosures, exact rationals. Pure. */
#ifndef RUMP_ARITHMETIC_ARITHMETIC_H
#define RUMP_ARITHMETIC_ARITHMETIC_H

#include "operations.h"

/* binary16, binary32, binary64, x87 extended, binary128; the last has no name. */
extern const struct format arithmetic_formats[];

/* The arithmetic of a format: native where there is one that has the rounding mode, else emulated by MPFR with the
 * format's exponent range and subnormal numbers. */
struct arithmetic arithmetic_of(struct format format, mpfr_rnd_t rounding);
struct arithmetic arithmetic_emulated(struct format format, mpfr_rnd_t rounding);

/* MPFR numbers of `precision` bits with the exponent range that MPFR is set to. */
struct arithmetic arithmetic_real(mpfr_prec_t precision, mpfr_rnd_t rounding);
struct arithmetic arithmetic_enclosure(mpfr_prec_t precision);
struct arithmetic arithmetic_rational(void);

#endif
