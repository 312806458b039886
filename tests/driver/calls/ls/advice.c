/* What is said in words about made-up measurements of ls. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/ls/advice.h"
#include "made_up.h"

#include <math.h>
#include <string.h>

/* What is said; tears down. */
static void expect(struct made_up *made_up, const char *expected)
{
    char *text = advice(&made_up->experiment);
    for (size_t length = strlen(text); length && text[length - 1] == ' '; length--)
        text[length - 1] = '\0';
    assert_string_equal(text, expected);
    free(text);
    tear_down(made_up);
}

static void long_listing(struct made_up *made_up)
{
    set_up(made_up, 3, (const char *const[]){ "ls -l", "ls -1", "ls" });
    for (size_t i = 0; i < 3; i++)
        add(made_up, i, "open", "openat", i ? 30 : 40, 0);
    add(made_up, 0, "lstat", "statx", 0, 1);
    add(made_up, 0, "getxattr", "lgetxattr", 0, 1);
    add(made_up, 0, "getxattr", "getxattr", 0, 1);
}

static void calls_per_file_are_told_with_their_names(void **state)
{
    (void)state;
    struct made_up made_up;
    long_listing(&made_up);
    expect(&made_up, "`ls -l` makes 3.0 system calls more per file than `ls -1` and `ls`: getxattr, lgetxattr, statx; "
                     "on a network file system each can be a round trip.");
}

static void a_time_beyond_chance_is_told_for_the_same_two(void **state)
{
    (void)state;
    struct made_up made_up;
    long_listing(&made_up);
    set_time(&made_up, 0, 0.0484, 0.002);
    set_time(&made_up, 1, 0.0100, 0.001);
    set_time(&made_up, 2, 0.0099, 0.001);
    expect(&made_up, "`ls -l` makes 3.0 system calls more per file than `ls -1` and `ls`: getxattr, lgetxattr, statx; "
                     "on a network file system each can be a round trip. "
                     "With 100 files `ls -l` took 4.8 times as long as `ls -1` (48.4ms against 10.0ms).");
}

static void times_that_may_be_equal_are_not_told(void **state)
{
    (void)state;
    struct made_up made_up;
    set_up(&made_up, 2, (const char *const[]){ "ls", "ls -U" });
    set_time(&made_up, 0, 0.020, 0.0051);
    set_time(&made_up, 1, 0.010, 0.0050);
    expect(&made_up, "");
    set_up(&made_up, 2, (const char *const[]){ "ls", "ls -U" });
    set_time(&made_up, 0, 0.020, NAN);
    set_time(&made_up, 1, 0.010, NAN);
    expect(&made_up, "");
    set_up(&made_up, 2, (const char *const[]){ "ls", "ls -U" });
    set_time(&made_up, 0, 0.0109, 0.0001);
    set_time(&made_up, 1, 0.0100, 0.0001);
    expect(&made_up, "");
}

static void equal_calls_in_different_times_are_told_alone(void **state)
{
    (void)state;
    struct made_up made_up;
    set_up(&made_up, 2, (const char *const[]){ "ls -U", "ls" });
    set_time(&made_up, 0, 0.010, 0.001);
    set_time(&made_up, 1, 0.150, 0.001);
    expect(&made_up, "With 100 files `ls` took 15 times as long as `ls -U` (150ms against 10.0ms).");
}

static void several_variants_are_told_in_one_sentence_by_what_they_cost(void **state)
{
    (void)state;
    struct made_up made_up;
    set_up(&made_up, 4, (const char *const[]){ "ls --color=always", "ls -1", "ls -F", "ls -lL" });
    add(&made_up, 0, "lstat", "statx", 0, 1);
    add(&made_up, 2, "lstat", "statx", 0, 1);
    add(&made_up, 3, "lstat", "statx", 0, 1);
    add(&made_up, 3, "getxattr", "getxattr", 0, 2);
    expect(&made_up, "`ls -lL` makes 3.0 system calls more per file than `ls -1`: getxattr (2.0), statx; "
                     "`ls --color=always` and `ls -F` make 1.0: statx; "
                     "on a network file system each can be a round trip.");
}

