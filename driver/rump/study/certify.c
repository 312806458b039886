/* Certified digits: enclosures, the exact fraction divided, or one long evaluation. Whatever is too wide tells how many
 * bits are missing. */
#include "certify.h"

#include "ball.h"

#include <math.h>
#include <stdlib.h>

enum {
    FEW_DIGITS = 1000,       /* up to here enclosures are quick */
    CHEAP_BITS = 65536,      /* up to here the least precision that certifies is looked for */
    MOST_BITS = 1 << 24,     /* precision where a request of few digits gives up */
    MOST_BITS_OF_FUNCTIONS = 1 << 18,
    SPARE_BITS = 16,
    TRIAL_BITS = 2048,       /* of the evaluation that tells how many bits a long one loses */
};

static double bits_of(size_t digits)
{
    return (double)digits * log2(10);
}

/* Bits that the enclosure has right: of 1 +- 2^-n it is n. */
static double good_bits(mpfr_srcptr lower, mpfr_srcptr upper)
{
    mpfr_t width;
    mpfr_init2(width, 64);
    mpfr_sub(width, upper, lower, MPFR_RNDU);
    double good = mpfr_zero_p(width) ? INFINITY
                  : mpfr_regular_p(width) ? (double)mpfr_get_exp(lower) - (double)mpfr_get_exp(width) : -INFINITY;
    mpfr_clear(width);
    return good;
}

/* One evaluation. Certified: both ends round to the same digits. */
static void attempt(struct certificate *certificate, const struct expression *expression, mpfr_prec_t precision,
                    size_t digits)
{
    struct evaluation evaluation = evaluate(expression, arithmetic_enclosure(precision));
    bool defined = evaluation.undefined < 0;
    certificate->state = !defined ? UNDEFINED_THERE : evaluation.uncertain >= 0 ? UNCERTAIN_THERE : UNPROVED;
    certificate->node = defined ? evaluation.uncertain : evaluation.undefined;
    if (defined) {
        mpfr_set_prec(certificate->lower, precision);
        mpfr_set_prec(certificate->upper, precision);
        mpfr_swap(certificate->lower, &evaluation.value[expression->result].enclosure->left);
        mpfr_swap(certificate->upper, &evaluation.value[expression->result].enclosure->right);
    }
    evaluation_free(&evaluation);
    certificate->precision = precision;
    mpfr_srcptr lower = certificate->lower, upper = certificate->upper;
    if (certificate->state != UNPROVED || !mpfr_number_p(lower) || !mpfr_number_p(upper) ||
        mpfr_sgn(lower) != mpfr_sgn(upper))
        return;
    free(certificate->value.digits);
    certificate->value = decimal_of_real(lower, digits, MPFR_RNDN);
    struct decimal other = decimal_of_real(upper, digits, MPFR_RNDN);
    if (decimal_equal(certificate->value, other))
        certificate->state = CERTIFIED;
    free(other.digits);
}

