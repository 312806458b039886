/* The keeper ends, also where what it was to keep was killed before its first call. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/whole/filter.h"
#include "driver/calls/whole/keeper.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Supervised from here on and killed by a timer while it computes: it makes no call that could be notified. */
static _Noreturn void be_killed(const struct keeper *keeper)
{
    keeper_leave(keeper);
    signal(SIGALRM, SIG_DFL);
    setitimer(ITIMER_REAL, &(struct itimerval){ .it_value = { .tv_usec = 50000 } }, NULL);
    filter_send(filter_install(false), keeper->socket);
    for (;;)
        __asm__ volatile("");
}

static void a_child_that_is_killed_before_its_first_call_leaves_no_keeper(void **state)
{
    (void)state;
    int status;
    struct keeper keeper;
    assert_int_equal(keeper_begin(&keeper), 0);
    pid_t child = fork();
    if (child == 0)
        be_killed(&keeper);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGALRM);
    pid_t process = keeper.process;
    alarm(60);  /* kills us if it does not end */
    keeper_end(&keeper);
    alarm(0);
    assert_int_equal(kill(process, 0), -1);
}

static void a_keeper_without_a_child_ends_too(void **state)
{
    (void)state;
    struct keeper keeper;
    assert_int_equal(keeper_begin(&keeper), 0);
    pid_t process = keeper.process;
    alarm(60);
    keeper_end(&keeper);
    alarm(0);
    assert_int_equal(kill(process, 0), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_that_is_killed_before_its_first_call_leaves_no_keeper),
        cmocka_unit_test(a_keeper_without_a_child_ends_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
