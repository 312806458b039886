/* SIGSYS stays ours, signals and calls go together: what a program sees is what it would see without the library. */
#include "shim/dispatch/system.h"

#include <signal.h>

static void way(const char *name, uint64_t asked, int signal)
{
    struct counted run = check_way(FIXTURE("dispatch/signals"), name, asked, signal, true);
    counted_free(&run);
}

#define TEST(name, ...) static void name(void **state) { (void)state; __VA_ARGS__; }
TEST(sigsys_may_be_blocked, way("blocked", ASKED(23 + 29), 0))
TEST(a_descriptor_of_signals_has_sigsys, way("descriptor", ASKED(5), 0))
TEST(who_waits_for_signals_gets_the_one_that_was_sent, way("waited", ASKED(5), 0))
TEST(sigsys_may_be_ignored, way("ignored", ASKED(23 + 29), 0))
TEST(a_handler_of_sigsys_gets_what_was_sent_and_nothing_else, way("replaced", ASKED(23 + 29), 0))
TEST(a_blocked_sigsys_waits_and_comes, way("pending", ASKED(23 + 29), 0))
TEST(sigsys_kills_where_nothing_handles_it, way("default", ASKED(23), SIGSYS))
TEST(wrong_arguments_give_the_errors_of_the_kernel, way("wrong", ASKED(23), 0))
TEST(masks_of_actions_hold_sigsys, way("action_masks", ASKED(23), 0))
TEST(handlers_may_change_what_their_return_restores, way("handler_masks", ASKED(3 * 4 + 5 + 7), 0))
TEST(interrupted_calls_restart_or_fail_as_they_would, way("restart", ASKED(23), 0))
TEST(handlers_may_jump_out, way("jump", ASKED(3 * 101 + 5), 0))
TEST(a_signal_that_kills_loses_nothing, way("killed", ASKED(31), SIGTERM))
TEST(a_program_is_started_with_sigsys_as_it_was_left, way("pass_blocked", ASKED(5 + 11), 0);
     way("pass_ignored", ASKED(5 + 11), 0); way("pass_both", ASKED(5 + 11), 0); way("pass_neither", ASKED(5 + 11), 0))

/* The fixture says how many calls there were. */
static void calls_of_a_handler_between_calls_are_exact(void **state)
{
    (void)state;
    for (int timed = 0; timed < 2; timed++) {
        struct counted run = RUN(SETUP(.flags = COUNTERS_SYSCALLS | (timed ? COUNTERS_TIME : 0)),
                                 FIXTURE("dispatch/signals"), "alarm");
        assert_exit(&run, 0);
        assert_system(&run, SYS_getppid, strtoul(run.output, NULL, 10), 0);
        counted_free(&run);
    }
}

static sigset_t sys_only(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGSYS);
    return set;
}

static void block(void)
{
    sigset_t set = sys_only();
    sigprocmask(SIG_BLOCK, &set, NULL);
}

static void ignore(void)
{
    signal(SIGSYS, SIG_IGN);
}

static void a_program_started_with_sigsys_blocked_or_ignored_sees_that(void **state)
{
    static const struct counted_setup blocked = { .flags = COUNTERS_SYSCALLS | COUNTERS_CALLS, .prepare = block },
                                      ignored = { .flags = COUNTERS_SYSCALLS | COUNTERS_CALLS, .prepare = ignore };
    (void)state;
    assert_same_as_native(&blocked, FIXTURE("dispatch/signals"), "inherited");
    assert_same_as_native(&ignored, FIXTURE("dispatch/signals"), "inherited");
    struct counted run = RUN(&blocked, FIXTURE("dispatch/signals"), "inherited");
    assert_string_equal(run.output, "blocked, default\n");
    assert_system(&run, SYS_getppid, ASKED(11), 0);
    counted_free(&run);
    run = RUN(&ignored, FIXTURE("dispatch/signals"), "inherited");
    assert_string_equal(run.output, "not blocked, ignored\n");
    assert_system(&run, SYS_getppid, ASKED(11), 0);
    counted_free(&run);
}

/* With LIBCOUNT_LEVEL=calls there is no dispatch: the kernel has the program's masks and actions. */
static void without_system_calls_sigsys_is_left_alone(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(.flags = COUNTERS_CALLS), "grep", "-E", "^Sig(Blk|Ign|Cgt)", "/proc/self/status");
    struct counted with = RUN(SETUP(.flags = COUNTERS_SYSCALLS), "grep", "-E", "^Sig(Blk|Ign|Cgt)", "/proc/self/status");
    struct counted native = RUN(SETUP(.native = true), "grep", "-E", "^Sig(Blk|Ign|Cgt)", "/proc/self/status");
    assert_string_equal(run.output, native.output);
    assert_string_not_equal(with.output, native.output);
    assert_system(&run, SYS_read, 0, 0);
    assert_int_equal(run.table->dispatch, 0);
    counted_free(&run);
    counted_free(&with);
    counted_free(&native);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sigsys_may_be_blocked),
        cmocka_unit_test(a_descriptor_of_signals_has_sigsys),
        cmocka_unit_test(who_waits_for_signals_gets_the_one_that_was_sent),
        cmocka_unit_test(sigsys_may_be_ignored),
        cmocka_unit_test(a_handler_of_sigsys_gets_what_was_sent_and_nothing_else),
        cmocka_unit_test(a_blocked_sigsys_waits_and_comes),
        cmocka_unit_test(sigsys_kills_where_nothing_handles_it),
        cmocka_unit_test(wrong_arguments_give_the_errors_of_the_kernel),
        cmocka_unit_test(masks_of_actions_hold_sigsys),
        cmocka_unit_test(handlers_may_change_what_their_return_restores),
        cmocka_unit_test(interrupted_calls_restart_or_fail_as_they_would),
        cmocka_unit_test(handlers_may_jump_out),
        cmocka_unit_test(a_signal_that_kills_loses_nothing),
        cmocka_unit_test(a_program_is_started_with_sigsys_as_it_was_left),
        cmocka_unit_test(calls_of_a_handler_between_calls_are_exact),
        cmocka_unit_test(a_program_started_with_sigsys_blocked_or_ignored_sees_that),
        cmocka_unit_test(without_system_calls_sigsys_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
