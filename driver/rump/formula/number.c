/* Numbers as text: read exactly, written as decimals or in hexadecimal. */
#include "number.h"

#include "common/memory.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Digits beyond those that are wanted, so that what comes after them is known. */
enum { GUARD = 18 };
#define GUARD_HALF 500000000000000000u

static bool is_hexadecimal(const char *text)
{
    return text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

static bool is_digit(char character, bool hexadecimal)
{
    return hexadecimal ? isxdigit((unsigned char)character) : isdigit((unsigned char)character);
}

static const char *skip_digits(const char *at, bool hexadecimal)
{
    while (is_digit(*at, hexadecimal))
        at++;
    return at;
}

size_t number_scan(const char *text)
{
    bool hexadecimal = is_hexadecimal(text);
    const char *start = text + (hexadecimal ? 2 : 0), *at = skip_digits(start, hexadecimal);
    size_t digits = (size_t)(at - start);
    if (*at == '.') {
        const char *end = skip_digits(at + 1, hexadecimal);
        digits += (size_t)(end - at - 1);
        at = end;
    }
    if (!digits)
        return 0;
    if (tolower((unsigned char)*at) == (hexadecimal ? 'p' : 'e')) {
        const char *exponent = at + 1 + (at[1] == '+' || at[1] == '-');
        const char *end = skip_digits(exponent, false);
        at = end > exponent ? end : at;
    }
    return (size_t)(at - text);
}

/* Multiply by base^exponent, where the base is 2 or 10. */
static void scale(mpq_t value, int base, long exponent)
{
    mpz_ptr part = exponent < 0 ? mpq_denref(value) : mpq_numref(value);
    unsigned long size = (unsigned long)labs(exponent);
    if (base == 2) {
        mpz_mul_2exp(part, part, size);
    } else {
        mpz_t power;
        mpz_init(power);
        mpz_ui_pow_ui(power, 10, size);
        mpz_mul(part, part, power);
        mpz_clear(power);
    }
    mpq_canonicalize(value);
}

/* The unsigned number of `length` characters that number_scan has found. */
static const char *read_unsigned(const char *text, size_t length, mpq_t value)
{
    bool hexadecimal = is_hexadecimal(text);
    const char *end = text + length, *at = text + (hexadecimal ? 2 : 0);
    char *digits = memory_calloc(length + 1, 1);
    size_t count = 0;
    long exponent = 0, fraction = -1;
    for (; at < end && (*at == '.' || is_digit(*at, hexadecimal)); at++) {
        if (*at == '.')
            fraction = 0;
        else {
            digits[count++] = *at;
            fraction += fraction >= 0;
        }
    }
    if (at < end) {
        bool negative = at[1] == '-';
        for (at += isdigit((unsigned char)at[1]) ? 1 : 2; at < end; at++)
            exponent = exponent > NUMBER_MOST ? exponent : exponent * 10 + (*at - '0');
        exponent = negative ? -exponent : exponent;
    }
    const char *wrong = count > NUMBER_MOST ? "more than 100000 digits"
                        : labs(exponent) > NUMBER_MOST ? "exponent beyond 100000" : NULL;
    if (!wrong) {
        mpz_set_str(mpq_numref(value), digits, hexadecimal ? 16 : 10);
        mpz_set_ui(mpq_denref(value), 1);
        exponent -= fraction > 0 ? fraction * (hexadecimal ? 4 : 1) : 0;
        scale(value, hexadecimal ? 2 : 10, exponent);
    }
    free(digits);
    return wrong;
}

/* p/q: both are plain integers. */
static const char *read_fraction(const char *text, mpq_t value)
{
    const char *slash = skip_digits(text, false), *end = skip_digits(slash + 1, false);
    if (slash == text || end == slash + 1 || *end)
        return "not a number";
    if (slash - text > NUMBER_MOST || end - slash > NUMBER_MOST)
        return "more than 100000 digits";
    mpq_set_str(value, text, 10);
    if (mpz_sgn(mpq_denref(value)) == 0) {
        mpq_set_ui(value, 0, 1);
        return "the denominator is zero";
    }
    mpq_canonicalize(value);
    return NULL;
}

const char *number_read(const char *text, mpq_t value)
{
    const char *start = text + (*text == '-' || *text == '+');
    size_t length = number_scan(start);
    const char *wrong;
    if (!*text)
        return "empty";
    if (start[length] == '/')
        wrong = read_fraction(start, value);
    else
        wrong = !length || start[length] ? "not a number" : read_unsigned(start, length, value);
    if (!wrong && *text == '-')
        mpq_neg(value, value);
    return wrong;
}

/* One more in the last place of decimal digits that begin with a zero. */
static void increment(char *digits)
{
    char *at = digits + strlen(digits) - 1;
    for (; *at == '9'; at--)
        *at = '0';
    ++*at;
}

/* |value| * 10^shift, rounded down; `half` compares what is left with a half. */
static char *divide(const mpq_t value, long shift, int *half)
{
    mpz_t numerator, denominator, power;
    mpz_inits(numerator, denominator, power, NULL);
    mpz_ui_pow_ui(power, 10, (unsigned long)labs(shift));
    mpz_abs(numerator, mpq_numref(value));
    mpz_set(denominator, mpq_denref(value));
    mpz_ptr part = shift < 0 ? denominator : numerator;
    mpz_mul(part, part, power);
    mpz_tdiv_qr(power, numerator, numerator, denominator);
    mpz_mul_2exp(numerator, numerator, 1);
    *half = mpz_cmp(numerator, denominator);
    char *digits = memory_calloc(mpz_sizeinbase(power, 10) + 3, 1);
    *digits = '0';
    mpz_get_str(digits + 1, 10, power);
    mpz_clears(numerator, denominator, power, NULL);
    return digits;
}

struct decimal decimal_of_rational(const mpq_t value, size_t count)
{
    if (!mpq_sgn(value))
        return (struct decimal){ memory_strdup("0"), 1 };
    long numerator, denominator;
    double top = fabs(mpz_get_d_2exp(&numerator, mpq_numref(value)));
    double bottom = mpz_get_d_2exp(&denominator, mpq_denref(value));
    long exponent = 1 + (long)floor(log10(top / bottom) + (double)(numerator - denominator) * log10(2));
    /* The exponent is an estimate, and rounding up can add a digit: the number of digits tells. */
    for (;;) {
        int half;
        long shift = (long)count - exponent;
        char *digits = divide(value, shift, &half);
        if (half > 0 || (half == 0 && (digits[strlen(digits) - 1] - '0') % 2))
            increment(digits);
        size_t zeros = strspn(digits, "0"), length = strlen(digits + zeros);
        if (length == count) {
            memmove(digits + (mpq_sgn(value) < 0), digits + zeros, length + 1);
            *digits = mpq_sgn(value) < 0 ? '-' : *digits;
            return (struct decimal){ digits, exponent };
        }
        exponent += length > count ? 1 : -1;
        free(digits);
    }
}

struct decimal decimal_of_real(mpfr_srcptr value, size_t count, mpfr_rnd_t rounding)
{
    mpfr_exp_t exponent = 0;  /* MPFR leaves it alone for NaN and infinity */
    if (mpfr_zero_p(value))
        return (struct decimal){ memory_strdup("0"), 1 };
    char *digits = mpfr_get_str(NULL, &exponent, 10, count, value, rounding);
    struct decimal decimal = { memory_strdup(digits), exponent };
    mpfr_free_str(digits);
    return decimal;
}

bool decimal_of_ball(struct decimal *decimal, mpfr_srcptr middle, mpfr_srcptr radius, size_t count)
{
    mpfr_exp_t exponent;
    mpfr_t unit;
    uint64_t rest, half = GUARD_HALF;
    char *digits = mpfr_get_str(NULL, &exponent, 10, count + GUARD, middle, MPFR_RNDZ);
    bool negative = *digits == '-';
    sscanf(digits + negative + count, "%" SCNu64, &rest);
    /* Units of the last guard digit that the exact value may be away, this cut included. */
    mpfr_init2(unit, 64);
    mpfr_set_ui(unit, 10, MPFR_RNDN);
    mpfr_pow_si(unit, unit, (long)exponent - (long)(count + GUARD), MPFR_RNDD);
    mpfr_div(unit, radius, unit, MPFR_RNDU);
    mpfr_add_ui(unit, unit, 2, MPFR_RNDU);
    bool decided = mpfr_cmp_ui(unit, rest > half ? rest - half : half - rest) < 0;
    mpfr_clear(unit);
    if (decided) {
        char *text = memory_format("0%.*s", (int)count, digits + negative);
        if (rest > half)
            increment(text);
        bool longer = *text == '1';
        *decimal = (struct decimal){ memory_format("%s%.*s", negative ? "-" : "", (int)count, text + !longer),
                                     exponent + longer };
        free(text);
    }
    mpfr_free_str(digits);
    return decided;
}

bool decimal_equal(struct decimal x, struct decimal y)
{
    return x.exponent == y.exponent && !strcmp(x.digits, y.digits);
}

char *decimal_text(struct decimal decimal)
{
    const char *sign = *decimal.digits == '-' ? "-" : "", *digits = decimal.digits + strlen(sign);
    size_t count = strlen(digits);
    if (!isdigit((unsigned char)*digits))  /* nan, inf */
        return memory_format("%s%s", sign, *digits == '@' ? (digits[1] == 'I' ? "inf" : "nan") : digits);
    if (decimal.exponent > 0 && (size_t)decimal.exponent <= count)
        return memory_format("%s%.*s%s%s", sign, (int)decimal.exponent, digits,
                             (size_t)decimal.exponent < count ? "." : "", digits + decimal.exponent);
    if (decimal.exponent <= 0 && decimal.exponent > -6)
        return memory_format("%s0.%.*s%s", sign, (int)-decimal.exponent, "00000", digits);
    return memory_format("%s%c%s%se%+ld", sign, *digits, count > 1 ? "." : "", digits + 1, decimal.exponent - 1);
}

/* Take off zeros at the end, but leave `least` digits. */
static void strip_zeros(char *digits, size_t least)
{
    size_t sign = *digits == '-';
    for (size_t length = strlen(digits); length > sign + least && digits[length - 1] == '0'; length--)
        digits[length - 1] = '\0';
}

char *number_shortest(mpfr_srcptr value)
{
    mpfr_prec_t precision = mpfr_get_prec(value);
    size_t count = precision > 4 ? (size_t)((double)(precision - 1) * log10(2)) : 1;
    struct decimal decimal = decimal_of_real(value, count, MPFR_RNDN);
    mpfr_t back;
    mpfr_init2(back, precision);
    while (mpfr_regular_p(value)) {
        char *text = memory_format("%s@%ld", decimal.digits, decimal.exponent - (long)count);
        mpfr_set_str(back, text, 10, MPFR_RNDN);
        free(text);
        if (mpfr_equal_p(back, value))
            break;
        free(decimal.digits);
        decimal = decimal_of_real(value, ++count, MPFR_RNDN);
    }
    mpfr_clear(back);
    strip_zeros(decimal.digits, decimal.exponent > 1 && (size_t)decimal.exponent < count ? (size_t)decimal.exponent : 1);
    char *text = decimal_text(decimal);
    free(decimal.digits);
    return text;
}

char *number_hexadecimal(mpfr_srcptr value)
{
    if (!mpfr_regular_p(value))
        return mpfr_zero_p(value) ? memory_format("%s0x0p+0", mpfr_signbit(value) ? "-" : "") : number_shortest(value);
    mpfr_exp_t binary = mpfr_get_exp(value) - 1, exponent;
    mpfr_t scaled;  /* 1 <= |scaled| < 2 */
    mpfr_init2(scaled, mpfr_get_prec(value));
    mpfr_mul_2si(scaled, value, -binary, MPFR_RNDN);
    char *digits = mpfr_get_str(NULL, &exponent, 16, 1 + (size_t)(mpfr_get_prec(value) + 2) / 4, scaled, MPFR_RNDN);
    strip_zeros(digits, 1);
    const char *first = digits + (*digits == '-');
    char *text = memory_format("%s0x%c%s%sp%+ld", first > digits ? "-" : "", *first, first[1] ? "." : "", first + 1,
                               (long)binary);
    mpfr_free_str(digits);
    mpfr_clear(scaled);
    return text;
}
