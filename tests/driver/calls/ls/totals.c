/* Bars beside the totals, where people look and there is room. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/ls/totals.h"
#include "made_up.h"

#include <locale.h>

/* Two variants with 100 and 50 calls together, 20 of each before the program. */
static void two_variants(struct made_up *made_up)
{
    set_up(made_up, 2, (const char *const[]){ "ls -l", "ls" });
    add(made_up, 0, "open", "openat", 80, 0);
    add(made_up, 1, "open", "openat", 30, 0);
    made_up->startup[0] = made_up->startup[1] = 20;
}

/* What is printed on a terminal of so many columns, or elsewhere for 0. */
static void expect(struct made_up *made_up, int columns, const char *expected)
{
    char *text = NULL, width[16];
    size_t size;
    struct column headings[] = { { (char *)"ls -l", NULL }, { (char *)"ls", NULL } };
    snprintf(width, sizeof width, "%d", columns ? columns : 200);
    setenv("COLUMNS", width, 1);
    struct output output = { .stream = open_memstream(&text, &size), .terminal = columns };
    ls_totals_print(&output, &made_up->experiment, 1, headings);
    fclose(output.stream);
    assert_string_equal(text, expected);
    free(text);
    tear_down(made_up);
}

static const char plain[] = "system calls program start program together\n"
                            "------------ ------------- ------- --------\n"
                            "ls -l                   20      80      100\n"
                            "ls                      20      30       50\n\n";

static void bars_fill_the_width_of_a_terminal(void **state)
{
    (void)state;
    struct made_up made_up;
    two_variants(&made_up);
    expect(&made_up, 60, "system calls program start program together \n"
                         "------------ ------------- ------- -------- ----------------\n"
                         "ls -l                   20      80      100 ████████████████\n"
                         "ls                      20      30       50 ████████\n\n");
}

static void bars_grow_no_wider_than_forty_columns(void **state)
{
    (void)state;
    struct made_up made_up;
    two_variants(&made_up);
    expect(&made_up, 200, "system calls program start program together \n"
                          "------------ ------------- ------- -------- ----------------------------------------\n"
                          "ls -l                   20      80      100 ████████████████████████████████████████\n"
                          "ls                      20      30       50 ████████████████████\n\n");
}

static void no_bars_where_there_is_no_room(void **state)
{
    (void)state;
    struct made_up made_up;
    two_variants(&made_up);
    expect(&made_up, 53, plain);
}

static void no_bars_where_nobody_looks(void **state)
{
    (void)state;
    struct made_up made_up;
    two_variants(&made_up);
    expect(&made_up, 0, plain);
}

static void without_the_start_only_bars_are_worth_a_table(void **state)
{
    (void)state;
    struct made_up made_up;
    two_variants(&made_up);
    made_up.startup[0] = made_up.startup[1] = -1;
    expect(&made_up, 0, "");
    two_variants(&made_up);
    made_up.startup[0] = made_up.startup[1] = -1;
    expect(&made_up, 40, "system calls total \n"
                         "------------ ----- ---------------------\n"
                         "ls -l           80 █████████████████████\n"
                         "ls              30 ███████▉\n\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_fill_the_width_of_a_terminal),
        cmocka_unit_test(bars_grow_no_wider_than_forty_columns),
        cmocka_unit_test(no_bars_where_there_is_no_room),
        cmocka_unit_test(no_bars_where_nobody_looks),
        cmocka_unit_test(without_the_start_only_bars_are_worth_a_table),
    };
    setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
