/* Statistics of small samples, against values computed by hand or by scipy 1.10 (stats.chi2.sf, binomtest, binom.cdf,
 * skew and kurtosis). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/common/statistics.h"

#include <math.h>
#include <stdbool.h>

static void expect(const double *values, size_t count, double median, double minimum, double maximum)
{
    struct statistics_spread spread = statistics_spread(values, count);
    assert_true(spread.median == median);
    assert_true(spread.minimum == minimum);
    assert_true(spread.maximum == maximum);
}

static void the_median_of_an_odd_count_is_the_middle_value(void **state)
{
    (void)state;
    expect((const double[]){ 7, -1, 5 }, 3, 5, -1, 7);
    expect((const double[]){ 2.5 }, 1, 2.5, 2.5, 2.5);
}

static void the_median_of_an_even_count_is_the_mean_of_the_two_in_the_middle(void **state)
{
    (void)state;
    expect((const double[]){ 4, 1, 3, 100 }, 4, 3.5, 1, 100);
}

static void the_values_stay_in_their_order(void **state)
{
    (void)state;
    double values[] = { 3, 1, 2 };
    statistics_spread(values, 3);
    assert_true(values[0] == 3 && values[1] == 1 && values[2] == 2);
}

static void no_values_have_no_median(void **state)
{
    (void)state;
    struct statistics_spread spread = statistics_spread(NULL, 0);
    assert_true(isnan(spread.median) && isnan(spread.minimum) && isnan(spread.maximum));
}

/* |value - expected| within a relative 1e-9, absolute 1e-12. */
static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 + 1e-9 * fabs(expected)))
        fail_msg("%.17g, not %.17g", value, expected);
}

static void the_medians_interval_leaves_out_the_binomials_ranks(void **state)
{
    (void)state;
    /* number of values, and how many the 95 % interval leaves out at each end: scipy.stats.binom */
    static const size_t cases[][2] = { { 6, 0 }, { 8, 0 }, { 9, 1 }, { 10, 1 }, { 17, 4 }, { 20, 5 }, { 25, 7 },
                                       { 42, 14 }, { 50, 17 }, { 100, 39 }, { 1000, 468 } };
    double values[1000];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t count = cases[i][0];
        for (size_t k = 0; k < count; k++)  /* 0 ... count - 1, shuffled: 7 divides none of these counts but 42 */
            values[k] = (double)(count == 42 ? (k * 5) % count : (k * 7) % count);
        struct statistics_interval interval = statistics_median_interval(values, count, 0.95);
        assert_near(interval.lower, (double)cases[i][1]);
        assert_near(interval.upper, (double)(count - 1 - cases[i][1]));
        assert_near(interval.median, (double)(count - 1) / 2);
    }
}

static void five_values_have_no_95_percent_interval(void **state)
{
    (void)state;
    const double values[] = { 1, 2, 3, 4, 5 };
    struct statistics_interval interval = statistics_median_interval(values, 5, 0.95);
    assert_near(interval.median, 3);
    assert_true(isnan(interval.lower) && isnan(interval.upper));
    assert_int_equal(statistics_verdict(interval, 0.01), STATISTICS_INCONCLUSIVE);
    assert_int_equal(statistics_needed(interval, 5, 0.01), 6);
}

static double sign_p(size_t below, size_t above, size_t equal)
{
    double values[1000];
    for (size_t i = 0; i < below + above + equal; i++)
        values[i] = i < below ? 0.5 : i < below + above ? 1.5 : 1;
    return statistics_sign_p(values, below + above + equal, 1);
}

static void the_sign_tests_p_is_the_exact_binomial(void **state)
{
    (void)state;
    assert_near(sign_p(2, 10, 0), 0.03857421875);
    assert_near(sign_p(10, 2, 0), 0.03857421875);
    assert_near(sign_p(40, 60, 0), 0.05688793364098088);
    assert_near(sign_p(430, 570, 0), 1.070973766495961e-05);
    assert_near(sign_p(5, 5, 0), 1);
    assert_near(sign_p(0, 6, 0), 0.03125);
}

static void the_sign_test_leaves_out_ties(void **state)
{
    (void)state;
    assert_near(sign_p(2, 10, 30), 0.03857421875);
    assert_near(sign_p(0, 0, 8), 1);
}

static void chi_square_p_agrees_with_scipy(void **state)
{
    (void)state;
    assert_near(statistics_chi_square_p(3.84, 1), 0.05004352124870519);
    assert_near(statistics_chi_square_p(6.63489660102121, 1), 0.01);
    assert_near(statistics_chi_square_p(5, 2), 0.0820849986238988);
    assert_near(statistics_chi_square_p(0.001, 3), 0.9999915920809419);
    assert_near(statistics_chi_square_p(9.131, 8), 0.3313658447147511);
    assert_near(statistics_chi_square_p(18.3, 10), 0.050109061411462506);
    assert_near(statistics_chi_square_p(26.43, 21), 0.19052539051756923);
    assert_near(statistics_chi_square_p(200, 100), 1.1784500720979781e-08);
    assert_near(statistics_chi_square_p(65000, 65536), 0.9309252867770761);
    assert_near(statistics_chi_square_p(66000, 65536), 0.10019185477857741);
    assert_near(statistics_chi_square_p(1500, 7), 0);
    assert_near(statistics_chi_square_p(0, 5), 1);
}

