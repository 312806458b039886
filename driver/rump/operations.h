/* What every arithmetic can do, and the values it does it to. Pure. */
#ifndef RUMP_OPERATIONS_H
#define RUMP_OPERATIONS_H

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

#endif
