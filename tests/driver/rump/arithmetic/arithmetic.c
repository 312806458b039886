/* Arithmetics against each other: emulated formats bit for bit against native ones, and golden values from MPFR. */
#include "driver/rump/support.h"

static const char *const rounding_names[] = { "nearest", "zero", "up", "down" };

static const struct format *format_named(const char *name)
{
    const struct format *format = arithmetic_formats;
    while (strcmp(format->name, name))
        format++;
    return format;
}

/* Somewhere in the format's whole range, and a little beyond it. */
static void random_input(mpq_t value, const struct format *format)
{
    long span = format->emax - format->emin, exponent = (long)(random_bits() % (uint64_t)(span + 8)) + format->emin - 4;
    if (random_bits() % 3)  /* often near 1, so that sums meet */
        exponent = (long)(random_bits() % 40) - 20;
    mpz_set_ui(mpq_numref(value), random_bits());
    mpz_mul_2exp(mpq_numref(value), mpq_numref(value), 64);
    mpz_add_ui(mpq_numref(value), mpq_numref(value), random_bits());
    mpz_fdiv_q_2exp(mpq_numref(value), mpq_numref(value), random_bits() % 127);
    mpz_set_ui(mpq_denref(value), 1);
    exponent -= (long)mpz_sizeinbase(mpq_numref(value), 2);
    mpz_ptr part = exponent < 0 ? mpq_denref(value) : mpq_numref(value);
    mpz_mul_2exp(part, part, (unsigned long)labs(exponent));
    mpq_canonicalize(value);
    if (random_bits() % 2)
        mpq_neg(value, value);
}

/* Equal in value, in sign, and in being no number. */
static bool same(mpfr_srcptr x, mpfr_srcptr y)
{
    if (mpfr_nan_p(x) || mpfr_nan_p(y))
        return mpfr_nan_p(x) && mpfr_nan_p(y);
    return mpfr_equal_p(x, y) && !mpfr_signbit(x) == !mpfr_signbit(y);
}

static struct { long results, infinite, nan, subnormal; } met;

static void compare_all_nodes(const struct expression *expression, const struct format *format, mpfr_rnd_t rounding)
{
    struct evaluation native = evaluate(expression, arithmetic_of(*format, rounding));
    struct evaluation emulated = evaluate(expression, arithmetic_emulated(*format, rounding));
    mpfr_t x, y;
    mpfr_inits2(format->precision, x, y, (mpfr_ptr)0);
    assert_ptr_equal(native.arithmetic.operations, format->native);
    for (int i = 0; i < expression->count; i++) {
        native.arithmetic.operations->get(x, native.value + i);
        emulated.arithmetic.operations->get(y, emulated.value + i);
        if (!same(x, y)) {
            char *text = expression_text(expression, i, true);
            mpfr_fprintf(stderr, "%s, rounding to %s, %s: native %Ra, emulated %Ra\n", format->name, rounding_names[rounding],
                         text, x, y);
            free(text);
            fail();
        }
        met.results++;
        met.infinite += mpfr_inf_p(y) != 0;
        met.nan += mpfr_nan_p(y) != 0;
        met.subnormal += mpfr_regular_p(y) && mpfr_get_exp(y) < format->emin + format->precision - 1;
    }
    mpfr_clears(x, y, (mpfr_ptr)0);
    evaluation_free(&native);
    evaluation_free(&emulated);
}

static void emulated_formats_are_the_native_ones_bit_for_bit(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "x+y; ", "x-y", "x*y", "x/y", "fma(x, y, z)", "fma(x, y, -(x*y))", "sum(x, y, z, -x)",
        "(x*y-z)/(x+y)+z/x", "(x-y)*(x+y)-(x*x-y*y)", "x*x*x*x/(y*y)-z", "sum(x*y, -(y*x), z, x/y)", "x^3-y^2", "x^y", "sqrt(abs(x))*exp(y)-log(abs(z))", "atan2(x, y)",
    };
    met.results = 0;
    mpq_t value;
    mpq_init(value);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct expression expression;
        parse(&expression, texts[i]);
        for (const struct format *format = arithmetic_formats; format->name; format++) {
            for (int trial = 0; format->native && trial < 5000; trial++) {
                const char *names[] = { "x", "y", "z" };
                for (int j = 0; j < 3; j++) {
                    random_input(value, format);
                    expression_assign(&expression, names[j], value);
                }
                compare_all_nodes(&expression, format, (mpfr_rnd_t)(trial % 4));
            }
        }
        expression_free(&expression);
    }
    mpq_clear(value);
    /* The comparison has seen what it is about. */
    assert_true(met.results > 500000 && met.infinite > 1000 && met.nan > 100 && met.subnormal > 1000);
}

static void every_order_is_the_same_emulated_and_native(void **state)
{
    (void)state;
    mpq_t value;
    mpq_init(value);
    for (const struct order *order = orders; order->name; order++) {
        struct expression expression;
        parse(&expression, order->text);
        for (const struct format *format = arithmetic_formats; format->name; format++) {
            for (int trial = 0; format->native && trial < 400; trial++) {
                mpq_set_si(value, (long)(random_bits() % 200001) - 100000, trial % 7 + 1);
                mpq_canonicalize(value);
                expression_assign(&expression, "a", value);
                mpq_set_si(value, (long)(random_bits() % 100000) + 1, trial % 5 + 1);
                mpq_canonicalize(value);
                expression_assign(&expression, "b", value);
                compare_all_nodes(&expression, format, (mpfr_rnd_t)(trial % 4));
            }
        }
        expression_free(&expression);
    }
    mpq_clear(value);
}

