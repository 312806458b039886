/* Functions: enclosures hold what they enclose, slopes what MPFR's differences are, domains are those of IEEE 754, and
 * every format rounds once. */
#include "driver/rump/support.h"

#include "rump/arithmetic/enclosure.h"
#include "rump/arithmetic/real.h"
#include "rump/arithmetic/slopes.h"
#include "rump/formula/functions.h"

#include <math.h>

enum { LONG = 400 };  /* bits: as good as exact */

/* An operation with its operands as nodes of an expression. */
static void parse_operation(struct expression *expression, const char *text)
{
    parse(expression, text);
    assert_int_equal(expression->result, expression->count - 1);
}

static const char *const operations[] = {
    "sqrt(x)", "cbrt(x)", "exp(x)", "expm1(x)", "log(x)", "log1p(x)", "log2(x)", "log10(x)", "sin(x)", "cos(x)", "tan(x)",
    "asin(x)", "acos(x)", "atan(x)", "sinh(x)", "cosh(x)", "tanh(x)", "abs(x)", "atan2(x, y)", "hypot(x, y)", "min(x, y)",
    "max(x, y)", "x^y", "x^3", "x^-2", "x^4", "x*y", "x/y", "x-y", "fma(x, y, x)", "sum(x, y, x)",
};
enum { OPERATIONS_TRIED = sizeof operations / sizeof *operations };

/* A random interval, of any width from tiny to wide; zero and one are often its ends or within. */
static void random_interval(mpfi_ptr interval)
{
    double ends[] = { 0, 1, -1, 0.5, M_PI_2, 3 };
    double low = ldexp((double)random_bits() / 0x1p64 - 0.5, (int)(random_bits() % 8)), width = ldexp(1, -(int)(random_bits() % 40));
    if (random_bits() % 4 == 0)
        low = ends[random_bits() % 6];
    mpfr_set_d(&interval->left, low, MPFR_RNDD);
    mpfr_set_d(&interval->right, low + (random_bits() % 16 ? width : 4 * width), MPFR_RNDU);
}

/* A point of it, often an end. */
static void random_point(mpfr_ptr point, mpfi_srcptr interval)
{
    double share = random_bits() % 4 ? (double)(random_bits() >> 11) * 0x1p-53 : (double)(random_bits() % 2);
    mpfr_sub(point, &interval->right, &interval->left, MPFR_RNDN);
    mpfr_mul_d(point, point, share, MPFR_RNDN);
    mpfr_add(point, point, &interval->left, MPFR_RNDN);
}

static mpfr_ptr *operands_at(const struct expression *expression, const struct node *node, mpfr_t point[2], mpfr_ptr at[3])
{
    for (int i = 0; i < node->operands; i++)
        at[i] = point[*expression->node[node->operand[i]].text == 'y'];
    return at;
}

static struct { long held, wide; } met;

/* Enclose over random intervals, and look whether values at points of them are inside. */
static void check_operation(const char *text)
{
    struct expression expression;
    parse_operation(&expression, text);
    const struct node *node = expression.node + expression.result;
    union value x[2], result, *pointer[3];
    mpfr_t point[2], value;
    mpfr_inits2(LONG, point[0], point[1], value, (mpfr_ptr)0);
    for (int trial = 0; trial < 1500; trial++) {
        struct arithmetic arithmetic = arithmetic_enclosure(10 + (mpfr_prec_t)(random_bits() % 60));
        for (int i = 0; i < 2; i++) {
            mpfi_init2(x[i].enclosure, 53);
            random_interval(x[i].enclosure);
        }
        for (int i = 0; i < node->operands; i++)
            pointer[i] = x + (*expression.node[node->operand[i]].text == 'y');
        arithmetic.operations->init(&arithmetic, &result);
        enum outcome outcome = arithmetic.operations->apply(&arithmetic, node, &result, pointer);
        for (int k = 0; k < 20; k++) {
            mpfr_ptr at[3];
            random_point(point[0], x[0].enclosure);
            random_point(point[1], x[1].enclosure);
            mpfr_clear_flags();
            real_apply(node, value, operands_at(&expression, node, point, at), MPFR_RNDN);
            bool undefined = mpfr_nanflag_p() || mpfr_divby0_p();
            if (undefined && outcome == DONE)
                fail_msg("%s, trial %d: is undefined at a point and was enclosed", text, trial);
            if (undefined)
                continue;
            if (outcome == UNDEFINED)
                fail_msg("%s, trial %d: was called undefined, and is not", text, trial);
            if (mpfr_less_p(value, &result.enclosure->left) || mpfr_greater_p(value, &result.enclosure->right))
                fail_msg("%s, trial %d: outside of its enclosure", text, trial);
            met.held++;
        }
        met.wide += outcome == DONE && !mpfi_bounded_p(result.enclosure);
        arithmetic.operations->clear(&result);
        mpfi_clear(x[0].enclosure);
        mpfi_clear(x[1].enclosure);
    }
    mpfr_clears(point[0], point[1], value, (mpfr_ptr)0);
    expression_free(&expression);
}

