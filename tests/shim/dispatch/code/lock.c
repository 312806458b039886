/* Who makes stubs holds a lock, may be killed with it or be slower than who needs it: the others go on. */
#include "shim/dispatch/system.h"

static void a_child_of_vfork_may_be_killed_while_it_makes_a_stub(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(.flags = COUNTERS_CALLS | COUNTERS_SYSCALLS), FIXTURE("dispatch/killed"), "vfork");
    assert_exit(&run, 0);
    assert_true(system_row(&run, SYS_getppid).calls >= 150 * 2);
    counted_free(&run);
}

static void a_real_time_thread_does_not_wait_for_a_normal_one(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(.flags = COUNTERS_CALLS | COUNTERS_SYSCALLS), FIXTURE("dispatch/killed"), "urgent");
    assert_exit(&run, 0);
    counted_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_of_vfork_may_be_killed_while_it_makes_a_stub),
        cmocka_unit_test(a_real_time_thread_does_not_wait_for_a_normal_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
