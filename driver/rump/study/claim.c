/* How many bits make a result right. Exactness is a property of what was computed: an operation on a rounded operand is
 * not exact, however short its exact value is. The errors that remain are bounded at one precision, and at that with all
 * larger ones: they shrink with the unit in the last place, and the ranges over which slopes are taken only narrow. */
#include "claim.h"

#include "common/memory.h"
#include "propagate.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_BITS = 1 << 24, MOST_BITS_OF_FUNCTIONS = 1 << 16, GUARD_BITS = 128, TRIES = 10 };

long claim_bits(mpq_srcptr value)
{
    mpz_srcptr numerator = mpq_numref(value), denominator = mpq_denref(value);
    if (mpz_scan1(denominator, 0) + 1 != mpz_sizeinbase(denominator, 2))
        return 0;
    return mpz_sgn(numerator) ? (long)(mpz_sizeinbase(numerator, 2) - mpz_scan1(numerator, 0)) : 1;
}

/* The exponent of the last bit of a dyadic fraction that is not zero. */
static long last_bit(mpq_srcptr value)
{
    return (long)mpz_scan1(mpq_numref(value), 0) - (long)mpz_scan1(mpq_denref(value), 0);
}

bool *claim_exact_nodes(const struct evaluation *exact)
{
    const struct expression *expression = exact->expression;
    bool *fits = memory_calloc((size_t)expression->count, sizeof *fits);
    for (int i = 0; i < expression->count; i++) {
        const struct node *node = expression->node + i;
        fits[i] = exact->known[i] && claim_bits(exact->value[i].rational);
        for (int j = 0; j < node->operands; j++)
            fits[i] = fits[i] && fits[node->operand[j]];
    }
    return fits;
}

/* Plus or minus a power of two. */
static bool is_shift(mpq_srcptr value)
{
    return mpq_sgn(value) && claim_bits(value) == 1;
}

/* Operations that are exact whatever their operands: they copy bits. */
static bool copies(const struct evaluation *exact, const bool *fits, const struct node *node)
{
    const int *x = node->operand;
    switch (node->operation) {
    case NEGATE: case ABS: case MIN: case MAX: return true;
    case MULTIPLY:
        if (fits[x[0]] && is_shift(exact->value[x[0]].rational))
            return true;
        /* fall through */
    case DIVIDE: return fits[x[1]] && is_shift(exact->value[x[1]].rational);
    default: return false;
    }
}

/* An addition is exact, too, where all it adds are multiples of a unit of which the sum has no more than 2^p: numbers of
 * p bits in [2^(e-1), 2^e) are multiples of 2^(e-p). */
static bool sum_is_exact(const struct propagation *propagation, const struct evaluation *exact, const bool *fits,
                         int index, long precision)
{
    const struct node *node = exact->expression->node + index;
    mpfr_t sum, limit;
    bool good = node->operation == ADD || node->operation == SUBTRACT || node->operation == SUM;
    if (!good)
        return false;
    mpfr_inits2(64, sum, limit, (mpfr_ptr)0);
    mpfi_mag(sum, propagation->value[index].enclosure);
    for (int i = 0; i < node->operands && good; i++) {
        int operand = node->operand[i];
        mpfi_mig(limit, propagation->value[operand].enclosure);
        if (fits[operand] && mpq_sgn(exact->value[operand].rational))
            mpfr_set_ui_2exp(limit, 1, precision + last_bit(exact->value[operand].rational), MPFR_RNDD);
        else if (!fits[operand] && mpfr_regular_p(limit))
            mpfr_set_ui_2exp(limit, 1, mpfr_get_exp(limit), MPFR_RNDD);
        else
            continue;  /* zero is a multiple of everything; of what may be zero nothing is known */
        good = mpfr_cmp(sum, limit) <= 0;
    }
    for (int i = 0; i < node->operands && good; i++) {
        mpfi_mig(limit, propagation->value[node->operand[i]].enclosure);
        good = fits[node->operand[i]] || mpfr_regular_p(limit);
    }
    mpfr_clears(sum, limit, (mpfr_ptr)0);
    return good;
}

