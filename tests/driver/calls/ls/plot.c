/* The numbers in the picture of reckon ls. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/ls/plot.h"
#include "made_up.h"

static void long_and_short(struct made_up *made_up)
{
    set_up(made_up, 2, (const char *const[]){ "ls -l", "ls" });
    add(made_up, 0, "lstat", "statx", 0, 1);
    add(made_up, 0, "open", "openat", 30, 0);
    add(made_up, 1, "open", "openat", 30, 0);
    set_time(made_up, 0, 0.0484, 0.001);
    made_up->startup[0] = 48;
    made_up->startup[1] = 47;
}

static void expect(struct made_up *made_up, const char *expected)
{
    char *data = ls_plot_data(&made_up->experiment);
    assert_string_equal(data, expected);
    free(data);
    tear_down(made_up);
}

static void each_variant_is_a_block_with_a_line_for_each_size(void **state)
{
    (void)state;
    struct made_up made_up;
    long_and_short(&made_up);
    expect(&made_up, "20 98 10 9 20\n100 178 48.4 9 20\n\n\n20 77 10 9 20\n100 77 10 9 20\n");
}

static void without_one_start_the_program_s_calls_are_drawn_for_all(void **state)
{
    (void)state;
    struct made_up made_up;
    long_and_short(&made_up);
    made_up.startup[1] = -1;
    expect(&made_up, "20 50 10 9 20\n100 130 48.4 9 20\n\n\n20 30 10 9 20\n100 30 10 9 20\n");
}

static void where_system_calls_were_not_counted_library_calls_are_drawn(void **state)
{
    (void)state;
    struct made_up made_up;
    struct count row = { .name = "readdir", .family = "getdents", .calls = 23 };
    long_and_short(&made_up);
    made_up.result[3].system_counted = false;
    for (size_t i = 0; i < 4; i++)
        made_up.result[i].library = (struct count_list){ &row, 1 };
    expect(&made_up, "20 23 10 9 20\n100 23 48.4 9 20\n\n\n20 23 10 9 20\n100 23 10 9 20\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_variant_is_a_block_with_a_line_for_each_size),
        cmocka_unit_test(without_one_start_the_program_s_calls_are_drawn_for_all),
        cmocka_unit_test(where_system_calls_were_not_counted_library_calls_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
