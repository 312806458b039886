/* Median, minimum and maximum of small samples. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_median_of_an_odd_count_is_the_middle_value),
        cmocka_unit_test(the_median_of_an_even_count_is_the_mean_of_the_two_in_the_middle),
        cmocka_unit_test(the_values_stay_in_their_order),
        cmocka_unit_test(no_values_have_no_median),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