/* Which nodes are exact with so many bits: their own and all before them fit. A new array. */
static bool *exact_with(const struct evaluation *exact, const bool *fits, long precision)
{
    const struct expression *expression = exact->expression;
    bool *exactly = memory_calloc((size_t)expression->count, sizeof *exactly);
    for (int i = 0; i < expression->count; i++) {
        exactly[i] = fits[i] && claim_bits(exact->value[i].rational) <= precision;
        for (int j = 0; j < expression->node[i].operands; j++)
            exactly[i] = exactly[i] && exactly[expression->node[i].operand[j]];
    }
    return exactly;
}

/* Most units in the last place by which the result is off at this precision; infinite where there is no bound. */
static double ulps_at(const struct evaluation *exact, const bool *can_fit, mpfr_rnd_t rounding, long precision)
{
    const struct expression *expression = exact->expression;
    bool *fits = exact_with(exact, can_fit, precision);
    struct propagation propagation = propagation_open(expression, precision + GUARD_BITS);
    mpfr_t error;
    bool good = true;
    mpfr_init2(error, 64);
    for (int i = 0; i < expression->count && good; i++) {
        good = propagation_enclose(&propagation, i);
        mpfr_set_zero(error, 1);
        if (good && !fits[i] && !copies(exact, fits, expression->node + i) &&
            !sum_is_exact(&propagation, exact, fits, i, precision)) {
            mpfi_mag(error, propagation.value[i].enclosure);
            if (!mpfr_zero_p(error))
                mpfr_set_ui_2exp(error, 1, mpfr_get_exp(error) - precision - (rounding == MPFR_RNDN), MPFR_RNDU);
        }
        good = good && propagation_round(&propagation, i, error);
    }
    double ulps = INFINITY;
    if (good) {
        mpfr_ptr radius = propagation.radius[expression->result], size = error;
        mpfi_mig(size, propagation.value[expression->result].enclosure);
        if (mpfr_zero_p(radius))
            ulps = 0;
        else if (mpfr_regular_p(size)) {
            mpfr_mul_2si(radius, radius, precision - mpfr_get_exp(size), MPFR_RNDU);
            ulps = mpfr_get_d(radius, MPFR_RNDU);
        }
    }
    mpfr_clear(error);
    free(fits);
    propagation_close(&propagation);
    return ulps;
}

/* Bits such that so many more than they are right, whatever the precision above. */
static double find_lost(const struct evaluation *exact, const bool *fits, mpfr_rnd_t rounding, double about)
{
    if (!(about < MOST_BITS_OF_FUNCTIONS))
        return INFINITY;
    for (long more = 4; more <= 256; more *= 2) {
        long precision = (long)ceil(fmax(about, 0)) + more;
        double ulps = ulps_at(exact, fits, rounding, precision), lost = ulps > 0 ? 1 + log2(ulps) : 0;
        /* Below this precision nothing is proved, and one digit is asked for at least. */
        if (lost + log2(10) < (double)precision + 1)
            return fmax(lost, (double)precision - log2(10));
    }
    return INFINITY;
}

struct claim claim_of(const struct evaluation *exact, mpfr_rnd_t rounding, double lost)
{
    struct claim claim = { 0, INFINITY, -1, INFINITY };
    bool *fits = claim_exact_nodes(exact);
    long least = 1;
    for (int i = 0; i < exact->expression->count; i++) {
        long bits = fits[i] ? claim_bits(exact->value[i].rational) : 0;
        if (bits > least || (bits && claim.needs < 0))
            claim.needs = i;
        least = bits > least ? bits : least;
    }
    long most = expression_is_rational(exact->expression) ? MOST_BITS : MOST_BITS_OF_FUNCTIONS;
    long precision = least, more = 1, tries = least > MOST_BITS_OF_FUNCTIONS ? 1 : TRIES;
    for (int i = 0; i < tries && precision <= most && claim.ulps > 1; i++, precision += more, more *= 2) {
        double ulps = ulps_at(exact, fits, rounding, precision);
        if (ulps < claim.ulps && ulps < CLAIM_ULPS) {
            /* A bound that hardly improves is no reason for more bits. */
            if (ulps <= 1 || !claim.precision || ulps < claim.ulps / 2)
                claim.precision = precision;
            claim.ulps = claim.precision == precision ? ulps : claim.ulps;
        }
    }
    claim.lost = find_lost(exact, fits, rounding, lost);
    free(fits);
    return claim;
}
