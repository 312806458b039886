/* Certified digits: an enclosure whose two ends round to the same decimal. Pure. */
#ifndef RUMP_CERTIFY_H
#define RUMP_CERTIFY_H

#include "evaluate.h"
#include "number.h"

enum certified { CERTIFIED, UNDEFINED, OUT_OF_RANGE, UNPROVED };

struct certificate {
    enum certified state;
    int node;                /* UNDEFINED: the division by zero */
    struct decimal value;    /* correctly rounded, ties to even */
    mpfr_prec_t precision;   /* bits of the enclosure; of an evaluation, the least that certify, where cheap */
    bool from_fraction;      /* the digits were divided out of the exact fraction, not taken from an evaluation */
    mpfr_t lower, upper;     /* lower <= exact <= upper */
};

/* `exact` is the exact value, or NULL where it is not known. Small requests are answered by evaluations with
 * growing precision, large ones by one division where `exact` is there. */
struct certificate certify(const struct expression *expression, mpq_srcptr exact, size_t digits);
void certificate_free(struct certificate *certificate);

#endif
