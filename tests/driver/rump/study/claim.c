/* Claims about precision, checked by evaluating: what is claimed for all p >= N must hold at N, N+1, ..., N+64. */
#include "driver/rump/support.h"

#include "rump/study/study.h"

#include <math.h>

static const char *const inputs[] = { "1", "2", "3", "5", "7", "49", "77617", "33096", "0.5", "0.375", "0.1", "1/3", "-2", "-7/5",
                                      "0x1p-100", "0x1.8p-60", "0x1p70", "1e20", "1e-9", "123456789", "3.14159", "22/7", "0" };
static const char *const rational[] = { "+", "-", "*", "/", "+", "-", "*" };
static const char *const unary[] = { "sqrt", "exp", "log", "sin", "cos", "atan", "expm1", "log1p", "cbrt", "tanh", "abs", "asin" };

static const char *pick(const char *const *list, size_t count)
{
    return list[random_bits() % count];
}
#define PICK(list) pick(list, sizeof list / sizeof *list)

/* A random expression of x, y, z and constants, with functions or without. */
static void make(FILE *stream, int depth, bool functions)
{
    unsigned choice = (unsigned)(random_bits() % 12);
    if (depth == 0 || choice == 0) {
        fputs(pick((const char *const[]){ "x", "y", "z", "1", "2", "x" }, 6), stream);
    } else if (choice == 1) {
        fputs("(", stream);
        make(stream, depth - 1, functions);
        fprintf(stream, ")^%d", (int)(random_bits() % 5) - 1);
    } else if (choice == 2) {
        fputs("-(", stream);
        make(stream, depth - 1, functions);
        fputs(")", stream);
    } else if (choice == 3) {
        fputs("sum(", stream);
        for (int i = 0; i < 3; i++) {
            fputs(i ? ", " : "", stream);
            make(stream, depth - 1, functions);
        }
        fputs(")", stream);
    } else if (choice <= 5 && functions) {
        fprintf(stream, "%s(", PICK(unary));
        make(stream, depth - 1, functions);
        fputs(")", stream);
    } else {
        fputs("(", stream);
        make(stream, depth - 1, functions);
        fputs(PICK(rational), stream);
        make(stream, depth - 1, functions);
        fputs(")", stream);
    }
}

/* Whether the result at this precision is less than `ulps` off. */
static double off_by(const struct study *study, const struct expression *expression, long precision, mpfr_rnd_t rounding)
{
    mpfr_t result, error;
    mpfr_init2(result, precision);
    mpfr_init2(error, mpfr_get_prec(study->reference) + precision);
    evaluate_number(expression, arithmetic_real(precision, rounding), result);
    mpfr_sub(error, result, study->reference, MPFR_RNDN);
    mpfr_abs(error, error, MPFR_RNDN);
    double ulps = 0;
    if (!mpfr_zero_p(study->reference)) {
        mpfr_mul_2si(error, error, precision - mpfr_get_exp(study->reference), MPFR_RNDN);
        ulps = mpfr_get_d(error, MPFR_RNDZ);
    } else if (!mpfr_zero_p(error)) {
        ulps = INFINITY;
    }
    if (!mpfr_number_p(result))
        ulps = INFINITY;
    mpfr_clears(result, error, (mpfr_ptr)0);
    return ulps;
}

static struct { int studied, right, bounded, digits; } met;

static void check_bound(const struct study *study, const struct expression *expression, const char *text, mpfr_rnd_t rounding)
{
    const struct claim *claim = &study->claim;
    for (long precision = claim->precision; precision <= claim->precision + 64; precision++) {
        double ulps = off_by(study, expression, precision, rounding);
        if (ulps > claim->ulps || (claim->ulps == 1 && ulps >= 1))
            fail_msg("%s, rounding %d: %g ulps off with %ld bits, not %g as from %ld on", text, rounding, ulps, precision,
                     claim->ulps, claim->precision);
    }
}

/* p >= L + 3.33 D bits give D digits. */
static void check_digits(const struct study *study, const struct expression *expression, const char *text, mpfr_rnd_t rounding)
{
    for (int digits = 1; digits <= 20; digits += 1 + digits / 4) {
        long precision = (long)(ceil(study->claim.lost) + ceil(3.33 * digits));
        double ulps = off_by(study, expression, precision, rounding);
        if (ulps * pow(2, 1 - (double)precision) > pow(10, -digits))
            fail_msg("%s: not %d digits with %ld bits, but %g ulps off", text, digits, precision, ulps);
    }
}

