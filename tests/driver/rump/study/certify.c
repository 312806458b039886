/* Certified digits and exact values, against independent ones. */
#include "driver/rump/support.h"

#include "rump/study/certify.h"
#include "rump/study/claim.h"
#include "rump/study/trace.h"

#include <math.h>

/* Certify, with or without help of the exact fraction: a new string; the enclosure must hold the exact value. */
static char *digits_of(const struct expression *expression, size_t digits, bool with_fraction, long *precision)
{
    mpq_t exact;
    exact_value(exact, expression);
    struct certificate certificate = certify(expression, with_fraction ? exact : NULL, digits);
    assert_int_equal(certificate.state, CERTIFIED);
    assert_true(mpfr_cmp_q(certificate.lower, exact) <= 0 && mpfr_cmp_q(certificate.upper, exact) >= 0);
    char *text = decimal_text(certificate.value);
    if (precision)
        *precision = certificate.precision;
    certificate_free(&certificate);
    mpq_clear(exact);
    return text;
}

/* a, b, exact fraction or its size, 50 digits as d.ddde+xx */
static void check_exact(char **fields, int count)
{
    struct expression expression;
    mpq_t exact;
    char *fraction, sized[128];
    assert_int_equal(count, 4);
    for (const struct order *order = orders; order->name; order++) {
        rump_at(&expression, order->name, fields[0], fields[1]);
        exact_value(exact, &expression);
        fraction = mpq_get_str(NULL, 10, exact);
        if (!strchr(fraction, '/'))
            strcat(fraction = realloc(fraction, strlen(fraction) + 3), "/1");
        int numerator = (int)strcspn(fraction, "/"), denominator = (int)strlen(fraction) - numerator - 1;
        snprintf(sized, sizeof sized, "(numerator %d digits / denominator %d digits)", numerator - (*fraction == '-'), denominator);
        if (strcmp(fields[2], *fields[2] == '(' ? sized : fraction))
            fail_msg("order %s at %s, %s: %s, not %s", order->name, fields[0], fields[1], fraction, fields[2]);
        free(fraction);
        struct decimal decimal = decimal_of_rational(exact, 50);
        const char *digits = decimal.digits + (*decimal.digits == '-');
        char *scientific = NULL;
        assert_true(asprintf(&scientific, "%s%c.%se%+ld", *decimal.digits == '-' ? "-" : "", *digits, digits + 1,
                             decimal.exponent - 1) > 0);
        assert_string_equal(scientific, fields[3]);
        free(scientific);
        free(decimal.digits);
        for (int with_fraction = 0; with_fraction < 2; with_fraction++) {
            char *text = digits_of(&expression, 50, with_fraction, NULL);
            decimal = decimal_of_rational(exact, 50);
            char *wanted = decimal_text(decimal);
            assert_string_equal(text, wanted);
            free(text);
            free(wanted);
            free(decimal.digits);
        }
        mpq_clear(exact);
        expression_free(&expression);
    }
}

static void every_order_has_the_exact_values_of_an_independent_program(void **state)
{
    (void)state;
    assert_int_equal(each_row("exact.tsv", check_exact), 28);
}

static bool is_right(const struct expression *expression, mpfr_prec_t precision, mpq_srcptr exact)
{
    mpfr_t result, error;
    mpfr_inits2(precision, result, error, (mpfr_ptr)0);
    mpfr_set_prec(error, precision + 3000);
    evaluate_number(expression, arithmetic_real(precision, MPFR_RNDN), result);
    mpfr_set_q(error, exact, MPFR_RNDN);
    long ulp = mpfr_get_exp(error) - precision;
    mpfr_sub(error, error, result, MPFR_RNDN);
    bool right = mpfr_zero_p(error) || mpfr_get_exp(error) <= ulp;
    mpfr_clears(result, error, (mpfr_ptr)0);
    return right;
}

/* The trace's threshold, proved by evaluating at every precision: right from there on, wrong below if `sharp`. */
static void assert_threshold(const char *order, const char *a, const char *b, long wanted, bool sharp)
{
    struct expression expression;
    mpq_t exact;
    rump_at(&expression, order, a, b);
    exact_value(exact, &expression);
    struct evaluation evaluation = evaluate(&expression, arithmetic_rational());
    struct claim claim = claim_of(&evaluation, MPFR_RNDN, 100);
    if (claim.precision != wanted || claim.ulps > 1)
        fail_msg("%s at %s, %s: off by %g ulps from %ld bits on, not right from %ld", order, a, b, claim.ulps,
                 claim.precision, wanted);
    for (long precision = 1; precision <= wanted + 150; precision++)
        if (is_right(&expression, precision, exact) != (precision >= wanted) && (sharp || precision >= wanted))
            fail_msg("%s at %s, %s: with %ld bits %s", order, a, b, precision, precision < wanted ? "right" : "wrong");
    evaluation_free(&evaluation);
    mpq_clear(exact);
    expression_free(&expression);
}

