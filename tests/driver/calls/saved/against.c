/* Made-up runs against a made-up report from before. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/saved/against.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 3 };
static char *command[] = { "p", NULL };

/* A run of lstat, open and close, so often each; a row without calls is not there. */
struct run {
    struct count row[ROWS];
    struct measurement result;
};

static void make(struct run *run, const uint64_t calls[ROWS])
{
    static const char *const names[ROWS] = { "lstat", "open", "close" };
    *run = (struct run){ .result = { .command = command, .flags = COUNTERS_CALLS } };
    run->result.library.row = run->row;
    for (size_t i = 0; i < ROWS; i++) {
        if (!calls[i])
            continue;
        struct count *row = &run->row[run->result.library.count++];
        *row = (struct count){ .calls = calls[i] };
        row->family = names[i];
        strcpy(row->name, names[i]);
    }
}

static const struct against_row *row_of(const struct against *against, const char *name)
{
    for (size_t i = 0; i < against->count; i++)
        if (!strcmp(against->row[i].name, name))
            return &against->row[i];
    return NULL;
}

/* Whether one run of `after` fails against `before`, with this limit. */
static bool fails(const uint64_t before[ROWS], const uint64_t after[ROWS], const char *text, const char *ignored)
{
    struct run old, new;
    struct against_limit limit = { 0 };
    make(&old, before);
    make(&new, after);
    if (text)
        assert_true(against_limit_parse(text, &limit));
    struct against against = against_compare("f", &old.result, &new.result, 1, ignored, limit);
    bool failed = against.failed;
    against_free(&against);
    return failed;
}

static void a_limit_is_a_number_of_calls_or_a_percentage(void **state)
{
    (void)state;
    struct against_limit limit;
    static const char *const wrong[] = { "", "-1", "+1", " 1", "1.5", "1e3", "0x10", "1%%", "%", "1 %", "nan", "inf", "1k" };
    assert_true(against_limit_parse("10", &limit) && limit.given && !limit.percent && limit.value == 10);
    assert_true(against_limit_parse("2.5%", &limit) && limit.percent && limit.value == 2.5);
    assert_true(against_limit_parse("0", &limit) && limit.given && limit.value == 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (against_limit_parse(wrong[i], &limit))
            fail_msg("'%s' is a limit", wrong[i]);
}

static void a_row_may_grow_by_as_many_calls_as_the_limit(void **state)
{
    (void)state;
    const uint64_t before[] = { 23, 29, 0 }, same[] = { 23, 29, 0 }, more[] = { 25, 27, 0 }, less[] = { 2, 2, 0 };
    assert_false(fails(before, same, "0", NULL));
    assert_false(fails(before, more, "2", NULL));
    assert_true(fails(before, more, "1", NULL));
    assert_false(fails(before, more, NULL, NULL));
    assert_false(fails(before, less, "0", NULL));
}

static void a_percentage_is_of_what_was_there_before(void **state)
{
    (void)state;
    const uint64_t before[] = { 100, 200, 0 }, more[] = { 105, 200, 0 }, new[] = { 100, 200, 1 };
    assert_false(fails(before, more, "5%", NULL));
    assert_true(fails(before, more, "4.9%", NULL));
    assert_true(fails(before, new, "1000%", NULL));
}

static void the_total_has_the_same_limit(void **state)
{
    (void)state;
    const uint64_t before[] = { 10, 10, 10 }, more[] = { 12, 12, 12 };
    assert_true(fails(before, more, "5", NULL));
    assert_false(fails(before, more, "6", NULL));
}

static void what_is_ignored_is_in_no_total(void **state)
{
    (void)state;
    const uint64_t before[] = { 10, 10, 10 }, more[] = { 10, 10, 90 };
    assert_true(fails(before, more, "0", "lstat,open"));
    assert_false(fails(before, more, "0", "close"));
    struct run old, new;
    make(&old, before);
    make(&new, more);
    struct against against = against_compare("f", &old.result, &new.result, 1, "close", (struct against_limit){ 0 });
    assert_null(row_of(&against, "close"));
    assert_int_equal(row_of(&against, "total")->before, 20);
    assert_int_equal(row_of(&against, "total")->after, 20);
    against_free(&against);
}

static void the_least_of_several_runs_is_what_has_grown(void **state)
{
    (void)state;
    struct run old, runs[3];
    const uint64_t before[] = { 10, 10, 0 }, after[3][ROWS] = { { 11, 12, 1 }, { 10, 13, 0 }, { 17, 11, 0 } };
    struct measurement results[3];
    make(&old, before);
    for (size_t i = 0; i < 3; i++) {
        make(&runs[i], after[i]);
        results[i] = runs[i].result;
    }
    struct against_limit limit = { true, false, 0 };
    struct against against = against_compare("f", &old.result, results, 3, NULL, limit);
    const struct against_row *row = row_of(&against, "lstat");
    assert_true(row->after == 10 && row->most == 17 && !row->over);
    row = row_of(&against, "open");
    assert_true(row->after == 11 && row->most == 13 && row->over);
    row = row_of(&against, "close");
    assert_true(row->after == 0 && row->most == 1 && !row->over);
    row = row_of(&against, "total");
    assert_true(row->before == 20 && row->after == 23 && row->most == 28);
    against_free(&against);
}

static void names_are_calls_or_families(void **state)
{
    (void)state;
    char *unknown = NULL;
    assert_true(against_names_known("lstat,process,getdents64,newfstatat,syscall_1234,i386:open", &unknown));
    assert_false(against_names_known("lstat,nosuch,x", &unknown));
    assert_string_equal(unknown, "nosuch");
    free(unknown);
    assert_false(against_names_known("", &unknown));
    free(unknown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_is_a_number_of_calls_or_a_percentage),
        cmocka_unit_test(a_row_may_grow_by_as_many_calls_as_the_limit),
        cmocka_unit_test(a_percentage_is_of_what_was_there_before),
        cmocka_unit_test(the_total_has_the_same_limit),
        cmocka_unit_test(what_is_ignored_is_in_no_total),
        cmocka_unit_test(the_least_of_several_runs_is_what_has_grown),
        cmocka_unit_test(names_are_calls_or_families),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
