/* Starting commands and waiting for them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/measure/interrupt.h"
#include "driver/calls/measure/launch.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Run `sh -c script` and return its wait status. */
static int run(const char *script, const char *directory, struct launch_end *end)
{
    char *argv[] = { (char *)"sh", (char *)"-c", (char *)script, NULL };
    struct launch launch = { .argv = argv, .directory = directory, .quiet = true };
    char *path = NULL;
    assert_int_equal(launch_find(&launch, &path), 0);
    interrupt_begin();
    int failure = launch_run(&launch, path, environ, end);
    interrupt_end();
    assert_int_equal(failure, 0);
    free(path);
    return end->status;
}

static void exit_statuses_and_signals_are_the_commands(void **state)
{
    (void)state;
    struct launch_end end;
    assert_int_equal(launch_exit_status(run("exit 0", NULL, &end)), 0);
    assert_int_equal(launch_exit_status(run("exit 71", NULL, &end)), 71);
    int status = run("kill -TERM $$", NULL, &end);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(launch_exit_status(status), 128 + SIGTERM);
}

static void a_quiet_command_reads_and_writes_nothing_of_ours(void **state)
{
    (void)state;
    struct launch_end end;
    int status = run("echo noise; read line && exit 9; test /proc/self/fd/0 -ef /dev/null -a /proc/self/fd/1 -ef /dev/null",
                     NULL, &end);
    assert_int_equal(launch_exit_status(status), 0);
}

static void it_runs_where_it_is_told(void **state)
{
    (void)state;
    struct launch_end end;
    assert_int_equal(launch_exit_status(run("test \"$(pwd -P)\" = /usr", "/usr", &end)), 0);
}

static void times_are_the_commands(void **state)
{
    (void)state;
    struct launch_end end;
    run("sleep 0.2", NULL, &end);
    assert_true(end.real_s >= 0.2 && end.real_s < 5);
    assert_true(end.usage.ru_utime.tv_sec == 0);
    run("i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done", NULL, &end);
    assert_true(end.usage.ru_utime.tv_sec + 1e-6 * (double)end.usage.ru_utime.tv_usec > 0.01);
}

static void our_own_dispositions_come_back(void **state)
{
    (void)state;
    struct launch_end end;
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_DFL);
    run("exit 0", NULL, &end);
    assert_true(signal(SIGTERM, SIG_DFL) == SIG_IGN);
    assert_true(signal(SIGINT, SIG_DFL) == SIG_DFL);
}

static void what_cannot_start_has_the_statuses_of_env(void **state)
{
    (void)state;
    char *path = NULL, *missing[] = { (char *)"/nonexistent/x", NULL }, *folder[] = { (char *)"/usr", NULL };
    assert_int_equal(launch_find(&(struct launch){ .argv = missing }, &path), 127);
    assert_int_equal(launch_find(&(struct launch){ .argv = folder }, &path), 126);
    struct launch_end end;
    assert_int_equal(launch_run(&(struct launch){ .argv = missing }, "/nonexistent/x", environ, &end), 127);
    assert_int_equal(launch_run(&(struct launch){ .argv = folder }, "/usr", environ, &end), 126);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exit_statuses_and_signals_are_the_commands),
        cmocka_unit_test(a_quiet_command_reads_and_writes_nothing_of_ours),
        cmocka_unit_test(it_runs_where_it_is_told),
        cmocka_unit_test(times_are_the_commands),
        cmocka_unit_test(our_own_dispositions_come_back),
        cmocka_unit_test(what_cannot_start_has_the_statuses_of_env),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
