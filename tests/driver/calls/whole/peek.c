/* The stack pointer of a task is known at once, also where the kernel has just woken it and it has not waited again. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/whole/peek.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Reads until the pipe ends: nearly always it waits in this call. */
static _Noreturn void read_bytes(const int ends[2])
{
    char byte;
    close(ends[1]);
    while (read(ends[0], &byte, 1) == 1)
        continue;
    _exit(0);
}

static void a_task_that_has_just_been_woken_is_waited_for(void **state)
{
    enum { ROUNDS = 2000 };
    int ends[2], status, unknown = 0;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0)
        read_bytes(ends);
    close(ends[0]);
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t stack = 0;
        assert_int_equal(write(ends[1], "x", 1), 1);
        unknown += !peek_stack(child, &stack) || !stack;
    }
    close(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(unknown, 0);
}

static void a_task_that_has_gone_has_none(void **state)
{
    int status;
    uint64_t stack;
    (void)state;
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    siginfo_t ended;
    assert_int_equal(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT), 0);
    assert_false(peek_stack(child, &stack));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_false(peek_stack(child, &stack));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_task_that_has_just_been_woken_is_waited_for),
        cmocka_unit_test(a_task_that_has_gone_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
