/* The program's descriptors are its own: none of ours is visible, none of its files gets a byte from us, and closing
 * everything loses neither counts nor the report. */
#include "counted.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Run `descriptors WAY` and look at its files; `prints`: the bare library's report is on standard error. */
static void files_stay(const struct counted_setup *setup, const char *way, bool prints)
{
    char *folder = counted_folder();
    struct counted_setup here = *setup;
    here.folder = folder;
    struct counted run = RUN(&here, FIXTURE("wrap/descriptors"), way);
    assert_exit(&run, 0);
    if (run.table)
        assert_calls(&run, "lstat", 23);
    else if (!!strstr(run.errors, "        23            lstat     lstat\n") != prints)
        fail_msg("%s: %s report on standard error:\n%s", way, prints ? "no" : "a", run.errors);
    for (int i = 0; i < 6; i++) {
        char *text = counted_read(counted_format("%s/%s%d", folder, i < 5 ? "own." : "other", i < 5 ? i : 0));
        if (text && strcmp(text, "mine\n") != 0)
            fail_msg("%s: own.%d has\n%s", way, i, text);
        free(text);
    }
    char *other = counted_read(counted_format("%s/other", folder));
    if (other && *other)
        fail_msg("%s: the file that stands for standard error has\n%s", way, other);
    free(other);
    counted_free(&run);
    counted_remove(folder);
}

static const char *const ways[] = {
    "first", "close_range", "closefrom", "loop", "streams", "fcloses", "range_of_all", "from_zero", "raw_range", "dup2",
    "dup3", "freopen", "streams_then_range", "streams_then_from", "streams_then_loop", "dup2_everywhere",
};

static void closing_everything_loses_no_count(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        files_stay(SETUP(), ways[i], false);
}

static void closing_everything_loses_no_report(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        files_stay(SETUP(.bare = true), ways[i], true);
}

static void everything_is_the_same_when_switched_off(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        files_stay(SETUP(.bare = true, .environment = ENVIRONMENT("LIBCOUNT_DISABLE=1")), ways[i], false);
}

static void the_first_descriptor_is_the_number_that_it_would_be(void **state)
{
    (void)state;
    assert_same_as_native(SETUP(), FIXTURE("wrap/descriptors"), "first");
    assert_same_as_native(SETUP(.bare = true, .environment = ENVIRONMENT("LIBCOUNT_OUTPUT=/dev/null")),
                          FIXTURE("wrap/descriptors"), "first");
}

static void no_descriptor_of_ours_is_listed(void **state)
{
    (void)state;
    static const char script[] = "ls /proc/self/fd; exec 7</dev/null; ls /proc/self/fd";
    assert_same_as_native(SETUP(), "ls", "/proc/self/fd");
    assert_same_as_native(SETUP(), "sh", "-c", script);
    assert_same_as_native(SETUP(.bare = true, .environment = ENVIRONMENT("LIBCOUNT_OUTPUT=/dev/null")), "ls",
                          "/proc/self/fd");
}

static void sixteen_descriptors(void)
{
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 16, 16 });
}

static void sixteen_descriptors_are_enough(void **state)
{
    (void)state;
    files_stay(SETUP(.prepare = sixteen_descriptors), "streams", false);
    files_stay(SETUP(.prepare = sixteen_descriptors, .bare = true), "close_range", true);
}

/* glibc has closefrom from 2.34 on. Before, a program that looks for it finds the library's, which closes as well. */
static void closefrom_that_is_found_by_name_closes(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(), FIXTURE("wrap/by_name"));
    assert_exit(&run, 0);
    assert_calls(&run, "closefrom", 1);
    counted_free(&run);
    run = RUN(SETUP(.bare = true), FIXTURE("wrap/by_name"));
    assert_exit(&run, 0);
    assert_non_null(strstr(run.errors, "         1            close     closefrom\n"));
    counted_free(&run);
}

static void no_standard_error(void)
{
    close(2);
}

/* The files that such a program opens get number 2: nothing is written there. */
static void a_program_without_standard_error_gets_no_report(void **state)
{
    (void)state;
    files_stay(SETUP(.bare = true, .prepare = no_standard_error), "close_range", false);
    files_stay(SETUP(.bare = true, .prepare = no_standard_error), "first", false);
}

/* coreutils close standard output and error before they end, and tell of errors by their status. */
static void a_full_disk_keeps_its_message_and_status(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(.bare = true, .merged = true), "sh", "-c", "exec ls -d / >/dev/full");
    assert_exit(&run, 2);
    assert_non_null(strstr(run.output, "ls: write error: No space left on device\n"));
    assert_non_null(strstr(run.output, "library call\n"));
    counted_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closing_everything_loses_no_count),
        cmocka_unit_test(closing_everything_loses_no_report),
        cmocka_unit_test(everything_is_the_same_when_switched_off),
        cmocka_unit_test(the_first_descriptor_is_the_number_that_it_would_be),
        cmocka_unit_test(no_descriptor_of_ours_is_listed),
        cmocka_unit_test(sixteen_descriptors_are_enough),
        cmocka_unit_test(closefrom_that_is_found_by_name_closes),
        cmocka_unit_test(a_program_without_standard_error_gets_no_report),
        cmocka_unit_test(a_full_disk_keeps_its_message_and_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
