/* Pieces of text that the reports share. */
#include "words.h"

#include "common/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

char *words_shorten(const char *text, size_t width)
{
    return strlen(text) <= width ? memory_strdup(text) : memory_format("%.*s..", (int)width - 2, text);
}

char *words_fraction(const struct study *study, bool whole)
{
    if (!study->fraction)
        return NULL;
    char *text = memory_calloc(mpz_sizeinbase(mpq_numref(study->fraction), 10)
                               + mpz_sizeinbase(mpq_denref(study->fraction), 10) + 3, 1);
    mpq_get_str(text, 10, study->fraction);
    size_t length = strlen(text), numerator = strcspn(text, "/"), sign = *text == '-';
    if (whole || length <= 66)
        return text;
    free(text);
    size_t above = numerator - sign, below = numerator < length ? length - numerator - 1 : 1;
    return memory_format("(numerator %zu digit%s / denominator %zu digit%s)", above, above > 1 ? "s" : "", below,
                         below > 1 ? "s" : "");
}

struct bounds words_bounds(const struct certificate *certificate)
{
    size_t digits = strlen(certificate->value.digits) - (*certificate->value.digits == '-');
    struct decimal lower = decimal_of_real(certificate->lower, digits + 6, MPFR_RNDD);
    struct decimal upper = decimal_of_real(certificate->upper, digits + 6, MPFR_RNDU);
    struct bounds bounds = { digits, decimal_text(lower), decimal_text(upper) };
    free(lower.digits);
    free(upper.digits);
    return bounds;
}

char *words_operation(const struct study *study, const struct step *step)
{
    const char *name = study->expression->node[step->node].text;
    char *whole = expression_text(study->expression, step->node, true);
    char *text = name ? memory_format("%s = %s", name, whole) : memory_strdup(whole);
    free(whole);
    return text;
}

char *words_cancels(const struct study *study)
{
    const struct step *cancels = study->trace.cancels;
    if (!cancels)
        return NULL;
    char *name = expression_text(study->expression, cancels->node, false), *shown = words_shorten(name, 40);
    char *text = cancels->cancels_all ? memory_format("%s cancels all bits", shown)
                                      : memory_format("%s cancels %ld bits", shown, cancels->cancelled);
    free(name);
    free(shown);
    return text;
}

char *words_claim(const struct study *study)
{
    const struct claim *claim = &study->claim;
    if (claim->precision && claim->ulps == 0)
        return memory_format("p >= %ld: exact, as all operations are", claim->precision);
    if (claim->precision && claim->ulps <= 1)
        return memory_format("p >= %ld: right, less than 1 ulp off: all that can be exact is", claim->precision);
    if (claim->precision)
        return memory_format("p >= %ld: less than %.3g ulps off", claim->precision, ceil(claim->ulps * 10) / 10);
    if (!isfinite(claim->lost))
        return memory_strdup("no bound of the error was found");
    return memory_format("no number of bits makes it exact; p >= %.0f + 3.33 D for D digits", ceil(claim->lost));
}

char *words_condition(double condition)
{
    return isinf(condition) ? memory_strdup("infinite") : memory_format(condition < 1e4 ? "%.3g" : "%.1e", condition);
}
