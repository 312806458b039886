/* How good is a number? */
#include "judge.h"

#include "rump/formula/number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *judge_verdict(enum verdict verdict)
{
    static const char *const texts[] = { "right", "last digit", "partly", "wrong sign", "wrong",
                                         "underflow", "overflow", "by zero", "invalid" };
    return texts[verdict];
}

/* |value - reference|, with enough bits that a difference of nearly equal numbers is exact. */
static void error_of(mpfr_ptr error, mpfr_srcptr value, mpfr_srcptr reference)
{
    mpfr_init2(error, mpfr_get_prec(value) + mpfr_get_prec(reference));
    mpfr_sub(error, value, reference, MPFR_RNDN);
    mpfr_abs(error, error, MPFR_RNDN);
}

/* Decimal digits that agree: floor(-log10 of the relative error), between 0 and `most`. */
static long correct_digits(mpfr_srcptr error, mpfr_srcptr reference, long most)
{
    mpfr_t ratio;
    if (mpfr_zero_p(error))
        return most;
    if (mpfr_zero_p(reference))
        return 0;
    mpfr_init2(ratio, 64);
    mpfr_div(ratio, reference, error, MPFR_RNDD);
    mpfr_abs(ratio, ratio, MPFR_RNDD);
    mpfr_log10(ratio, ratio, MPFR_RNDD);
    double digits = floor(mpfr_get_d(ratio, MPFR_RNDD));
    mpfr_clear(ratio);
    return digits < 0 ? 0 : digits > (double)most ? most : (long)digits;
}

struct judgement judge(mpfr_srcptr value, const struct format *format, mpfr_srcptr reference, long digits)
{
    struct judgement judgement = { 0, NAN, OVERFLOWED };
    mpfr_t error;
    if (!mpfr_number_p(value))
        return judgement;
    error_of(error, value, reference);
    if (mpfr_sgn(value) * mpfr_sgn(reference) >= 0)
        judgement.correct_digits = correct_digits(error, reference, digits);
    if (!mpfr_zero_p(reference)) {
        mpfr_exp_t ulp = mpfr_get_exp(reference) - format->precision;
        mpfr_div_2si(error, error, ulp > format->emin - 1 ? ulp : format->emin - 1, MPFR_RNDN);
        judgement.ulps = mpfr_get_d(error, MPFR_RNDN);
    }
    if (mpfr_zero_p(reference) ? mpfr_zero_p(error) : mpfr_cmp_ui(error, 1) < 0)
        judgement.verdict = !mpfr_zero_p(reference) && mpfr_get_exp(reference) < format->emin ? UNDERFLOWED : RIGHT;
    else
        judgement.verdict = mpfr_sgn(value) * mpfr_sgn(reference) < 0 ? WRONG_SIGN : WRONG;
    mpfr_clear(error);
    return judgement;
}

/* Significant digits that a text shows: all from the first that is not zero, up to the exponent; 0 for a fraction. */
static long shown_digits(const char *text)
{
    long digits = 0;
    for (const char *at = text; *at && tolower((unsigned char)*at) != 'e'; at++)
        if (isdigit((unsigned char)*at) && (digits || *at != '0'))
            digits++;
    return strchr(text, '/') ? 0 : digits ? digits : 1;
}

/* Is `value` the reference to that many digits, rounded or cut off? */
static bool all_digits(mpfr_srcptr value, mpfr_srcptr reference, size_t digits)
{
    struct decimal shown = decimal_of_real(value, digits, MPFR_RNDN);
    struct decimal rounded = decimal_of_real(reference, digits, MPFR_RNDN);
    struct decimal cut = decimal_of_real(reference, digits, MPFR_RNDZ);
    bool all = decimal_equal(shown, rounded) || decimal_equal(shown, cut);
    free(shown.digits);
    free(rounded.digits);
    free(cut.digits);
    return all;
}

const char *judge_printed(const char *text, mpfr_srcptr reference, struct judgement *judgement, long *digits)
{
    mpq_t rational;
    mpfr_t value, error;
    mpq_init(rational);
    const char *wrong = number_read(text, rational);
    *judgement = (struct judgement){ 0, NAN, WRONG };
    if (!wrong) {
        *digits = shown_digits(text);
        mpfr_init2(value, mpfr_get_prec(reference));
        mpfr_set_q(value, rational, MPFR_RNDN);
        error_of(error, value, reference);
        if (mpfr_zero_p(error) || (*digits && all_digits(value, reference, (size_t)*digits)))
            *judgement = (struct judgement){ *digits, NAN, RIGHT };
        else if (mpfr_sgn(value) * mpfr_sgn(reference) < 0)
            judgement->verdict = WRONG_SIGN;
        else
            judgement->correct_digits = correct_digits(error, reference, *digits ? *digits - 1 : 0);
        if (judgement->correct_digits && judgement->verdict != RIGHT)
            judgement->verdict = judgement->correct_digits == *digits - 1 ? LAST_DIGIT : PARTLY;
        mpfr_clears(value, error, (mpfr_ptr)0);
    }
    mpq_clear(rational);
    return wrong;
}

const char *judge_class(mpfr_srcptr value, enum verdict verdict, mpfr_srcptr reference, mpfr_srcptr plausible)
{
    const struct format format = { NULL, mpfr_get_prec(value), mpfr_get_emin(), mpfr_get_emax(), NULL };
    if (verdict == RIGHT)
        return "right";
    if (mpfr_zero_p(value))
        return "zero";
    if (plausible && judge(value, &format, plausible, 1).verdict == RIGHT)
        return "plausible";
    if (!mpfr_number_p(value))
        return verdict == OVERFLOWED && mpfr_inf_p(value) ? "huge" : "other";
    mpfr_t limit;
    mpfr_init2(limit, 64);
    mpfr_abs(limit, reference, MPFR_RNDN);
    if (plausible && mpfr_cmpabs(plausible, limit) > 0)
        mpfr_abs(limit, plausible, MPFR_RNDN);
    mpfr_mul_ui(limit, limit, 100, MPFR_RNDN);
    bool huge = mpfr_cmpabs(value, limit) > 0;
    mpfr_clear(limit);
    return huge ? "huge" : "other";
}
