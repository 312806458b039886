/* Reading a counter table that the test itself has written. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/table.h"
#include "driver/common/errors.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

static struct counters_table *new_table(uint32_t flags)
{
    struct counters_table *table = aligned_alloc(4096, (counters_size(flags) + 4095) / 4096 * 4096);
    memset(table, 0, counters_size(flags));
    counters_initialise(table, flags, 1);
    table->threads = COUNTERS_SHARDS;   /* all shards are in use */
    return table;
}

static void an_empty_table_has_no_rows(void **state)
{
    (void)state;
    struct counters_table *table = new_table(0);
    struct count_list library = table_library(table), system = { 0 };
    table_system(table, &system);
    assert_int_equal(library.count, 0);
    assert_int_equal(system.count, 0);
    assert_int_equal(counts_total(&library).calls, 0);
    free(table);
}

static void a_row_is_the_sum_over_all_shards(void **state)
{
    (void)state;
    struct counters_table *table = new_table(0);
    for (unsigned i = 0; i < COUNTERS_SHARDS; i++) {
        table->shard[i].library[CALL_statx].calls = 100 + i;
        table->shard[i].library[CALL_statx].errors = i;
    }
    struct count_list list = table_library(table);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.row[0].name, "statx");
    assert_string_equal(list.row[0].family, "lstat");
    assert_int_equal(list.row[0].calls, 16 * 100 + 120);
    assert_int_equal(list.row[0].errors, 120);
    counts_free(&list);
    free(table);
}

static void system_calls_have_the_names_and_families_of_their_numbers(void **state)
{
    (void)state;
    struct counters_table *table = new_table(0);
    table->shard[0].system[SYS_getdents64].calls = 2;
    table->shard[3].system[SYS_openat].calls = 44;
    table->shard[15].system[SYS_exit_group].calls = 1;
    struct count_list list = { 0 };
    table_system(table, &list);
    assert_int_equal(list.count, 3);
    assert_string_equal(counts_find(&list, "getdents64")->family, "getdents");
    assert_string_equal(counts_find(&list, "openat")->family, "open");
    assert_string_equal(counts_find(&list, "exit_group")->family, "process");
    assert_int_equal(counts_find(&list, "openat")->calls, 44);
    assert_null(counts_find(&list, "open"));
    counts_free(&list);
    free(table);
}

static void a_number_without_a_name_is_shown_by_its_number(void **state)
{
    (void)state;
    struct counters_table *table = new_table(0);
    table->shard[0].system[COUNTERS_NUMBERS - 1].calls = 5;
    table->shard[0].system[COUNTERS_NUMBERS].calls = 7;
    table->other[0] = 1 + 100000;
    table->shard[0].system[COUNTERS_NUMBERS + 1].calls = 11;
    table->other[1] = 1 - 38;
    struct count_list list = { 0 };
    table_system(table, &list);
    assert_int_equal(counts_find(&list, "syscall_511")->calls, 5);
    assert_int_equal(counts_find(&list, "syscall_100000")->calls, 7);
    assert_int_equal(counts_find(&list, "syscall_-38")->calls, 11);
    assert_string_equal(counts_find(&list, "syscall_-38")->family, "other");
    counts_free(&list);
    free(table);
}

static void calls_that_a_supervisor_saw_join_the_row_of_their_name(void **state)
{
    (void)state;
    struct counters_table *table = new_table(0);
    struct count_list list = { 0 };
    counts_add_unseen(&list, "", SYS_openat, 3);
    counts_add_unseen(&list, "i386:", 5, 2);
    counts_add_unseen(&list, "i386:", 100000, 1);
    table->shard[1].system[SYS_openat].calls = 44;
    table->shard[1].system[SYS_close].calls = 7;
    table_system(table, &list);
    assert_int_equal(list.count, 4);
    assert_int_equal(counts_find(&list, "openat")->calls, 47);
    assert_true(counts_find(&list, "openat")->unseen);
    assert_false(counts_find(&list, "close")->unseen);
    assert_string_equal(counts_find(&list, "i386:open")->family, "open");
    assert_int_equal(counts_find(&list, "i386:syscall_100000")->calls, 1);
    counts_free(&list);
    free(table);
}

