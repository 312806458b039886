/* Certified digits: evaluate enclosures with growing precision, or divide the exact fraction. */
#include "certify.h"

#include <math.h>
#include <stdlib.h>

enum {
    FEW_DIGITS = 1000,      /* up to here evaluations are as quick as the fraction */
    CHEAP_BITS = 65536,     /* up to here the least precision that certifies is looked for */
    MOST_BITS = 1 << 24,    /* precision where a request of few digits gives up */
};

/* One evaluation. Certified: both ends round to the same digits. */
static void attempt(struct certificate *certificate, const struct expression *expression, mpfr_prec_t precision,
                    size_t digits)
{
    struct evaluation evaluation = evaluate(expression, arithmetic_enclosure(precision));
    certificate->node = evaluation.undefined;
    certificate->state = evaluation.undefined < 0 ? UNPROVED : UNDEFINED;
    if (certificate->state == UNPROVED) {
        mpfr_set_prec(certificate->lower, precision);
        mpfr_set_prec(certificate->upper, precision);
        mpfr_swap(certificate->lower, evaluation.value[expression->result].enclosure.lower);
        mpfr_swap(certificate->upper, evaluation.value[expression->result].enclosure.upper);
    }
    evaluation_free(&evaluation);
    if (certificate->state == UNDEFINED)
        return;
    certificate->precision = precision;
    mpfr_srcptr lower = certificate->lower, upper = certificate->upper;
    bool proved = mpfr_number_p(lower) && mpfr_number_p(upper) && mpfr_sgn(lower) == mpfr_sgn(upper);
    if (!proved)
        return;
    free(certificate->value.digits);
    certificate->value = decimal_of_real(lower, digits, MPFR_RNDN);
    struct decimal other = decimal_of_real(upper, digits, MPFR_RNDN);
    if (decimal_equal(certificate->value, other))
        certificate->state = CERTIFIED;
    free(other.digits);
}

/* Between a precision that does not certify and one that does. */
static void find_least(struct certificate *certificate, const struct expression *expression, mpfr_prec_t fails,
                       size_t digits)
{
    mpfr_prec_t works = certificate->precision;
    while (works - fails > 1) {
        mpfr_prec_t middle = fails + (works - fails) / 2;
        attempt(certificate, expression, middle, digits);
        *(certificate->state == CERTIFIED ? &works : &fails) = middle;
    }
    if (certificate->precision != works)
        attempt(certificate, expression, works, digits);
}

static void take_fraction(struct certificate *certificate, mpq_srcptr exact, mpfr_prec_t precision, size_t digits)
{
    free(certificate->value.digits);
    certificate->value = decimal_of_rational(exact, digits);
    certificate->precision = precision;
    certificate->from_fraction = true;
    certificate->state = CERTIFIED;
    mpfr_set_prec(certificate->lower, precision);
    mpfr_set_prec(certificate->upper, precision);
    mpfr_set_q(certificate->lower, exact, MPFR_RNDD);
    mpfr_set_q(certificate->upper, exact, MPFR_RNDU);
}

/* An infinite end that more bits cannot bring back. */
static bool out_of_range(const struct certificate *certificate)
{
    return (mpfr_inf_p(certificate->lower) != 0) != (mpfr_inf_p(certificate->upper) != 0);
}

struct certificate certify(const struct expression *expression, mpq_srcptr exact, size_t digits)
{
    struct certificate certificate = { .state = UNPROVED, .node = -1 };
    mpfr_prec_t start = (mpfr_prec_t)ceil((double)digits * log2(10)) + 16, fails = 0, most = 64 * start;
    most = most < MOST_BITS ? MOST_BITS : most;
    if (exact)  /* ties and zero are never certified by narrowing: the fraction decides them */
        most = digits > FEW_DIGITS ? 0 : 8 * start + 8192;
    mpfr_init2(certificate.lower, MPFR_PREC_MIN);
    mpfr_init2(certificate.upper, MPFR_PREC_MIN);
    for (mpfr_prec_t precision = start; precision <= most; precision *= 2) {
        attempt(&certificate, expression, precision, digits);
        if (certificate.state != UNPROVED || out_of_range(&certificate))
            break;
        fails = precision;
    }
    if (certificate.state == CERTIFIED && digits <= FEW_DIGITS && certificate.precision <= CHEAP_BITS)
        find_least(&certificate, expression, fails, digits);
    else if (certificate.state == UNPROVED && exact)
        take_fraction(&certificate, exact, start, digits);
    else if (certificate.state == UNPROVED && out_of_range(&certificate))
        certificate.state = OUT_OF_RANGE;
    return certificate;
}

void certificate_free(struct certificate *certificate)
{
    free(certificate->value.digits);
    mpfr_clears(certificate->lower, certificate->upper, (mpfr_ptr)0);
}
