/* Numbers as text: read exactly, written as decimals or in hexadecimal. */
#include "number.h"

#include "common/errors.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_hexadecimal(const char *text)
{
    return text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

static const char *skip_digits(const char *at, bool hexadecimal)
{
    while (hexadecimal ? isxdigit((unsigned char)*at) : isdigit((unsigned char)*at))
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
    char *digits = errors_calloc(length + 1, 1);
    size_t count = 0;
    long exponent = 0, fraction = -1;
    for (; at < end && (*at == '.' || (hexadecimal ? isxdigit((unsigned char)*at) : isdigit((unsigned char)*at))); at++) {
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

/* Nearest integer to value * 10^shift, ties to even. */
static void round_shifted(mpz_t result, const mpq_t value, long shift)
{
    mpq_t scaled;
    mpz_t rest;
    mpq_init(scaled);
    mpz_init(rest);
    mpz_ui_pow_ui(rest, 10, (unsigned long)labs(shift));
    if (shift < 0) {
        mpz_set(mpq_numref(scaled), mpq_numref(value));
        mpz_mul(mpq_denref(scaled), mpq_denref(value), rest);
    } else {
        mpz_mul(mpq_numref(scaled), mpq_numref(value), rest);
        mpz_set(mpq_denref(scaled), mpq_denref(value));
    }
    mpz_fdiv_qr(result, rest, mpq_numref(scaled), mpq_denref(scaled));
    mpz_mul_2exp(rest, rest, 1);
    int half = mpz_cmp(rest, mpq_denref(scaled));
    if (half > 0 || (half == 0 && mpz_odd_p(result)))
        mpz_add_ui(result, result, 1);
    mpq_clear(scaled);
    mpz_clear(rest);
}

struct decimal decimal_of_rational(const mpq_t value, size_t count)
{
    if (!mpq_sgn(value))
        return (struct decimal){ errors_strdup("0"), 1 };
    long numerator, denominator;
    double top = fabs(mpz_get_d_2exp(&numerator, mpq_numref(value)));
    double bottom = mpz_get_d_2exp(&denominator, mpq_denref(value));
    struct decimal decimal = { NULL, 1 + (long)floor(log10(top / bottom) + (double)(numerator - denominator) * log10(2)) };
    mpz_t rounded;
    mpz_init(rounded);
    /* The exponent is an estimate, and rounding up can add a digit: the number of digits tells. */
    for (;;) {
        round_shifted(rounded, value, (long)count - decimal.exponent);
        decimal.digits = errors_calloc(mpz_sizeinbase(rounded, 10) + 2, 1);
        mpz_get_str(decimal.digits, 10, rounded);
        size_t length = strlen(decimal.digits) - (*decimal.digits == '-');
        if (length == count)
            break;
        decimal.exponent += length > count ? 1 : -1;
        free(decimal.digits);
    }
    mpz_clear(rounded);
    return decimal;
}

struct decimal decimal_of_real(mpfr_srcptr value, size_t count, mpfr_rnd_t rounding)
{
    mpfr_exp_t exponent;
    if (mpfr_zero_p(value))
        return (struct decimal){ errors_strdup("0"), 1 };
    char *digits = mpfr_get_str(NULL, &exponent, 10, count, value, rounding);
    struct decimal decimal = { errors_strdup(digits), exponent };
    mpfr_free_str(digits);
    return decimal;
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
        return errors_format("%s%s", sign, *digits == '@' ? (digits[1] == 'I' ? "inf" : "nan") : digits);
    if (decimal.exponent > 0 && (size_t)decimal.exponent <= count)
        return errors_format("%s%.*s%s%s", sign, (int)decimal.exponent, digits,
                             (size_t)decimal.exponent < count ? "." : "", digits + decimal.exponent);
    if (decimal.exponent <= 0 && decimal.exponent > -6)
        return errors_format("%s0.%.*s%s", sign, (int)-decimal.exponent, "00000", digits);
    return errors_format("%s%c%s%se%+ld", sign, *digits, count > 1 ? "." : "", digits + 1, decimal.exponent - 1);
}

static void strip_zeros(char *digits)
{
    for (size_t length = strlen(digits); length > 1 && digits[length - 1] == '0' && digits[length - 2] != '-'; length--)
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
        char *text = errors_format("%s@%ld", decimal.digits, decimal.exponent - (long)count);
        mpfr_set_str(back, text, 10, MPFR_RNDN);
        free(text);
        if (mpfr_equal_p(back, value))
            break;
        free(decimal.digits);
        decimal = decimal_of_real(value, ++count, MPFR_RNDN);
    }
    mpfr_clear(back);
    strip_zeros(decimal.digits);
    if (decimal.exponent > 0 && (size_t)decimal.exponent < count)  /* the zeros before the point come back */
        for (size_t length = strlen(decimal.digits) - (*decimal.digits == '-'); length < (size_t)decimal.exponent; length++)
            strcat(decimal.digits, "0");
    char *text = decimal_text(decimal);
    free(decimal.digits);
    return text;
}

char *number_hexadecimal(mpfr_srcptr value)
{
    if (!mpfr_regular_p(value))
        return mpfr_zero_p(value) ? errors_format("%s0x0p+0", mpfr_signbit(value) ? "-" : "") : number_shortest(value);
    mpfr_exp_t binary = mpfr_get_exp(value) - 1, exponent;
    mpfr_t scaled;  /* 1 <= |scaled| < 2 */
    mpfr_init2(scaled, mpfr_get_prec(value));
    mpfr_mul_2si(scaled, value, -binary, MPFR_RNDN);
    char *digits = mpfr_get_str(NULL, &exponent, 16, 1 + (size_t)(mpfr_get_prec(value) + 2) / 4, scaled, MPFR_RNDN);
    strip_zeros(digits);
    const char *first = digits + (*digits == '-');
    char *text = errors_format("%s0x%c%s%sp%+ld", first > digits ? "-" : "", *first, first[1] ? "." : "", first + 1,
                               (long)binary);
    mpfr_free_str(digits);
    mpfr_clear(scaled);
    return text;
}