static void enclosures_hold_values_at_all_their_points(void **state)
{
    (void)state;
    for (int i = 0; i < OPERATIONS_TRIED; i++)
        check_operation(operations[i]);
    assert_true(met.held > 500000 && met.wide < 1500);  /* only tangents and divisors may be unbounded */
}

/* Narrow enclosures stay narrow: some units in the last place for an argument of one. */
static void enclosures_of_narrow_operands_are_narrow(void **state)
{
    (void)state;
    for (int i = 0; i < OPERATIONS_TRIED; i++) {
        struct expression expression;
        mpfr_t width;
        mpfr_init2(width, 64);
        parse_operation(&expression, operations[i]);
        assign(&expression, "x", "1/3");
        assign(&expression, "y", "2/7");
        struct evaluation evaluation = evaluate(&expression, arithmetic_enclosure(200));
        mpfi_diam_rel(width, evaluation.value[expression.result].enclosure);
        if (evaluation.undefined >= 0 || evaluation.uncertain >= 0 || mpfr_cmp_d(width, 0x1p-190) > 0)
            fail_msg("%s at 1/3: %.3g wide with 200 bits", operations[i], mpfr_get_d(width, MPFR_RNDN));
        evaluation_free(&evaluation);
        mpfr_clear(width);
        expression_free(&expression);
    }
}

/* The mean value theorem: (f(b) - f(a)) / (b - a) is a slope between a and b. */
static void check_slope(const char *text, int which)
{
    struct expression expression;
    parse_operation(&expression, text);
    const struct node *node = expression.node + expression.result;
    union value x[2], result, *pointer[3];
    mpfr_t point[2], first, second, other;
    mpfi_t slope;
    mpfi_init2(slope, 100);
    mpfr_inits2(LONG, point[0], point[1], first, second, other, (mpfr_ptr)0);
    struct arithmetic arithmetic = arithmetic_enclosure(100);
    int checked = 0;
    for (int trial = 0; trial < 2000; trial++) {
        for (int i = 0; i < 2; i++) {
            mpfi_init2(x[i].enclosure, 53);
            random_interval(x[i].enclosure);
        }
        for (int i = 0; i < node->operands; i++)
            pointer[i] = x + (*expression.node[node->operand[i]].text == 'y');
        arithmetic.operations->init(&arithmetic, &result);
        if (arithmetic.operations->apply(&arithmetic, node, &result, pointer) == DONE) {
            mpfr_ptr at[3];
            slopes_of(node, which, slope, pointer, result.enclosure);
            random_point(point[0], x[0].enclosure);
            random_point(point[1], x[1].enclosure);
            operands_at(&expression, node, point, at);
            real_apply(node, first, at, MPFR_RNDN);
            mpfr_set(other, &x[at[which] == point[1]].enclosure->right, MPFR_RNDN);
            mpfr_ptr before = at[which];
            at[which] = other;
            real_apply(node, second, at, MPFR_RNDN);
            mpfr_sub(second, second, first, MPFR_RNDN);
            mpfr_sub(other, other, before, MPFR_RNDN);
            if (mpfr_regular_p(other) && mpfr_number_p(second)) {
                mpfr_div(second, second, other, MPFR_RNDN);
                mpfr_abs(other, second, MPFR_RNDN);  /* the difference itself is rounded */
                mpfr_mul_2si(other, other, -90, MPFR_RNDU);
                mpfi_increase(slope, other);
                if (mpfr_less_p(second, &slope->left) || mpfr_greater_p(second, &slope->right))
                    fail_msg("%s, operand %d, trial %d: a slope outside", text, which, trial);
                checked++;
            }
        }
        arithmetic.operations->clear(&result);
        mpfi_clear(x[0].enclosure);
        mpfi_clear(x[1].enclosure);
    }
    assert_true(checked > 100);
    mpfi_clear(slope);
    mpfr_clears(point[0], point[1], first, second, other, (mpfr_ptr)0);
    expression_free(&expression);
}

