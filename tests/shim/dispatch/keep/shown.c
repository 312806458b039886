/* What a handler sees of a signal that strikes during a call: the program's site and registers, at every instruction. */
#include "shim/dispatch/system.h"

static void every_instruction_of_a_call_shows_the_site(void **state)
{
    (void)state;
    struct counted run = check_way(FIXTURE("dispatch/shown"), "walk", 2 * (3 + 1), 0, true);
    assert_system(&run, SYS_close, 2 * 3 + 0, 2 * 3);
    assert_system(&run, SYS_clone, 3, 3);
    assert_system(&run, 999, 3, 3);
    counted_free(&run);
}

static void a_call_that_waits_shows_its_syscall_or_what_is_behind(void **state)
{
    (void)state;
    struct counted run = check_way(FIXTURE("dispatch/shown"), "wait", 0, 0, true);
    assert_system(&run, SYS_kill, 2, 0);
    counted_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_of_a_call_shows_the_site),
        cmocka_unit_test(a_call_that_waits_shows_its_syscall_or_what_is_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
