/* Made-up measurements side by side, compared letter by letter. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/report/columns.h"

#include <locale.h>
#include <stdlib.h>

static char *command[] = { "ls", "-l", NULL }, *other_command[] = { "ls", "-1", NULL };

static struct count library_rows[] = {
    { .name = "statx", .family = "lstat", .calls = 20, .errors = 0, .times = { 30000, 900, 4000, 1400, 3900, 0 } },
    { .name = "getxattr", .family = "getxattr", .calls = 3, .errors = 3, .times = { 10000, 2500, 5000, 2600, 5000, 0 } },
};
static struct count system_rows[] = {
    { .name = "openat", .family = "open", .calls = 44, .errors = 13, .times = { 2100000000, 1, 2, 3, 4, 0 } },
};

static struct measurement made_up(uint32_t flags)
{
    return (struct measurement){
        .command = command, .flags = flags, .processes = 1, .system_counted = true,
        .library = { library_rows, 2 }, .system = { system_rows, 1 },
    };
}

static void columns_stand_side_by_side_with_a_dash_for_none(void **state)
{
    (void)state;
    struct measurement first = made_up(COUNTERS_SYSCALLS), second = first;
    struct count rows[] = { { .name = "statx", .family = "lstat", .calls = 1 },
                            { .name = "openat", .family = "open", .calls = 10 } };
    second.command = other_command;
    second.system = (struct count_list){ rows, 2 };
    const struct column columns[] = { { (char *)"ls -l", &first }, { (char *)"ls -1", &second } };
    char *text = NULL;
    size_t size;
    struct output output = { .stream = open_memstream(&text, &size) };
    columns_print(&output, (struct columns_layout){ ROWS_SYSTEM, ORDER_NAME, false, false }, columns, 2);
    fclose(output.stream);
    assert_string_equal(text, "system call ls -l ls -1\n"
                              "----------- ----- -----\n"
                              "openat         44    10\n"
                              "statx           -     1\n"
                              "----------- ----- -----\n"
                              "total          44    11\n"
                              "ratio       1.000 0.250\n"
                              "\n");
    free(text);
}

static void times_stand_side_by_side_too(void **state)
{
    (void)state;
    struct measurement first = made_up(COUNTERS_CALLS | COUNTERS_TIME), second = first;
    second.library.count = 1;
    const struct column columns[] = { { (char *)"ls -l", &first }, { (char *)"ls -1", &second } };
    char *text = NULL;
    size_t size;
    struct output output = { .stream = open_memstream(&text, &size) };
    columns_print(&output, (struct columns_layout){ ROWS_LIBRARY, ORDER_CALLS, true, true }, columns, 2);
    fclose(output.stream);
    assert_string_equal(text, "time of library call family    ls -l  ls -1\n"
                              "-------------------- -------- ------ ------\n"
                              "statx                lstat    30.0us 30.0us\n"
                              "getxattr             getxattr 10.0us      -\n"
                              "-------------------- -------- ------ ------\n"
                              "total                         40.0us 30.0us\n"
                              "ratio                          1.000  0.750\n"
                              "\n");
    free(text);
}

static void what_all_columns_leave_out_is_said_once(void **state)
{
    (void)state;
    struct measurement first = made_up(COUNTERS_CALLS), second = first;
    char *one[] = { "same", "mine" }, *two[] = { "same" };
    first.uncounted = one;
    first.uncounted_count = 2;
    second.uncounted = two;
    second.uncounted_count = 1;
    const struct column columns[] = { { (char *)"A", &first }, { (char *)"B", &second } };
    char *text = NULL;
    size_t size;
    struct output output = { .stream = open_memstream(&text, &size) };
    columns_uncounted(&output, columns, 2);
    fclose(output.stream);
    assert_string_equal(text, "uncounted: same\nuncounted in A: mine\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_stand_side_by_side_with_a_dash_for_none),
        cmocka_unit_test(times_stand_side_by_side_too),
        cmocka_unit_test(what_all_columns_leave_out_is_said_once),
    };
    setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