static void only_calls_that_name_a_file_are_round_trips(void **state)
{
    (void)state;
    struct made_up made_up;
    set_up(&made_up, 2, (const char *const[]){ "ls -l", "ls" });
    add(&made_up, 0, "lstat", "statx", 0, 1);
    add(&made_up, 0, "write", "write", 0, 1);
    expect(&made_up, "`ls -l` makes 2.0 system calls more per file than `ls`: statx, write; "
                     "on a network file system each that names a file can be a round trip.");
    set_up(&made_up, 2, (const char *const[]){ "ls -l", "ls" });
    add(&made_up, 0, "write", "write", 0, 1);
    expect(&made_up, "`ls -l` makes 1.0 system calls more per file than `ls`: write.");
}

static void fewer_calls_of_a_name_are_told_too(void **state)
{
    (void)state;
    struct made_up made_up;
    set_up(&made_up, 2, (const char *const[]){ "ls -a", "ls -b" });
    add(&made_up, 0, "lstat", "statx", 0, 3);
    add(&made_up, 1, "lstat", "readlink", 0, 1);
    expect(&made_up, "`ls -a` makes 2.0 system calls more per file than `ls -b`: statx (3.0), but fewer readlink; "
                     "on a network file system each can be a round trip.");
}

static void what_is_the_same_for_any_number_of_files_is_told_as_such(void **state)
{
    (void)state;
    static const char *const names[] = { "openat", "close", "connect", "lseek", "read", "socket" };
    struct made_up made_up;
    set_up(&made_up, 2, (const char *const[]){ "ls -l", "ls -n" });
    for (size_t i = 0; i < 6; i++)
        add(&made_up, 0, "open", names[i], 9 - (double)i, 0);
    add(&made_up, 1, "open", "openat", 1, 0);
    expect(&made_up, "`ls -l` makes 38 system calls more than `ls -n`, however many files: close (8), openat (8), "
                     "connect (7), lseek (6) and 2 others.");
}

static void what_depends_on_the_files_only_a_little_is_not_told(void **state)
{
    (void)state;
    struct made_up made_up;
    set_up(&made_up, 2, (const char *const[]){ "ls -l", "ls" });
    add(&made_up, 0, "write", "write", 1, 0.04);
    add(&made_up, 1, "write", "write", 1, 0);
    expect(&made_up, "");
}

static void nothing_is_said_where_nothing_differs(void **state)
{
    (void)state;
    struct made_up made_up;
    set_up(&made_up, 2, (const char *const[]){ "ls", "ls -1" });
    add(&made_up, 0, "lstat", "statx", 3, 1);
    add(&made_up, 1, "lstat", "statx", 3, 1);
    expect(&made_up, "");
}

static void nothing_is_said_of_one_variant_or_where_system_calls_were_not_counted(void **state)
{
    (void)state;
    struct made_up made_up;
    long_listing(&made_up);
    made_up.result[4].system_counted = false;
    set_time(&made_up, 0, 1, 0.001);
    expect(&made_up, "");
    set_up(&made_up, 1, (const char *const[]){ "ls -l" });
    add(&made_up, 0, "lstat", "statx", 3, 1);
    expect(&made_up, "");
}

static void a_single_further_file_gives_no_slope(void **state)
{
    (void)state;
    struct made_up made_up;
    long_listing(&made_up);
    made_up.size[1] = 1;
    made_up.experiment.base = 0;
    expect(&made_up, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_per_file_are_told_with_their_names),
        cmocka_unit_test(a_time_beyond_chance_is_told_for_the_same_two),
        cmocka_unit_test(times_that_may_be_equal_are_not_told),
        cmocka_unit_test(equal_calls_in_different_times_are_told_alone),
        cmocka_unit_test(several_variants_are_told_in_one_sentence_by_what_they_cost),
        cmocka_unit_test(only_calls_that_name_a_file_are_round_trips),
        cmocka_unit_test(fewer_calls_of_a_name_are_told_too),
        cmocka_unit_test(what_is_the_same_for_any_number_of_files_is_told_as_such),
        cmocka_unit_test(what_depends_on_the_files_only_a_little_is_not_told),
        cmocka_unit_test(nothing_is_said_where_nothing_differs),
        cmocka_unit_test(nothing_is_said_of_one_variant_or_where_system_calls_were_not_counted),
        cmocka_unit_test(a_single_further_file_gives_no_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
