/* The numbers in the picture of timed runs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/report/latency.h"

#include <stdlib.h>

static struct count first[] = {
    { .name = "close", .calls = 9, .times = { .total = 900, .maximum = 130, .p50 = 100, .p99 = 120 } },
    { .name = "statx", .calls = 2, .times = { .total = 5000, .maximum = 3000, .p50 = 2000, .p99 = 3000 } },
    { .name = "exit_group", .calls = 1 },
};
static struct count second[] = {
    { .name = "read", .calls = 1, .times = { .total = 7000, .maximum = 7000, .p50 = 7000, .p99 = 7000 } },
    { .name = "close", .calls = 5, .times = { .total = 4500, .maximum = 1000, .p50 = 900, .p99 = 990 } },
};
static const struct measurement results[] = {
    { .system = { first, 3 } }, { .system = { second, 2 } },
};

static void the_dearest_of_all_results_together_come_first(void **state)
{
    (void)state;
    struct count_list names = latency_plot_names(results, 2, true, 14);
    assert_int_equal(names.count, 3);
    assert_string_equal(names.row[0].name, "read");
    assert_string_equal(names.row[1].name, "close");
    assert_string_equal(names.row[2].name, "statx");
    counts_free(&names);
}

static void no_more_names_than_there_is_room_for(void **state)
{
    (void)state;
    struct count_list names = latency_plot_names(results, 2, true, 2);
    assert_int_equal(names.count, 2);
    assert_string_equal(names.row[1].name, "close");
    counts_free(&names);
}

static void what_was_not_timed_has_no_names(void **state)
{
    (void)state;
    struct count_list names = latency_plot_names(results, 2, false, 14);
    assert_int_equal(names.count, 0);
    counts_free(&names);
    const struct measurement untimed = { .system = { first + 2, 1 } };
    names = latency_plot_names(&untimed, 1, true, 14);
    assert_int_equal(names.count, 0);
    counts_free(&names);
}

static void lines_are_places_and_seconds_of_what_the_result_has(void **state)
{
    (void)state;
    struct count_list names = latency_plot_names(results, 2, true, 14);
    char *data = latency_plot_data(&names, &results[0], true);
    assert_string_equal(data, "2 1e-07 1.2e-07 1.3e-07 close\n3 2e-06 3e-06 3e-06 statx\n");
    free(data);
    data = latency_plot_data(&names, &results[1], true);
    assert_string_equal(data, "1 7e-06 7e-06 7e-06 read\n2 9e-07 9.9e-07 1e-06 close\n");
    free(data);
    counts_free(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dearest_of_all_results_together_come_first),
        cmocka_unit_test(no_more_names_than_there_is_room_for),
        cmocka_unit_test(what_was_not_timed_has_no_names),
        cmocka_unit_test(lines_are_places_and_seconds_of_what_the_result_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