static void check(const char *text, const char *x, const char *y, const char *z)
{
    struct expression expression;
    parse(&expression, text);
    assign(&expression, "x", x);
    assign(&expression, "y", y);
    assign(&expression, "z", z);
    char *whole = NULL;
    assert_true(asprintf(&whole, "%s at x = %s, y = %s, z = %s", text, x, y, z) > 0);
    for (mpfr_rnd_t rounding = MPFR_RNDN; rounding <= MPFR_RNDA; rounding = rounding == MPFR_RNDN ? MPFR_RNDU : MPFR_RNDA + 1) {
        struct study study;
        char *wrong = study_open(&study, &expression, 10, rounding);
        if (wrong) {
            free(wrong);
            break;
        }
        long reach = study.claim.precision + 64;
        wrong = study_reference(&study, reach > 700 ? reach : 700);
        assert_null(wrong);
        met.studied++;
        met.right += study.claim.precision && study.claim.ulps <= 1;
        met.bounded += study.claim.precision && study.claim.ulps > 1;
        if (study.claim.precision && study.claim.precision < 3000)
            check_bound(&study, &expression, whole, rounding);
        if (study.claim.lost < 500) {
            check_digits(&study, &expression, whole, rounding);
            met.digits++;
        }
        study_close(&study);
    }
    free(whole);
    expression_free(&expression);
}

static void claims_hold_for_random_expressions(void **state)
{
    (void)state;
    for (int trial = 0; trial < 3000; trial++) {
        char *text = NULL;
        size_t size;
        FILE *stream = open_memstream(&text, &size);
        make(stream, 2 + (int)(random_bits() % 3), trial % 3 == 0);
        fclose(stream);
        check(text, PICK(inputs), PICK(inputs), PICK(inputs));
        free(text);
    }
    if (met.studied < 3000 || met.right < 800 || met.bounded < 500 || met.digits < 1500)
        fail_msg("only %d studied: %d right, %d bounded, %d by digits", met.studied, met.right, met.bounded, met.digits);
}

/* Rounded intermediates whose exact values are short. */
static void claims_hold_where_intermediates_are_rounded_but_short(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "1/x*x-1+y", "x/3*3-x+y", "(1/x)*x-1", "(x+y)-x", "((x+y)-x)-y+z", "(x*x-y*y)/(x-y)-x", "1/(1/x)-x+y", "x/y*y/x-1+z",
        "(1/x+1/y)*x*y-x-y+z", "(x/7)*7-x+z", "sqrt(x)*sqrt(x)-x+y", "exp(log(abs(x)+1))-x-1+y", "sum(1/x*x, -1, y)",
        "cbrt(x)^3-x+y", "(x^0.5)^2-x+y", "t = x/3; 3*t-x+y", "x-x", "x-x+y", "(x-y)*(1/x*x-1)", "max(1/x*x, 1)-1+y",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t j = 0; j < sizeof inputs / sizeof *inputs; j++)
            check(texts[i], inputs[j], inputs[(j * 5 + i) % (sizeof inputs / sizeof *inputs)], PICK(inputs));
}

static void the_example_of_a_short_product_gets_no_claim(void **state)
{
    (void)state;
    struct expression expression;
    struct study study;
    parse(&expression, "1/x*x-1+y");
    assign(&expression, "x", "49");
    assign(&expression, "y", "0x1p-100");
    assert_null(study_open(&study, &expression, 40, MPFR_RNDN));
    assert_int_equal(study_proved_from(&study), 0);
    assert_true(study.claim.lost > 100 && study.claim.lost < 105);
    study_close(&study);
    expression_free(&expression);
}

static void what_cancels_wholly_cancels_all_bits(void **state)
{
    (void)state;
    struct expression expression;
    struct study study;
    parse(&expression, "x-x+y");
    assign(&expression, "x", "3");
    assign(&expression, "y", "5");
    assert_null(study_open(&study, &expression, 40, MPFR_RNDN));
    assert_non_null(study.trace.cancels);
    assert_true(study.trace.cancels->cancels_all);
    study_close(&study);
    expression_free(&expression);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(claims_hold_where_intermediates_are_rounded_but_short),
        cmocka_unit_test(claims_hold_for_random_expressions),
        cmocka_unit_test(the_example_of_a_short_product_gets_no_claim),
        cmocka_unit_test(what_cancels_wholly_cancels_all_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
