/* Nothing is lost however a process ends, and the end is the one that it would have been. */
#include "counted.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

static void ends(const char *way, int status, uint64_t calls)
{
    struct counted run = RUN(SETUP(), FIXTURE("endings"), way);
    assert_exit(&run, status);
    assert_calls(&run, "lstat", calls);
    assert_int_equal(run.table->processes, 1);
    counted_free(&run);
}

static void dies(const char *way, int signal)
{
    struct counted run = RUN(SETUP(), FIXTURE("endings"), way);
    assert_signal(&run, signal);
    assert_calls(&run, "lstat", 23);
    counted_free(&run);
}

static void returning_from_main_loses_nothing(void **state) { (void)state; ends("return", 0, 23); }
static void exit_loses_nothing(void **state) { (void)state; ends("exit", 3, 23); }
static void _exit_loses_nothing(void **state) { (void)state; ends("_exit", 3, 23); }
static void _Exit_loses_nothing(void **state) { (void)state; ends("_Exit", 3, 23); }
static void quick_exit_loses_nothing(void **state) { (void)state; ends("quick_exit", 3, 23); }
static void exit_group_loses_nothing(void **state) { (void)state; ends("exit_group", 3, 23); }
static void abort_loses_nothing(void **state) { (void)state; dies("abort", SIGABRT); }
static void a_signal_raised_loses_nothing(void **state) { (void)state; dies("term", SIGTERM); }
static void SIGKILL_loses_nothing(void **state) { (void)state; dies("kill", SIGKILL); }
static void a_wrong_pointer_loses_nothing(void **state) { (void)state; dies("segv", SIGSEGV); }
static void atexit_handlers_are_counted(void **state) { (void)state; ends("atexit", 0, 23 + 5); }
static void at_quick_exit_handlers_are_counted(void **state) { (void)state; ends("at_quick_exit", 3, 23 + 5); }

/* An exec is the same process: its calls are kept, and the new program's are added. */
static void every_exec_keeps_counting_in_one_process(void **state)
{
    (void)state;
    static const char *const forms[] = { "execve", "execv", "execvp", "execvpe", "execl", "execlp", "execle" };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct counted run = RUN(SETUP(), FIXTURE("endings"), forms[i]);
        assert_exit(&run, 0);
        assert_calls(&run, "lstat", 23 + 23);
        assert_calls(&run, forms[i], 1);
        assert_errors(&run, forms[i], 0);
        assert_int_equal(run.table->processes, 1);
        counted_free(&run);
    }
}

/* The bare library prints what it knows: the status, or the signal of abort(). */
static void reports(const char *way, const char *exit_text, const char *calls_text)
{
    struct counted run = RUN(SETUP(.bare = true, .environment = ENVIRONMENT("LIBCOUNT_FORMAT=json")),
                             FIXTURE("endings"), way);
    if (!strstr(run.errors, exit_text) || !strstr(run.errors, calls_text))
        fail_msg("%s: no %s or %s in\n%s", way, exit_text, calls_text, run.errors);
    counted_free(&run);
}

static void the_bare_library_reports_each_end(void **state)
{
    (void)state;
    static const char lstat[] = "\"lstat\", \"family\": \"lstat\", \"calls\": ";
    const char *calls = counted_format("%s23,", lstat), *more = counted_format("%s28,", lstat);
    reports("return", "\"exit\": {\"status\": 0}", calls);
    reports("exit", "\"exit\": {\"status\": 3}", calls);
    reports("_exit", "\"exit\": {\"status\": 3}", calls);
    reports("_Exit", "\"exit\": {\"status\": 3}", calls);
    reports("quick_exit", "\"exit\": {\"status\": 3}", calls);
    reports("exit_group", "\"exit\": {\"status\": 3}", calls);
    reports("abort", "\"exit\": {\"signal\": 6}", calls);
    reports("atexit", "\"exit\": {\"status\": 0}", more);
    reports("at_quick_exit", "\"exit\": {\"status\": 3}", more);
    reports("execve", "\"exit\": {\"status\": 0}", counted_format("%s46,", lstat));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(returning_from_main_loses_nothing),
        cmocka_unit_test(exit_loses_nothing),
        cmocka_unit_test(_exit_loses_nothing),
        cmocka_unit_test(_Exit_loses_nothing),
        cmocka_unit_test(quick_exit_loses_nothing),
        cmocka_unit_test(exit_group_loses_nothing),
        cmocka_unit_test(abort_loses_nothing),
        cmocka_unit_test(a_signal_raised_loses_nothing),
        cmocka_unit_test(SIGKILL_loses_nothing),
        cmocka_unit_test(a_wrong_pointer_loses_nothing),
        cmocka_unit_test(atexit_handlers_are_counted),
        cmocka_unit_test(at_quick_exit_handlers_are_counted),
        cmocka_unit_test(every_exec_keeps_counting_in_one_process),
        cmocka_unit_test(the_bare_library_reports_each_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
