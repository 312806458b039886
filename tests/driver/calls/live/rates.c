/* What lies between two readings of a table that the test itself has written. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/live/rates.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

static const uint32_t flags = COUNTERS_CALLS | COUNTERS_SYSCALLS | COUNTERS_BY_PROCESS;

static struct counters_table *new_table(void)
{
    struct counters_table *table = aligned_alloc(4096, (counters_size(flags) + 4095) / 4096 * 4096);
    memset(table, 0, counters_size(flags));
    counters_initialise(table, flags, 1);
    table->dispatch = DISPATCH_ARMED;
    return table;
}

/* A process of that number in a section, which made calls. */
static struct counters_shard *process(struct counters_table *table, size_t number, const char *name)
{
    struct counters_section *section = counters_section(table, number);
    section->pid = 100 + (int)number;
    strcpy(section->name, name);
    section->processes = 1;
    section->state = 2;
    return counters_section_shard(table, number);
}

static struct measurement reading(const struct counters_table *table)
{
    struct measurement result = { .flags = flags, .running = true };
    measure_table(&result, table);
    return result;
}

static void only_what_came_in_between_is_left_and_divided_by_the_time(void **state)
{
    (void)state;
    struct counters_table *table = new_table();
    struct counters_shard *old = process(table, 0, "old"), *new;
    old->library[CALL_lstat].calls = 1000;
    old->library[CALL_lstat].errors = 10;
    old->library[CALL_open].calls = 7;
    old->system[SYS_openat].calls = 7;
    struct measurement before = reading(table);
    old->library[CALL_lstat].calls += 30;
    old->library[CALL_lstat].errors += 3;
    new = process(table, 1, "new");
    new->system[SYS_openat].calls = 5;
    struct measurement now = reading(table);
    rates_between(&before, &now, 2);

    assert_int_equal(now.library.count, 1);
    assert_string_equal(now.library.row[0].name, "lstat");
    assert_int_equal(now.library.row[0].calls, 30);
    assert_int_equal(now.library.row[0].errors, 3);
    assert_true(now.library.row[0].calls_per_s == 15);
    assert_true(now.library.row[0].errors_per_s == 1.5);
    assert_int_equal(now.library.row[0].errnos.count, 1);
    assert_int_equal(parts_sum(&now.library.row[0].errnos), 3);
    assert_int_equal(now.system.count, 1);
    assert_true(now.system.row[0].calls_per_s == 2.5);
    assert_int_equal(now.groups.count, 2);
    assert_true(groups_total(groups_process(&now.groups, 100), false).calls_per_s == 15);
    assert_true(groups_total(groups_process(&now.groups, 101), true).calls_per_s == 2.5);
    assert_true(now.interval_s == 2);
    measure_free(&before);
    measure_free(&now);
    free(table);
}

static void who_made_no_call_is_gone(void **state)
{
    (void)state;
    struct counters_table *table = new_table();
    process(table, 0, "idle")->library[CALL_lstat].calls = 1000;
    struct measurement before = reading(table), now = reading(table);
    rates_between(&before, &now, 1);
    assert_int_equal(now.library.count, 0);
    assert_int_equal(now.groups.count, 0);
    measure_free(&before);
    measure_free(&now);
    free(table);
}

/* A program can write what it likes into its table. */
static void counters_that_shrink_are_no_calls(void **state)
{
    (void)state;
    struct counters_table *table = new_table();
    struct counters_shard *shard = process(table, 0, "odd");
    shard->library[CALL_lstat].calls = 1000;
    struct measurement before = reading(table);
    shard->library[CALL_lstat].calls = 10;
    struct measurement now = reading(table);
    rates_between(&before, &now, 1);
    assert_int_equal(now.library.count, 0);
    measure_free(&before);
    measure_free(&now);
    free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_came_in_between_is_left_and_divided_by_the_time),
        cmocka_unit_test(who_made_no_call_is_gone),
        cmocka_unit_test(counters_that_shrink_are_no_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