static enum statistics_verdict verdict(double lower, double upper)
{
    return statistics_verdict((struct statistics_interval){ (lower + upper) / 2, lower, upper }, 0.01);
}

static void an_interval_has_one_of_four_verdicts(void **state)
{
    (void)state;
    assert_int_equal(verdict(0.88, 0.98), STATISTICS_FASTER);
    assert_int_equal(verdict(1.02, 1.2), STATISTICS_SLOWER);
    assert_int_equal(verdict(0.995, 1.008), STATISTICS_EQUIVALENT);
    assert_int_equal(verdict(0.98, 1.02), STATISTICS_INCONCLUSIVE);
    assert_int_equal(verdict(0.98, 1.001), STATISTICS_INCONCLUSIVE);
    assert_int_equal(verdict(1.001, 1.02), STATISTICS_INCONCLUSIVE);
}

static void an_interval_away_from_1_but_within_the_margin_is_equivalent(void **state)
{
    (void)state;
    assert_int_equal(verdict(1.002, 1.006), STATISTICS_EQUIVALENT);
}

static void a_shift_between_samples_has_an_interval(void **state)
{
    (void)state;
    double x[20], y[20], few[] = { 1, 2, 3 };
    for (int i = 0; i < 20; i++)
        x[i] = i * 7 % 20, y[i] = i * 3 % 20 + 5;
    struct statistics_interval shift = statistics_shift_interval(x, 20, y, 20, 0.99);
    assert_true(shift.median == 5);
    assert_true(shift.lower == -1 && shift.upper == 11);  /* the 104th and the 297th of the 400 differences */
    shift = statistics_shift_interval(x, 20, x, 20, 0.99);
    assert_true(shift.lower < 0 && shift.upper > 0 && shift.median == 0);
    shift = statistics_shift_interval(few, 3, few, 3, 0.99);
    assert_true(isnan(shift.lower) && isnan(shift.upper) && shift.median == 0);
}

static void the_pairs_needed_grow_with_the_square_of_the_interval(void **state)
{
    (void)state;
    /* by hand: half widths 0.02 and 0.04, 0.01 to the limit: 4 and 16 times as many */
    assert_int_equal(statistics_needed((struct statistics_interval){ 1, 0.98, 1.02 }, 10, 0.01), 40);
    assert_int_equal(statistics_needed((struct statistics_interval){ 1, 0.96, 1.04 }, 10, 0.01), 160);
    /* a median of 1.03 is 0.02 beyond the limit */
    assert_int_equal(statistics_needed((struct statistics_interval){ 1.03, 0.99, 1.07 }, 10, 0.01), 40);
    assert_int_equal(statistics_needed((struct statistics_interval){ 1.01, 0.96, 1.04 }, 10, 0.01), 0);
    assert_int_equal(statistics_needed((struct statistics_interval){ 1.0001, 0.95, 1.05 }, 10, 0.01), 0);  /* half a million */
}

static void two_heaps_are_bimodal_and_one_heap_is_not(void **state)
{
    (void)state;
    double two[40], one[41];
    for (int i = 0; i < 40; i++)
        two[i] = (i % 2 ? 2 : 1) + 0.001 * i;
    for (int i = 0; i < 41; i++)  /* a triangle's quantiles */
        one[i] = i < 20 ? sqrt(i + 1) : 2 * sqrt(21) - sqrt(41 - i);
    assert_true(statistics_bimodality(two, 40) > 5.0 / 9);
    assert_true(statistics_bimodality(one, 41) < 5.0 / 9);
    assert_near(statistics_bimodality((double[]){ 1, 2, 3, 4, 10 }, 5), 0.34791965566714494);
    assert_true(isnan(statistics_bimodality((double[]){ 1, 1, 1, 1, 1 }, 5)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_median_of_an_odd_count_is_the_middle_value),
        cmocka_unit_test(the_median_of_an_even_count_is_the_mean_of_the_two_in_the_middle),
        cmocka_unit_test(the_values_stay_in_their_order),
        cmocka_unit_test(no_values_have_no_median),
        cmocka_unit_test(the_medians_interval_leaves_out_the_binomials_ranks),
        cmocka_unit_test(five_values_have_no_95_percent_interval),
        cmocka_unit_test(the_sign_tests_p_is_the_exact_binomial),
        cmocka_unit_test(the_sign_test_leaves_out_ties),
        cmocka_unit_test(chi_square_p_agrees_with_scipy),
        cmocka_unit_test(an_interval_has_one_of_four_verdicts),
        cmocka_unit_test(an_interval_away_from_1_but_within_the_margin_is_equivalent),
        cmocka_unit_test(a_shift_between_samples_has_an_interval),
        cmocka_unit_test(the_pairs_needed_grow_with_the_square_of_the_interval),
        cmocka_unit_test(two_heaps_are_bimodal_and_one_heap_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