static void rumps_point_is_right_from_122_107_or_69_bits_and_never_below(void **state)
{
    (void)state;
    static const struct { const char *order; long bits; } wanted[] = {
        { "article", 122 }, { "b44", 122 }, { "pow", 122 }, { "original", 122 }, { "sum", 107 }, { "horner", 69 },
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_threshold(wanted[i].order, "77617", "33096", wanted[i].bits, true);
}

static void from_the_right_rumps_point_is_wrong_at_every_precision(void **state)
{
    (void)state;
    struct expression expression;
    mpq_t exact;
    rump_at(&expression, "right", "77617", "33096");
    exact_value(exact, &expression);
    struct evaluation evaluation = evaluate(&expression, arithmetic_rational());
    assert_int_equal(claim_of(&evaluation, MPFR_RNDN, 100).precision, 0);
    for (long precision = 1; precision <= 256; precision++)
        assert_false(is_right(&expression, precision, exact));
    evaluation_free(&evaluation);
    mpq_clear(exact);
    expression_free(&expression);
}

/* k, a, b, fraction, thresholds of article, b44, pow, horner, original */
static void check_pell(char **fields, int count)
{
    static const char *const names[] = { "article", "b44", "pow", "horner", "original" };
    mpz_t a, b;
    assert_int_equal(count, 9);
    mpz_inits(a, b, NULL);
    orders_pell(strtoul(fields[0], NULL, 10), a, b);
    char *text_a = mpz_get_str(NULL, 10, a), *text_b = mpz_get_str(NULL, 10, b);
    assert_string_equal(text_a, fields[1]);
    assert_string_equal(text_b, fields[2]);
    for (int i = 0; i < 5; i++)
        assert_threshold(names[i], text_a, text_b, atol(fields[4 + i]), false);
    struct expression expression;
    mpq_t exact;
    rump_at(&expression, "original", text_a, text_b);
    exact_value(exact, &expression);
    char *fraction = mpq_get_str(NULL, 10, exact);
    assert_string_equal(fraction, fields[3]);
    free(fraction);
    free(text_a);
    free(text_b);
    mpq_clear(exact);
    mpz_clears(a, b, NULL);
    expression_free(&expression);
}

static void the_pell_family_has_the_known_thresholds(void **state)
{
    (void)state;
    assert_int_equal(each_row("pell.tsv", check_pell), 4);
}

/* F = a/(2b) - 2, and the bits that the trace asks for are needed, not one less. */
static void every_solution_of_pells_equation_is_such_an_input(void **state)
{
    (void)state;
    for (unsigned long k = 1; k <= 50; k++) {
        mpz_t a, b;
        mpq_t wanted, exact, two;
        mpz_inits(a, b, NULL);
        mpq_inits(wanted, two, NULL);
        orders_pell(k, a, b);
        char *text_a = mpz_get_str(NULL, 10, a), *text_b = mpz_get_str(NULL, 10, b);
        mpz_set(mpq_numref(wanted), a);
        mpz_mul_ui(mpq_denref(wanted), b, 2);
        mpq_canonicalize(wanted);
        mpq_set_ui(two, 2, 1);
        mpq_sub(wanted, wanted, two);
        struct expression expression;
        rump_at(&expression, "article", text_a, text_b);
        exact_value(exact, &expression);
        assert_true(mpq_equal(exact, wanted));
        struct evaluation evaluation = evaluate(&expression, arithmetic_rational());
        struct claim claim = claim_of(&evaluation, MPFR_RNDN, 100);
        assert_true(claim.ulps <= 1 && is_right(&expression, claim.precision, exact));
        assert_false(is_right(&expression, claim.precision - 1, exact));
        evaluation_free(&evaluation);
        expression_free(&expression);
        free(text_a);
        free(text_b);
        mpq_clears(wanted, exact, two, NULL);
        mpz_clears(a, b, NULL);
    }
}

static void the_least_precision_that_certifies_is_found(void **state)
{
    (void)state;
    static const struct { const char *order; size_t digits; long bits; } wanted[] = {
        { "article", 16, 122 }, { "article", 34, 122 }, { "article", 40, 136 }, { "article", 1000, 3326 }, { "horner", 16, 69 },
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        struct expression expression;
        long precision;
        rump_at(&expression, wanted[i].order, "77617", "33096");
        free(digits_of(&expression, wanted[i].digits, true, &precision));
        assert_int_equal(precision, wanted[i].bits);
        expression_free(&expression);
    }
}

static void evaluations_and_the_fraction_give_the_same_digits(void **state)
{
    (void)state;
    static const char *const inputs[][2] = { { "77617", "33096" }, { "1/3", "1/7" }, { "1e-300", "1e300" }, { "-3", "0.5" } };
    for (size_t i = 0; i < 4; i++) {
        struct expression expression;
        mpq_t exact;
        rump_at(&expression, "article", inputs[i][0], inputs[i][1]);
        exact_value(exact, &expression);
        for (size_t digits = 1; digits <= 3000; digits += 1 + digits / 4) {
            char *evaluated = digits_of(&expression, digits, false, NULL);
            struct decimal decimal = decimal_of_rational(exact, digits);
            char *divided = decimal_text(decimal);
            assert_string_equal(evaluated, divided);
            free(evaluated);
            free(divided);
            free(decimal.digits);
        }
        mpq_clear(exact);
        expression_free(&expression);
    }
}

static void assert_digits(const char *text, size_t digits, const char *wanted)
{
    struct expression expression;
    parse(&expression, text);
    char *value = digits_of(&expression, digits, true, NULL);
    assert_string_equal(value, wanted);
    free(value);
    expression_free(&expression);
}

/* No enclosure is narrow enough to see that 3/20 is a tie, or that 1/3+1/3+1/3-1 is zero. */
static void ties_and_zero_are_decided_by_the_fraction(void **state)
{
    (void)state;
    assert_digits("1/3+1/3+1/3-1", 10, "0");
    assert_digits("3*0.05", 1, "0.2");
    assert_digits("0.05*5", 1, "0.2");
    assert_digits("7*0.05", 1, "0.4");
    assert_digits("1/8", 2, "0.12");
    assert_digits("3/8", 2, "0.38");
    assert_digits("1/10", 40, "0.1000000000000000000000000000000000000000");
}

static enum certified state_of(const char *text)
{
    struct expression expression;
    parse(&expression, text);
    struct certificate certificate = certify(&expression, NULL, 20);
    enum certified state = certificate.state;
    certificate_free(&certificate);
    expression_free(&expression);
    return state;
}

static void what_cannot_be_certified_is_told_apart(void **state)
{
    (void)state;
    assert_int_equal(state_of("1/(2-2)"), UNDEFINED_THERE);
    assert_int_equal(state_of("((2^1000000)^1000000)^1000000"), OUT_OF_RANGE);
    assert_int_equal(state_of("(1+1/1000000)^1000000"), CERTIFIED);
    assert_int_equal(state_of("1/3+1/3+1/3-1"), UNPROVED);
    assert_int_equal(state_of("1/(1/3+1/3+1/3-1)"), UNCERTAIN_THERE);
}

static void the_trace_names_the_operation_that_cancels(void **state)
{
    (void)state;
    struct expression expression;
    rump_at(&expression, "article", "77617", "33096");
    struct evaluation evaluation = evaluate(&expression, arithmetic_rational());
    struct evaluation enclosed = evaluate(&expression, arithmetic_enclosure(256));
    struct trace trace = trace_of(&evaluation, &enclosed);
    struct claim claim = claim_of(&evaluation, MPFR_RNDN, 100);
    char *cancels = expression_text(&expression, trace.cancels->node, false);
    char *needs = expression_text(&expression, claim.needs, false);
    assert_string_equal(cancels, "(t1+t2)+t3");
    assert_int_equal(trace.cancels->cancelled, 121);
    assert_string_equal(needs, "t1+t2");
    assert_int_equal(trace.step[claim.needs].needed, 122);
    free(cancels);
    free(needs);
    trace_free(&trace);
    evaluation_free(&enclosed);
    evaluation_free(&evaluation);
    expression_free(&expression);
}

static void exponents_are_those_of_frexp(void **state)
{
    (void)state;
    static const double values[] = { 1, -2, 3, 4, 0.5, 0.75, 0x1p-30, 1e10, 77617, 1.0 / 3, 1e-5 };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct expression expression;
        char text[64];
        int exponent;
        snprintf(text, sizeof text, "x = %a; x", values[i]);
        frexp(values[i], &exponent);
        parse(&expression, text);
        struct evaluation evaluation = evaluate(&expression, arithmetic_rational());
        struct evaluation enclosed = evaluate(&expression, arithmetic_enclosure(256));
        struct trace trace = trace_of(&evaluation, &enclosed);
        assert_int_equal(trace.step[expression.result].exponent, exponent);
        trace_free(&trace);
        evaluation_free(&enclosed);
        evaluation_free(&evaluation);
        expression_free(&expression);
    }
}

