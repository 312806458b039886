/* A program that changes or empties the environment is followed into what it starts, and finds in its own environment
 * what it put there. */
#include "counted.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void looks(const char *way, uint64_t calls, unsigned processes)
{
    struct counted run = RUN(SETUP(), FIXTURE("environs"), way);
    if (run.status)
        print_error("%s:\n", way);
    assert_exit(&run, 0);
    if (counted_row(&run, "lstat").calls != calls)
        print_error("%s:\n", way);
    assert_calls(&run, "lstat", calls);
    assert_int_equal(run.table->processes, processes);
    counted_free(&run);
}

static void a_program_executed_with_its_own_environment_is_counted(void **state)
{
    (void)state;
    static const char *const ways[] = { "execve_own", "execve_null", "execvpe_own", "execle_own", "execveat_own",
                                        "fexecve_own", "clearenv_execv", "environ_null_execl" };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        looks(ways[i], 3, 1);
}

static void what_system_and_popen_start_is_counted_and_environ_is_left_as_it_was(void **state)
{
    (void)state;
    static const char *const ways[] = { "clearenv_system", "environ_null_system", "unset_system",
                                        "other_preload_system" };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        looks(ways[i], 3 + 3, 3);
}

static void a_program_spawned_with_an_emptied_environment_is_counted(void **state)
{
    (void)state;
    looks("clearenv_spawn", 3 * 3, 4);
}

static void memory_of_the_environment_may_be_written_over(void **state)
{
    (void)state;
    looks("title", 5 + 3 + 3, 3);
    char *folder = counted_folder(), *output = counted_format("%s/report", folder);
    struct counted run = RUN(SETUP(.bare = true, .environment = ENVIRONMENT(counted_format("LIBCOUNT_OUTPUT=%s", output))),
                             FIXTURE("environs"), "title");
    assert_exit(&run, 0);
    char *report = counted_read(output);
    assert_non_null(report);
    assert_non_null(strstr(report, "        11            lstat     lstat\n"));
    free(report);
    counted_free(&run);
    counted_remove(folder);
}

static void env_i_is_followed(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(), "env", "-i", FIXTURE("endings"), "return");
    assert_exit(&run, 0);
    assert_calls(&run, "lstat", 23);
    assert_int_equal(run.table->processes, 1);
    counted_free(&run);
}

/* The same for the bare library, whose children would otherwise each print a report of their own. */
static void the_bare_library_prints_one_report_for_all(void **state)
{
    (void)state;
    const char *script = counted_format("env -i %s return; %s _exit; :", FIXTURE("endings"), FIXTURE("endings"));
    struct counted run = RUN(SETUP(.bare = true), "sh", "-c", script);
    assert_exit(&run, 0);
    assert_non_null(strstr(run.errors, "(3 processes)"));
    assert_non_null(strstr(run.errors, "        46            lstat     lstat\n"));
    assert_null(strstr(strstr(run.errors, "libcount:") + 1, "libcount:"));
    counted_free(&run);
}

static void other_entries_of_LD_PRELOAD_are_kept_behind_ours(void **state)
{
    (void)state;
    static const char script[] = "echo \"$LD_PRELOAD\"; LD_PRELOAD=libeatmydata.so sh -c 'echo \"$LD_PRELOAD\"; :'; :";
    struct counted run = RUN(SETUP(.last = "libeatmydata.so"), "sh", "-c", script);
    assert_exit(&run, 0);
    char *twice = counted_format("%s:libeatmydata.so\n%s:libeatmydata.so\n", LIBRARY, LIBRARY);
    assert_string_equal(run.output, twice);
    assert_string_equal(run.errors, "");
    free(twice);
    counted_free(&run);
}

static void an_entry_before_ours_stays_before_it(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(.first = "libeatmydata.so"), "sh", "-c", "sh -c 'echo \"$LD_PRELOAD\"; :'; :");
    assert_exit(&run, 0);
    assert_string_equal(run.output, counted_format("libeatmydata.so:%s\n", LIBRARY));
    counted_free(&run);
}

/* Named by a relative path, it is found from every directory. */
static void a_relative_path_is_made_absolute(void **state)
{
    (void)state;
    char *folder = counted_folder();
    assert_int_equal(symlink(LIBRARY, counted_format("%s/short.so", folder)), 0);
    const char *script = counted_format("cd / && %s return; :", FIXTURE("endings"));
    struct counted run = RUN(SETUP(.library = "./short.so", .folder = folder), "sh", "-c", script);
    assert_exit(&run, 0);
    assert_calls(&run, "lstat", 23);
    assert_string_equal(run.errors, "");
    counted_free(&run);
    counted_remove(folder);
}

static void a_child_with_LIBCOUNT_DISABLE_is_not_counted(void **state)
{
    (void)state;
    const char *fixture = FIXTURE("endings");
    const char *script = counted_format("LIBCOUNT_DISABLE=1 %s return; %s return; :", fixture, fixture);
    struct counted run = RUN(SETUP(), "sh", "-c", script);
    assert_exit(&run, 0);
    assert_calls(&run, "lstat", 23);
    counted_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_executed_with_its_own_environment_is_counted),
        cmocka_unit_test(what_system_and_popen_start_is_counted_and_environ_is_left_as_it_was),
        cmocka_unit_test(a_program_spawned_with_an_emptied_environment_is_counted),
        cmocka_unit_test(memory_of_the_environment_may_be_written_over),
        cmocka_unit_test(env_i_is_followed),
        cmocka_unit_test(the_bare_library_prints_one_report_for_all),
        cmocka_unit_test(other_entries_of_LD_PRELOAD_are_kept_behind_ours),
        cmocka_unit_test(an_entry_before_ours_stays_before_it),
        cmocka_unit_test(a_relative_path_is_made_absolute),
        cmocka_unit_test(a_child_with_LIBCOUNT_DISABLE_is_not_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
