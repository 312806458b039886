/* What every arithmetic can do, and the values it does it to. Pure. */
#ifndef RUMP_ARITHMETIC_OPERATIONS_H
#define RUMP_ARITHMETIC_OPERATIONS_H

#include "rump/formula/expression.h"

#include <mpfr.h>
#include <mpfi.h>

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
    mpfi_t enclosure;  /* left <= exact <= right */
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

enum outcome {
    DONE,
    UNDEFINED,  /* surely: a division by zero, the root of a negative number */
    UNCERTAIN,  /* the operands' enclosures reach to where the operation is undefined: its own says nothing */
    UNKNOWN,    /* no value that this arithmetic can hold, as for the rational root of 2 */
};

/* What an arithmetic must be able to do. */
struct operations {
    void (*init)(const struct arithmetic *, union value *);
    void (*clear)(union value *);
    void (*set)(const struct arithmetic *, union value *, mpq_srcptr);
    enum outcome (*apply)(const struct arithmetic *, const struct node *, union value *result,
                          union value *const *operand);
    void (*get)(mpfr_ptr, const union value *);  /* exact when the MPFR number has the format's precision */
};

#endif
