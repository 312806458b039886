/* A program that changes or empties the environment is followed into what it starts, and finds in its own environment
 * what it put there. */
#include "counted.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void looks(const char *way, uint64_t calls, unsigned processes)
{
    struct counted run = RUN(SETUP(), FIXTURE("exec/environs"), way);
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
                             FIXTURE("exec/environs"), "title");
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

/* What a program sees is what it was given, by every way of running it. */
static void the_environment_is_the_program_s_own(void **state)
{
    (void)state;
    static const char *const given[][3] = {
        { "PLAIN=1" }, { "ASAN_OPTIONS=exitcode=9" }, { "LD_PRELOAD=" }, { "LD_PRELOAD=libeatmydata.so" },
        { "LD_PRELOAD=libeatmydata.so", "ASAN_OPTIONS=" },
    };
    enum { MEMORY_TOO = 2 };  /* /proc/self/environ cannot be what it was where a variable had a value already */
    static const char *const scripts[] = { "exec %s show", "%s show; :", "%s again 5", "%s clean", "%s empty" };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        for (size_t k = 0; k < sizeof scripts / sizeof *scripts; k++) {
            const char *script = counted_format(scripts[k], FIXTURE("exec/view"));
            if (i >= MEMORY_TOO)
                script = counted_format("(%s) | grep -v '^memory:'", script);
            assert_same_as_native(SETUP(.environment = given[i]), "sh", "-c", script);
            assert_same_as_native(SETUP(.flags = COUNTERS_CALLS | COUNTERS_SYSCALLS | COUNTERS_TIME, .environment = given[i]),
                                  "sh", "-c", script);
        }
}

/* Preloaded by hand, LD_PRELOAD is seen as long as the program has it, and is put back where nobody sees it. */
static void the_bare_library_shows_what_its_user_set(void **state)
{
    (void)state;
    const char *view = FIXTURE("exec/view");
    const char *script = counted_format("env -i A=1 %s show; LD_PRELOAD= %s again 3 | grep ^LD_PRE; %s clean | grep ^LD_PRE; "
                                        "env | grep '^L'", view, view, view);
    struct counted run = RUN(SETUP(.bare = true, .environment = ENVIRONMENT("LIBCOUNT_OUTPUT=/dev/null")), "sh", "-c", script);
    struct counted native = RUN(SETUP(.native = true, .environment = ENVIRONMENT("LIBCOUNT_OUTPUT=/dev/null",
                                counted_format("LD_PRELOAD=%s", LIBRARY), "LIBCOUNT_LEVEL=calls", "LIBCOUNT_DISABLE=1")),
                                "sh", "-c", script);
    char *disable = strstr(native.output, "LIBCOUNT_DISABLE=1\n");
    assert_non_null(disable);
    memmove(disable, disable + strlen("LIBCOUNT_DISABLE=1\n"), strlen(disable + strlen("LIBCOUNT_DISABLE=1\n")) + 1);
    assert_string_equal(run.output, native.output);
    counted_free(&run);
    counted_free(&native);
}

/* The report is the one that was asked for, whatever environment the root executes a program with. */
static void settings_survive_an_emptied_environment(void **state)
{
    (void)state;
    char *folder = counted_folder(), *output = counted_format("%s/report", folder);
    struct counted run = RUN(SETUP(.bare = true, .environment = ENVIRONMENT(counted_format("LIBCOUNT_OUTPUT=%s", output),
                                   "LIBCOUNT_FORMAT=json", "LIBCOUNT_TIME=1")), "env", "-i", FIXTURE("endings"), "return");
    assert_exit(&run, 0);
    assert_string_equal(run.errors, "");
    char *report = counted_read(output);
    assert_non_null(report);
    assert_int_equal(strncmp(report, "{\"version\": 1", 13), 0);
    assert_non_null(strstr(report, "\"name\": \"lstat\", \"family\": \"lstat\", \"calls\": 23"));
    assert_non_null(strstr(report, "\"p99_ns\""));
    free(report);
    counted_free(&run);
    counted_remove(folder);
}

/* Ten thousand variables and a stack of 64 KiB; and one byte less than the kernel takes. */
static void an_environment_may_be_as_large_as_the_kernel_allows(void **state)
{
    (void)state;
    static const uint32_t flags[] = { COUNTERS_CALLS, COUNTERS_CALLS | COUNTERS_SYSCALLS };
    for (int i = 0; i < 2; i++) {
        assert_same_as_native(SETUP(.flags = flags[i]), FIXTURE("exec/view"), "small", "9000", "65536");
        assert_same_as_native(SETUP(.flags = flags[i]), FIXTURE("exec/view"), "edge");
    }
    struct counted run = RUN(SETUP(), FIXTURE("exec/view"), "edge");
    const char *note = counted_note(&run, 0);
    assert_non_null(note);
    assert_string_equal(note, "/bin/true: its arguments and environment leave no room for what makes it count");
    assert_null(counted_note(&run, 1));
    counted_free(&run);
    assert_same_as_native(SETUP(), FIXTURE("exec/view"), "left", "40");
}

static void other_entries_of_LD_PRELOAD_are_kept(void **state)
{
    (void)state;
    static const char script[] = "echo \"$LD_PRELOAD\"; LD_PRELOAD=libeatmydata.so sh -c 'echo \"$LD_PRELOAD\"; "
                                 "grep -c eatmydata /proc/self/maps; :'; :";
    struct counted run = RUN(SETUP(.last = "libeatmydata.so"), "sh", "-c", script);
    struct counted native = RUN(SETUP(.native = true, .environment = ENVIRONMENT("LD_PRELOAD=libeatmydata.so")), "sh", "-c",
                                script);
    assert_exit(&run, 0);
    assert_string_equal(run.output, native.output);
    assert_string_equal(run.errors, "");
    counted_free(&run);
    counted_free(&native);
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
        cmocka_unit_test(the_environment_is_the_program_s_own),
        cmocka_unit_test(the_bare_library_shows_what_its_user_set),
        cmocka_unit_test(other_entries_of_LD_PRELOAD_are_kept),
        cmocka_unit_test(settings_survive_an_emptied_environment),
        cmocka_unit_test(an_environment_may_be_as_large_as_the_kernel_allows),
        cmocka_unit_test(an_entry_before_ours_stays_before_it),
        cmocka_unit_test(a_relative_path_is_made_absolute),
        cmocka_unit_test(a_child_with_LIBCOUNT_DISABLE_is_not_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
