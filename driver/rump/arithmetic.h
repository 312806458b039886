/* Arithmetics behind one interface: native formats, MPFR at any precision, enclosures, exact rationals. Pure. */
#ifndef RUMP_ARITHMETIC_H
#define RUMP_ARITHMETIC_H

#include "expression.h"

#include <mpfr.h>

#ifdef __SIZEOF_FLOAT128__
typedef __float128 binary128;
#else
typedef long double binary128;  /* there long double is binary128 or nothing is; see arithmetic_formats */
#endif

union value {
    float binary32;
    double binary64;
    long double extended;
    binary128 binary128;
    mpfr_t real;
    struct { mpfr_t lower, upper; } enclosure;  /* lower <= exact <= upper; `real` is the lower end */
    mpq_t rational;
};

/* A binary format. With [emin, emax] as MPFR counts exponents: values are in [2^(emin-1), 2^emax). */
struct format {
    const char *name;
    mpfr_prec_t precision;
    mpfr_exp_t emin, emax;
    const struct operations *native;  /* the processor's or the compiler's own arithmetic, NULL: none */
};

struct arithmetic {
    const struct operations *operations;
    struct format format;
    mpfr_rnd_t rounding;
};

/* What an arithmetic must be able to do. */
struct operations {
    void (*init)(const struct arithmetic *, union value *);
    void (*clear)(union value *);
    void (*set)(const struct arithmetic *, union value *, mpq_srcptr);
    /* One operation; false where it is undefined (an exact division by zero). */
    bool (*apply)(const struct arithmetic *, const struct node *, union value *result, union value *const *operand);
    void (*get)(mpfr_ptr, const union value *);  /* exact when the MPFR number has the format's precision */
};

extern const struct operations real_operations, enclosure_operations, rational_operations;
extern const struct operations binary32_operations, binary64_operations, extended_operations, binary128_operations;

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

/* One operation on MPFR numbers, correctly rounded; returns MPFR's ternary value. */
int real_apply(const struct node *node, mpfr_ptr result, const mpfr_ptr *operand, mpfr_rnd_t rounding);

#endif