static void inputs_that_no_bits_can_hold_have_no_threshold(void **state)
{
    (void)state;
    struct expression expression;
    rump_at(&expression, "article", "0.1", "0.3");
    struct evaluation evaluation = evaluate(&expression, arithmetic_rational());
    assert_true(claim_of(&evaluation, MPFR_RNDN, 100).ulps > 1);
    evaluation_free(&evaluation);
    expression_free(&expression);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_has_the_exact_values_of_an_independent_program),
        cmocka_unit_test(rumps_point_is_right_from_122_107_or_69_bits_and_never_below),
        cmocka_unit_test(from_the_right_rumps_point_is_wrong_at_every_precision),
        cmocka_unit_test(the_pell_family_has_the_known_thresholds),
        cmocka_unit_test(every_solution_of_pells_equation_is_such_an_input),
        cmocka_unit_test(the_least_precision_that_certifies_is_found),
        cmocka_unit_test(evaluations_and_the_fraction_give_the_same_digits),
        cmocka_unit_test(ties_and_zero_are_decided_by_the_fraction),
        cmocka_unit_test(what_cannot_be_certified_is_told_apart),
        cmocka_unit_test(the_trace_names_the_operation_that_cancels),
        cmocka_unit_test(exponents_are_those_of_frexp),
        cmocka_unit_test(inputs_that_no_bits_can_hold_have_no_threshold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