static void times_come_from_the_part_behind_the_shards(void **state)
{
    (void)state;
    struct counters_table *table = new_table(COUNTERS_TIME);
    struct counter_times *times = &counters_times(table)->library[CALL_open];
    table->shard[0].library[CALL_open].calls = 100;
    times->total = 99 * 1000 + 1000000;
    times->minimum = 900 + 1;
    times->maximum = 1000000;
    times->bins[counters_bin(1000)] = 98;
    times->bins[counters_bin(1000000)] = 2;
    struct count_list list = table_library(table);
    assert_int_equal(list.row[0].times.total, 1099000);
    assert_int_equal(list.row[0].times.minimum, 900);
    assert_int_equal(list.row[0].times.maximum, 1000000);
    assert_true(list.row[0].times.p50 >= 875 && list.row[0].times.p50 <= 1125);
    assert_true(list.row[0].times.p99 >= 875000 && list.row[0].times.p99 <= 1000000);
    counts_free(&list);
    free(table);
}

static void rows_are_sorted_by_calls_then_by_name(void **state)
{
    (void)state;
    struct count rows[] = {
        { .name = "b", .family = "y", .calls = 2, .errors = 1 }, { .name = "c", .family = "x", .calls = 9 },
        { .name = "a", .family = "y", .calls = 2, .errors = 3 },
    };
    struct count_list list = { rows, 3 };
    const struct { enum count_order order; const char *names; } cases[] = {
        { ORDER_CALLS, "cab" }, { ORDER_ERRORS, "abc" }, { ORDER_NAME, "abc" }, { ORDER_FAMILY, "cab" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        counts_sort(&list, ORDER_NAME);
        counts_sort(&list, cases[i].order);
        char names[4] = { rows[0].name[0], rows[1].name[0], rows[2].name[0], '\0' };
        assert_string_equal(names, cases[i].names);
    }
}

static void only_the_families_that_were_asked_for_are_kept(void **state)
{
    (void)state;
    struct count rows[] = { { .name = "a", .family = "open" }, { .name = "b", .family = "lstat" },
                            { .name = "c", .family = "openx" }, { .name = "d", .family = "close" } };
    struct count_list list = { rows, 4 };
    counts_keep(&list, "close,open");
    assert_int_equal(list.count, 2);
    assert_string_equal(list.row[0].name, "a");
    assert_string_equal(list.row[1].name, "d");
}

static void an_unknown_family_is_named(void **state)
{
    (void)state;
    char *unknown = NULL;
    assert_true(counts_families_known("lstat,getxattr,other", &unknown));
    assert_false(counts_families_known("lstat,lst,open", &unknown));
    assert_string_equal(unknown, "lst");
    free(unknown);
    assert_false(counts_families_known("", &unknown));
    assert_string_equal(unknown, "");
    free(unknown);
    assert_false(counts_families_known("open,", &unknown));
    free(unknown);
}

static void a_union_has_each_name_once_with_its_sum(void **state)
{
    (void)state;
    struct count first[] = { { .name = "a", .calls = 2 }, { .name = "b", .calls = 3, .errors = 1 } };
    struct count second[] = { { .name = "b", .calls = 5, .errors = 4 }, { .name = "c", .calls = 7 } };
    const struct count_list one = { first, 2 }, two = { second, 2 };
    const struct count_list *lists[] = { &one, &two };
    struct count_list all = counts_union(lists, 2);
    assert_int_equal(all.count, 3);
    assert_int_equal(counts_find(&all, "b")->calls, 8);
    assert_int_equal(counts_find(&all, "b")->errors, 5);
    assert_int_equal(counts_total(&all).calls, 17);
    counts_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_table_has_no_rows),
        cmocka_unit_test(a_row_is_the_sum_over_all_shards),
        cmocka_unit_test(system_calls_have_the_names_and_families_of_their_numbers),
        cmocka_unit_test(a_number_without_a_name_is_shown_by_its_number),
        cmocka_unit_test(calls_that_a_supervisor_saw_join_the_row_of_their_name),
        cmocka_unit_test(times_come_from_the_part_behind_the_shards),
        cmocka_unit_test(rows_are_sorted_by_calls_then_by_name),
        cmocka_unit_test(only_the_families_that_were_asked_for_are_kept),
        cmocka_unit_test(an_unknown_family_is_named),
        cmocka_unit_test(a_union_has_each_name_once_with_its_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
