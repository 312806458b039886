/* Enclosures hold the exact value: of every operation, of every order, at every precision. */
#include "driver/rump/support.h"

/* lower <= exact <= upper; anything goes in where an end is infinite. */
static bool holds(const union value *enclosure, mpq_srcptr exact)
{
    return mpfr_cmp_q(&enclosure->enclosure->left, exact) <= 0 && mpfr_cmp_q(&enclosure->enclosure->right, exact) >= 0;
}

static void assert_all_nodes_hold(const struct expression *expression, const struct evaluation *exact, mpfr_prec_t precision)
{
    struct evaluation evaluation = evaluate(expression, arithmetic_enclosure(precision));
    for (int i = 0; i < expression->count; i++) {
        if (!holds(evaluation.value + i, exact->value[i].rational)) {
            char *text = expression_text(expression, i, true);
            fprintf(stderr, "at %ld bits the enclosure of %s misses it\n", (long)precision, text);
            free(text);
            fail();
        }
    }
    evaluation_free(&evaluation);
}

static void check_inputs(char **fields, int count)
{
    assert_true(count >= 2);
    for (const struct order *order = orders; order->name; order++) {
        struct expression expression;
        rump_at(&expression, order->name, fields[0], fields[1]);
        struct evaluation exact = evaluate(&expression, arithmetic_rational());
        assert_int_equal(exact.undefined, -1);
        for (mpfr_prec_t precision = 2; precision <= 600; precision += order == orders ? 1 : 7)
            assert_all_nodes_hold(&expression, &exact, precision);
        evaluation_free(&exact);
        expression_free(&expression);
    }
}

static void enclosures_hold_the_exact_value_at_every_precision(void **state)
{
    (void)state;
    assert_int_equal(each_row("exact.tsv", check_inputs), 28);
}

/* Any number of the operands' enclosures is a possible operand: the result's must hold the result. */
static void enclosures_hold_results_of_all_their_members(void **state)
{
    (void)state;
    static const char *const texts[] = { "x+y", "x-y", "-x", "x*y", "x/y", "x*x", "x^2", "x^3", "x^4", "x^-1", "x^-2", "x^-3",
                                         "x^0", "sum(x,y,z)", "fma(x,y,z)", "min(x,y)", "max(x,y)", "abs(x)" };
    const char *names[] = { "x", "y", "z" };
    mpq_t ends[3][2], member;
    mpq_init(member);
    for (int j = 0; j < 3; j++)
        mpq_inits(ends[j][0], ends[j][1], NULL);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct expression expression;
        parse(&expression, texts[i]);
        const struct node *node = expression.node + expression.result;
        for (int trial = 0; trial < 2000; trial++) {
            struct arithmetic arithmetic = arithmetic_enclosure(2 + (mpfr_prec_t)(random_bits() % 20));
            union value operand[3], result, *pointers[3];
            for (int j = 0; j < 3; j++) {
                long low = (long)(random_bits() % 21) - 10, width = (long)(random_bits() % 8);
                mpq_set_si(ends[j][0], low, 4);
                mpq_set_si(ends[j][1], low + width, 4);
                mpq_canonicalize(ends[j][0]);
                mpq_canonicalize(ends[j][1]);
                arithmetic.operations->init(&arithmetic, operand + j);
                mpfr_set_q(&operand[j].enclosure->left, ends[j][0], MPFR_RNDD);
                mpfr_set_q(&operand[j].enclosure->right, ends[j][1], MPFR_RNDU);
            }
            for (int j = 0; j < node->operands; j++) {
                const char *name = expression.node[node->operand[j]].text;
                pointers[j] = operand + (*name - 'x');
            }
            arithmetic.operations->init(&arithmetic, &result);
            bool defined = arithmetic.operations->apply(&arithmetic, node, &result, pointers) == DONE;
            for (int corner = 0; corner < 27 && defined; corner++) {  /* lower end, middle, upper end of each */
                for (int j = 0, digit = corner; j < 3; j++, digit /= 3) {
                    mpq_add(member, ends[j][digit % 3 > 0], ends[j][digit % 3 > 1]);
                    mpq_div_2exp(member, member, 1);
                    expression_assign(&expression, names[j], member);
                }
                struct evaluation exact = evaluate(&expression, arithmetic_rational());
                if (exact.undefined < 0 && !holds(&result, exact.value[expression.result].rational))
                    fail_msg("%s, trial %d, corner %d: outside", texts[i], trial, corner);
                evaluation_free(&exact);
            }
            for (int j = 0; j < 3; j++)
                arithmetic.operations->clear(operand + j);
            arithmetic.operations->clear(&result);
        }
        expression_free(&expression);
    }
    for (int j = 0; j < 3; j++)
        mpq_clears(ends[j][0], ends[j][1], NULL);
    mpq_clear(member);
}

static void widths_are_those_that_are_known(void **state)
{
    (void)state;
    struct expression expression;
    rump_at(&expression, "article", "77617", "33096");
    struct evaluation evaluation = evaluate(&expression, arithmetic_enclosure(113));
    const union value *result = evaluation.value + expression.result;
    assert_true(mpfr_cmp_d(&result->enclosure->left, -1022.83) > 0 && mpfr_cmp_d(&result->enclosure->left, -1022.82) < 0);
    assert_true(mpfr_cmp_d(&result->enclosure->right, 1.1726) > 0 && mpfr_cmp_d(&result->enclosure->right, 1.1727) < 0);
    evaluation_free(&evaluation);
    evaluation = evaluate(&expression, arithmetic_enclosure(122));
    result = evaluation.value + expression.result;
    mpfr_nextabove(&evaluation.value[expression.result].enclosure->left);
    mpfr_nextabove(&evaluation.value[expression.result].enclosure->left);
    assert_true(mpfr_cmp(&result->enclosure->left, &result->enclosure->right) >= 0);
    evaluation_free(&evaluation);
    expression_free(&expression);
}

static void squares_are_not_negative_and_exact_points_stay_points(void **state)
{
    (void)state;
    struct expression expression;
    parse(&expression, "d = x-1/3; d*d");
    assign(&expression, "x", "1/3");
    struct evaluation evaluation = evaluate(&expression, arithmetic_enclosure(53));
    assert_true(mpfr_sgn(&evaluation.value[expression.result].enclosure->left) >= 0);
    assert_true(mpfr_sgn(&evaluation.value[expression.result].enclosure->right) > 0);
    evaluation_free(&evaluation);
    expression_free(&expression);
    parse(&expression, "(x*x-1)/16 + x^3");
    assign(&expression, "x", "5");
    evaluation = evaluate(&expression, arithmetic_enclosure(53));
    assert_true(mpfr_equal_p(&evaluation.value[expression.result].enclosure->left,
                             &evaluation.value[expression.result].enclosure->right));
    evaluation_free(&evaluation);
    expression_free(&expression);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enclosures_hold_the_exact_value_at_every_precision),
        cmocka_unit_test(enclosures_hold_results_of_all_their_members),
        cmocka_unit_test(widths_are_those_that_are_known),
        cmocka_unit_test(squares_are_not_negative_and_exact_points_stay_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