static void slopes_hold_differences(void **state)
{
    (void)state;
    for (int i = 0; i < OPERATIONS_TRIED; i++) {
        if (!strcmp(operations[i], "fma(x, y, x)") || !strcmp(operations[i], "sum(x, y, x)"))
            continue;  /* an operand that stands twice has two slopes */
        check_slope(operations[i], 0);
        if (strchr(operations[i], 'y'))
            check_slope(operations[i], 1);
    }
    check_slope("fma(x, y, y)", 0);
}

/* DEFINED, or not, at points: IEEE 754's invalid operations and divisions by zero. */
static void domains_are_those_of_ieee_754(void **state)
{
    (void)state;
    static const struct { const char *text, *x, *y; bool defined; } cases[] = {
        { "sqrt(x)", "-1", "0", false }, { "sqrt(x)", "-0.0", "0", true }, { "log(x)", "0", "0", false }, { "log(x)", "-1", "0", false },
        { "log1p(x)", "-1", "0", false }, { "log1p(x)", "-2", "0", false }, { "log2(x)", "0", "0", false }, { "log10(x)", "-3", "0", false },
        { "asin(x)", "1", "0", true }, { "asin(x)", "1.0000000000000000000001", "0", false }, { "acos(x)", "-1", "0", true },
        { "acos(x)", "-5/4", "0", false }, { "x^y", "-8", "1/3", false }, { "x^y", "-8", "3", true }, { "x^y", "-8", "-3", true },
        { "x^y", "0", "-1", false }, { "x^y", "0", "0", true }, { "x^y", "0", "1/2", true }, { "x^y", "0", "-1/2", false },
        { "x^y", "-1/3", "1/2", false }, { "cbrt(x)", "-8", "0", true }, { "atan2(x, y)", "0", "0", true },
        { "atan2(x, y)", "0", "-1", true }, { "x/y", "0", "0", false }, { "x/y", "1/3", "0", false }, { "x^-1", "0", "0", false },
        { "tan(x)", "1/3", "0", true }, { "exp(x)", "-1e20", "0", true }, { "hypot(x, y)", "0", "0", true },
        { "sqrt(x-1/3)", "1/4", "0", false }, { "log(x-1)", "1/3", "0", false }, { "acos(3*x)", "2/3", "0", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expression expression;
        parse(&expression, cases[i].text);
        assign(&expression, "x", cases[i].x);
        assign(&expression, "y", cases[i].y);
        struct evaluation exact = evaluate(&expression, arithmetic_rational());
        struct evaluation enclosed = evaluate(&expression, arithmetic_enclosure(100));
        if ((exact.undefined < 0) != cases[i].defined || (enclosed.undefined < 0) != cases[i].defined || enclosed.uncertain >= 0)
            fail_msg("%s at %s, %s: defined %d by fractions, %d by enclosures, %d in fact", cases[i].text, cases[i].x,
                     cases[i].y, exact.undefined < 0, enclosed.undefined < 0, cases[i].defined);
        evaluation_free(&exact);
        evaluation_free(&enclosed);
        expression_free(&expression);
    }
}

/* Enclosures that reach beyond the domain say nothing. */
static void what_may_be_undefined_is_uncertain(void **state)
{
    (void)state;
    static const char *const texts[] = { "sqrt(sin(pi))", "log(1/3+1/3+1/3-1)", "asin(x+x+x)", "atan2(sin(pi), -1)",
                                         "1/(x+x+x-1)", "(x+x+x-1)^-2", "(x+x+x-1)^x", "acos(3*x)" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct expression expression;
        parse(&expression, texts[i]);
        assign(&expression, "x", "1/3");
        struct evaluation enclosed = evaluate(&expression, arithmetic_enclosure(100));
        if (enclosed.undefined >= 0 || enclosed.uncertain != expression.result)
            fail_msg("%s: undefined %d, uncertain %d", texts[i], enclosed.undefined, enclosed.uncertain);
        evaluation_free(&enclosed);
        expression_free(&expression);
    }
}

/* Each operation in each format and rounding mode against the same with 400 bits, rounded once. */
static void every_format_rounds_each_function_once(void **state)
{
    (void)state;
    mpfr_t result, wanted, x, y;
    mpq_t value;
    mpq_init(value);
    for (int i = 0; i < OPERATIONS_TRIED - 2; i++) {
        struct expression expression;
        parse_operation(&expression, operations[i]);
        for (const struct format *format = arithmetic_formats; format->name; format++) {
            for (int trial = 0; trial < 300; trial++) {
                mpfr_rnd_t rounding = (mpfr_rnd_t)(trial % 4);
                mpfr_inits2(format->precision, result, x, y, (mpfr_ptr)0);
                mpfr_init2(wanted, LONG);
                mpfr_set_d(x, ldexp(0.5 + (double)random_bits() / 0x1p65, (int)(random_bits() % 8) - 4), MPFR_RNDN);
                mpfr_set_d(y, ldexp(0.5 + (double)random_bits() / 0x1p65, (int)(random_bits() % 8) - 4), MPFR_RNDN);
                mpfr_get_q(value, x);
                expression_assign(&expression, "x", value);
                mpfr_get_q(value, y);
                expression_assign(&expression, "y", value);
                evaluate_number(&expression, arithmetic_of(*format, rounding), result);
                mpfr_ptr at[3], point[2] = { x, y };
                const struct node *node = expression.node + expression.result;
                for (int k = 0; k < node->operands; k++)
                    at[k] = point[*expression.node[node->operand[k]].text == 'y'];
                real_apply(node, wanted, at, MPFR_RNDZ);
                mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
                mpfr_set_emin(format->emin);
                mpfr_set_emax(format->emax);
                int ternary = mpfr_set(x, wanted, rounding);
                ternary = mpfr_check_range(x, ternary, rounding);
                mpfr_subnormalize(x, ternary, rounding);
                mpfr_set_emin(emin);
                mpfr_set_emax(emax);
                if (!mpfr_equal_p(x, result) && !(mpfr_nan_p(x) && mpfr_nan_p(result)))
                    fail_msg("%s, %s, rounding %d: %.20g, not %.20g", operations[i], format->name, rounding,
                             mpfr_get_d(result, MPFR_RNDN), mpfr_get_d(x, MPFR_RNDN));
                mpfr_clears(result, wanted, x, y, (mpfr_ptr)0);
            }
        }
        expression_free(&expression);
    }
    mpq_clear(value);
}

/* Fractions of functions are what MPFR computes exactly, and unknown where it rounds. */
static void fractions_are_known_where_values_are_rational(void **state)
{
    (void)state;
    static const char *const numbers[] = { "0", "1", "-1", "1/4", "4", "9/16", "2", "-8", "1/8", "1000", "0.001", "3", "1/3", "12", "5" };
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    int known = 0;
    for (int i = 0; i < OPERATIONS_TRIED; i++) {
        struct expression expression;
        parse_operation(&expression, operations[i]);
        for (int j = 0; j < NUMBERS * NUMBERS; j++) {
            assign(&expression, "x", numbers[j % NUMBERS]);
            assign(&expression, "y", numbers[j / NUMBERS]);
            struct evaluation exact = evaluate(&expression, arithmetic_rational());
            struct evaluation enclosed = evaluate(&expression, arithmetic_enclosure(300));
            mpfi_srcptr enclosure = enclosed.value[expression.result].enclosure;
            bool is_known = exact.undefined < 0 && exact.known[expression.result];
            if ((exact.undefined >= 0) != (enclosed.undefined >= 0))
                fail_msg("%s at %s, %s: undefined in one arithmetic only", operations[i], numbers[j % NUMBERS], numbers[j / NUMBERS]);
            if (is_known && (mpfr_cmp_q(&enclosure->left, exact.value[expression.result].rational) > 0 ||
                             mpfr_cmp_q(&enclosure->right, exact.value[expression.result].rational) < 0))
                fail_msg("%s at %s, %s: a wrong fraction", operations[i], numbers[j % NUMBERS], numbers[j / NUMBERS]);
            if (!is_known && exact.undefined < 0 && enclosure_is_point(enclosure))
                fail_msg("%s at %s, %s: is exact, and no fraction", operations[i], numbers[j % NUMBERS], numbers[j / NUMBERS]);
            known += is_known;
            evaluation_free(&exact);
            evaluation_free(&enclosed);
        }
        expression_free(&expression);
    }
    assert_true(known > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enclosures_hold_values_at_all_their_points),
        cmocka_unit_test(enclosures_of_narrow_operands_are_narrow),
        cmocka_unit_test(slopes_hold_differences),
        cmocka_unit_test(domains_are_those_of_ieee_754),
        cmocka_unit_test(what_may_be_undefined_is_uncertain),
        cmocka_unit_test(every_format_rounds_each_function_once),
        cmocka_unit_test(fractions_are_known_where_values_are_rational),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
