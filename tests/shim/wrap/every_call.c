/* Every row of calls.def has a line in every_call.def, and counts exactly the calls and errors that the lines make. */
#include "counted.h"

#include <features.h>
#include <string.h>

static const char *const names[] = {
#define CALL(family, type, name, parameters, arguments, failed) #name,
#include "shim/table/calls.def"
};

/* What the fixture makes of each row. */
static struct { uint64_t calls, errors, doubtful; } expected[LIBRARY_CALLS];

static void read_lines(void)
{
#define ONE(name, ...) expected[CALL_##name].calls++;
#define BAD(name, ...) expected[CALL_##name].calls++, expected[CALL_##name].errors++;
#define ANY(name, ...) expected[CALL_##name].calls++, expected[CALL_##name].doubtful++;
#include "tests/fixture/wrap/every_call.def"
}

static void every_row_has_a_line(void **state)
{
    (void)state;
    int missing = 0;
    for (size_t row = 0; row < LIBRARY_CALLS; row++)
        if (!expected[row].calls) {
            print_error("%s: no line in tests/fixture/wrap/every_call.def\n", names[row]);
            missing++;
        }
    assert_int_equal(missing, 0);
}

/* Before glibc 2.34 librt, libpthread and libnss_files are libraries of their own, and their calls of libc count, too. */
static bool called_by_parts_of_libc(const char *name)
{
#if !__GLIBC_PREREQ(2, 34)
    static const char *const called[] = { "open", "unlink", "__statfs", "__mprotect", "fopen", "fclose", "__getdelim" };
    for (size_t i = 0; i < sizeof called / sizeof *called; i++)
        if (!strcmp(name, called[i]))
            return true;
#endif
    (void)name;
    return false;
}

static void assert_all_rows(const struct counted_setup *setup)
{
    int wrong = 0;
    struct counted run = RUN(setup, FIXTURE("wrap/every_call"));
    assert_exit(&run, 0);
    for (size_t row = 0; row < LIBRARY_CALLS; row++) {
        struct counted_sum is = counted_row(&run, names[row]);
        if (is.calls == expected[row].calls && is.errors >= expected[row].errors &&
            is.errors <= expected[row].errors + expected[row].doubtful)
            continue;
        if (is.calls > expected[row].calls && is.errors >= expected[row].errors && called_by_parts_of_libc(names[row]))
            continue;
        print_error("%s: %lu calls and %lu errors, expected %lu and %lu\n", names[row], (unsigned long)is.calls,
                    (unsigned long)is.errors, (unsigned long)expected[row].calls, (unsigned long)expected[row].errors);
        wrong++;
    }
    counted_free(&run);
    assert_int_equal(wrong, 0);
}

static void every_row_counts_what_is_called(void **state)
{
    (void)state;
    char *folder = counted_folder();
    assert_all_rows(SETUP(.folder = folder));
    counted_remove(folder);
}

static void every_row_counts_the_same_when_timed(void **state)
{
    (void)state;
    char *folder = counted_folder();
    assert_all_rows(SETUP(.folder = folder, .flags = COUNTERS_CALLS | COUNTERS_TIME));
    counted_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_has_a_line),
        cmocka_unit_test(every_row_counts_what_is_called),
        cmocka_unit_test(every_row_counts_the_same_when_timed),
    };
    read_lines();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