/* Rump's expression in a format, as C's %a would write it. */
static void assert_bits(const char *format, const char *order, const char *wanted)
{
    struct expression expression;
    mpfr_t result;
    rump_at(&expression, order, "77617", "33096");
    for (int emulated = 0; emulated < 2; emulated++) {
        struct format one = *format_named(format);
        mpfr_init2(result, one.precision);
        evaluate_number(&expression, (emulated ? arithmetic_emulated : arithmetic_of)(one, MPFR_RNDN), result);
        char *text = number_hexadecimal(result);
        if (strcmp(text, wanted))
            fail_msg("%s, order %s: %s, not %s", format, order, text, wanted);
        free(text);
        mpfr_clear(result);
    }
    expression_free(&expression);
}

static void native_formats_give_the_bits_that_no_compiler_may_change(void **state)
{
    (void)state;
    assert_bits("binary16", "article", "nan");
    assert_bits("binary32", "article", "-0x1p+100");
    assert_bits("binary32", "b44", "0x1.2c2fc6p+0");
    assert_bits("binary32", "pow", "0x1.2c2fc6p+0");
    assert_bits("binary64", "article", "0x1.2c2fc595b06bfp+0");
    assert_bits("binary64", "original", "-0x1p+70");
    assert_bits("binary64", "fma", "-0x1p+67");
    assert_bits("x87 extended", "article", "0x1.2c2fc595b06beb74p+0");
    assert_bits("binary128", "article", "0x1.2c2fc595b06beb74a518f018c093p+0");
    assert_bits("binary128", "horner", "-0x1.a7a074d49f282916b5ce1fce7edap-1");
}

static void the_first_infinite_operation_is_found(void **state)
{
    (void)state;
    struct expression expression;
    mpfr_t result;
    mpfr_init2(result, 11);
    rump_at(&expression, "article", "77617", "33096");
    struct failed failed = evaluate_number(&expression, arithmetic_of(*format_named("binary16"), MPFR_RNDN), result);
    assert_string_equal(expression.node[failed.node].text, "a");
    assert_int_equal(failed.failure, OVERFLOWS);
    expression_free(&expression);
    rump_at(&expression, "article", "1", "1e-60");
    failed = evaluate_number(&expression, arithmetic_of(*format_named("binary16"), MPFR_RNDN), result);
    assert_string_equal(expression.node[failed.node].text, "t4");
    assert_int_equal(failed.failure, DIVIDES_BY_ZERO);
    expression_free(&expression);
    mpfr_clear(result);
}

/* precision, mode, order, decimal, hexadecimal: computed by an independent MPFR program. */
static void check_golden(char **fields, int count)
{
    static const char *const names[][2] = { { "LW-seed", "article" }, { "LW-b8=b4b4", "b44" }, { "LW-pow_ui", "pow" },
                                            { "horner-b2", "horner" }, { "OR-seed", "original" } };
    struct expression expression;
    mpfr_t result, wanted;
    assert_int_equal(count, 5);
    assert_string_equal(fields[1], "RNDN");
    size_t name = 0;
    while (name < 5 && strcmp(names[name][0], fields[2]))
        name++;
    assert_true(name < 5);
    rump_at(&expression, names[name][1], "77617", "33096");
    mpfr_inits2(atol(fields[0]), result, wanted, (mpfr_ptr)0);
    assert_int_equal(mpfr_set_str(wanted, fields[4], 0, MPFR_RNDN), 0);
    evaluate_number(&expression, arithmetic_real(atol(fields[0]), MPFR_RNDN), result);
    if (!mpfr_equal_p(result, wanted))
        fail_msg("%s bits, %s: not %s", fields[0], names[name][1], fields[4]);
    mpfr_clears(result, wanted, (mpfr_ptr)0);
    expression_free(&expression);
}

static void mpfr_at_any_precision_gives_the_golden_values(void **state)
{
    (void)state;
    assert_int_equal(each_row("golden_nearest.tsv", check_golden), 70);
}

static void rounding_away_is_emulated(void **state)
{
    (void)state;
    struct expression expression;
    mpfr_t result;
    mpfr_init2(result, 53);
    parse(&expression, "x/3");
    assign(&expression, "x", "1");
    evaluate_number(&expression, arithmetic_of(*format_named("binary64"), MPFR_RNDA), result);
    assert_true(mpfr_get_d(result, MPFR_RNDN) == 0x1.5555555555556p-2);
    evaluate_number(&expression, arithmetic_of(*format_named("binary64"), MPFR_RNDZ), result);
    assert_true(mpfr_get_d(result, MPFR_RNDN) == 0x1.5555555555555p-2);
    mpfr_clear(result);
    expression_free(&expression);
}

static void an_exact_division_by_zero_is_undefined(void **state)
{
    (void)state;
    static const char *const texts[] = { "1/(x-x)", "(x-x)^-1", "1/(1/3+1/3+1/3-1)", "0/(x-3)" };
    for (size_t i = 0; i < 4; i++) {
        struct expression expression;
        parse(&expression, texts[i]);
        assign(&expression, "x", "3");
        struct evaluation evaluation = evaluate(&expression, arithmetic_rational());
        assert_int_equal(evaluation.undefined, expression.result);
        evaluation_free(&evaluation);
        expression_free(&expression);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(emulated_formats_are_the_native_ones_bit_for_bit),
        cmocka_unit_test(every_order_is_the_same_emulated_and_native),
        cmocka_unit_test(native_formats_give_the_bits_that_no_compiler_may_change),
        cmocka_unit_test(the_first_infinite_operation_is_found),
        cmocka_unit_test(mpfr_at_any_precision_gives_the_golden_values),
        cmocka_unit_test(rounding_away_is_emulated),
        cmocka_unit_test(an_exact_division_by_zero_is_undefined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