/* The precision to try after one that did not do: what is missing, where that can be seen, or twice as much. */
static mpfr_prec_t next_precision(const struct certificate *certificate, size_t digits)
{
    double missing = 0;
    if (mpfr_number_p(certificate->lower) && mpfr_number_p(certificate->upper) &&
        mpfr_sgn(certificate->lower) * mpfr_sgn(certificate->upper) > 0)
        missing = ceil(bits_of(digits) - good_bits(certificate->lower, certificate->upper)) + SPARE_BITS;
    return missing > 0 && missing < (double)certificate->precision ? certificate->precision + (mpfr_prec_t)missing
                                                                   : 2 * certificate->precision;
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

static void take_fraction(struct certificate *certificate, mpq_srcptr exact, size_t digits)
{
    free(certificate->value.digits);
    certificate->value = decimal_of_rational(exact, digits);
    certificate->precision = (mpfr_prec_t)ceil(bits_of(digits)) + SPARE_BITS;
    certificate->from_fraction = true;
    certificate->state = CERTIFIED;
    mpfr_set_prec(certificate->lower, certificate->precision);
    mpfr_set_prec(certificate->upper, certificate->precision);
    mpfr_set_q(certificate->lower, exact, MPFR_RNDD);
    mpfr_set_q(certificate->upper, exact, MPFR_RNDU);
}

/* The least number that MPFR has, with either sign. */
static bool is_least(mpfr_srcptr x)
{
    return mpfr_regular_p(x) && mpfr_get_exp(x) == mpfr_get_emin();
}

/* An infinite end that more bits cannot bring back, or a zero that they cannot leave. */
static bool out_of_range(const struct certificate *certificate)
{
    mpfr_srcptr lower = certificate->lower, upper = certificate->upper;
    return (mpfr_inf_p(lower) != 0) != (mpfr_inf_p(upper) != 0) || (mpfr_zero_p(lower) && is_least(upper)) ||
           (is_least(lower) && mpfr_zero_p(upper));
}

/* By enclosures whose precision grows up to `most` bits. */
static void certify_few(struct certificate *certificate, const struct expression *expression, size_t digits, mpfr_prec_t most)
{
    mpfr_prec_t fails = 0;
    mpfr_prec_t precision = (mpfr_prec_t)ceil(bits_of(digits)) + SPARE_BITS;
    while (precision <= most) {
        attempt(certificate, expression, precision, digits);
        if (certificate->state == CERTIFIED || certificate->state == UNDEFINED_THERE || out_of_range(certificate))
            break;
        fails = precision;
        precision = next_precision(certificate, digits);
        if (fails < most && precision > most)
            precision = most;
    }
    if (certificate->state == CERTIFIED && certificate->precision <= CHEAP_BITS)
        find_least(certificate, expression, fails, digits);
    else if (certificate->state == UNPROVED && out_of_range(certificate))
        certificate->state = OUT_OF_RANGE;
}

/* The digits of middle +- radius, where these leave but one way to round. */
static bool take_ball(struct certificate *certificate, mpfr_srcptr middle, mpfr_srcptr radius, size_t digits)
{
    mpfr_set_prec(certificate->lower, mpfr_get_prec(middle));
    mpfr_set_prec(certificate->upper, mpfr_get_prec(middle));
    mpfr_sub(certificate->lower, middle, radius, MPFR_RNDD);
    mpfr_add(certificate->upper, middle, radius, MPFR_RNDU);
    certificate->precision = mpfr_get_prec(middle);
    free(certificate->value.digits);
    certificate->value = (struct decimal){ 0 };
    return decimal_of_ball(&certificate->value, middle, radius, digits);
}

/* By one evaluation of about the precision that is needed: a short one before tells how many bits it loses. The sign is
 * known. False where no bound of its error is found. */
static bool certify_many(struct certificate *certificate, const struct expression *expression, size_t digits)
{
    mpfr_t middle, radius;
    mpfr_prec_t bits = 128, precision = TRIAL_BITS;
    double good = 0;
    bool done = false;
    mpfr_inits2(64, middle, radius, (mpfr_ptr)0);
    while (precision <= CHEAP_BITS && !(good > 0)) {
        mpfr_set_prec(middle, precision);
        good = ball_evaluate(expression, bits, middle, radius) && mpfr_regular_p(middle)
            ? (double)mpfr_get_exp(middle) - (double)mpfr_get_exp(radius) : 0;
        if (!(good > 0)) {
            bits *= 2;
            precision *= 2;
        }
    }
    for (int tries = 0; good > 0 && !done && tries < 4; tries++) {
        double lost = mpfr_zero_p(radius) ? 0 : (double)precision - good;
        precision = (mpfr_prec_t)ceil(bits_of(digits) + lost) + SPARE_BITS + 64 * tries;
        mpfr_set_prec(middle, precision);
        good = ball_evaluate(expression, bits, middle, radius)
            ? (double)mpfr_get_exp(middle) - (double)mpfr_get_exp(radius) : 0;
        done = good > 0 && take_ball(certificate, middle, radius, digits);
    }
    certificate->state = done ? CERTIFIED : UNPROVED;
    mpfr_clears(middle, radius, (mpfr_ptr)0);
    return done;
}

struct certificate certify(const struct expression *expression, mpq_srcptr exact, size_t digits)
{
    struct certificate certificate = { .state = UNPROVED, .node = -1 };
    mpfr_prec_t most = expression_is_rational(expression) ? MOST_BITS : MOST_BITS_OF_FUNCTIONS;
    size_t few = digits < FEW_DIGITS ? digits : FEW_DIGITS;
    mpfr_inits2(MPFR_PREC_MIN, certificate.lower, certificate.upper, (mpfr_ptr)0);
    if (exact && digits > FEW_DIGITS) {
        take_fraction(&certificate, exact, digits);
        return certificate;
    }
    /* Ties and zero are never certified by narrowing: the fraction decides them. */
    certify_few(&certificate, expression, few, exact ? 8 * (mpfr_prec_t)(bits_of(few) + SPARE_BITS) + 8192 : most);
    if (certificate.state == UNPROVED && exact)
        take_fraction(&certificate, exact, digits);
    else if (certificate.state == CERTIFIED && few < digits && !certify_many(&certificate, expression, digits))
        certify_few(&certificate, expression, digits, 4 * (mpfr_prec_t)bits_of(digits) + most);
    return certificate;
}

void certificate_free(struct certificate *certificate)
{
    free(certificate->value.digits);
    mpfr_clears(certificate->lower, certificate->upper, (mpfr_ptr)0);
}
