/* Certified digits: a bound of the error that leaves but one way to round. Pure. */
#ifndef RUMP_STUDY_CERTIFY_H
#define RUMP_STUDY_CERTIFY_H

#include "rump/arithmetic/evaluate.h"
#include "rump/formula/number.h"

enum certified {
    CERTIFIED,
    UNDEFINED_THERE,  /* surely: see `node` */
    UNCERTAIN_THERE,  /* no precision that was tried tells whether it is: see `node` */
    OUT_OF_RANGE, UNPROVED,
};

struct certificate {
    enum certified state;
    int node;                /* the operation that is undefined, or may be */
    struct decimal value;    /* correctly rounded, ties to even */
    mpfr_prec_t precision;   /* bits of the evaluation; the least that certify, where looking for them is cheap */
    bool from_fraction;      /* the digits were divided out of the exact fraction, not taken from an evaluation */
    mpfr_t lower, upper;     /* lower <= exact <= upper */
};

/* `exact` is the exact value, or NULL where it is not known. Small requests are answered by enclosures, large ones by one
 * division where `exact` is there, else by one evaluation with a bound of its error. */
struct certificate certify(const struct expression *expression, mpq_srcptr exact, size_t digits);
void certificate_free(struct certificate *certificate);

#endif
