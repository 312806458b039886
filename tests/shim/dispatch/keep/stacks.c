/* Alternate stacks, small stacks, cancellation and unwinding with the library are as without. */
#include "shim/dispatch/system.h"

#include <signal.h>

static void way(const char *name, uint64_t asked)
{
    struct counted run = check_way(FIXTURE("dispatch/stacks"), name, asked, 0, true);
    counted_free(&run);
}

static void unwind_way(const char *name, uint64_t asked)
{
    struct counted run = check_way(FIXTURE("dispatch/unwind"), name, asked, 0, true);
    counted_free(&run);
}

#define TEST(name, ...) static void name(void **state) { (void)state; __VA_ARGS__; }
TEST(a_handler_on_the_smallest_stack_makes_calls, way("small", 11 * ASKED(3) + ASKED(5)))
TEST(signals_that_come_together_are_both_delivered, way("together", ASKED(5)))
TEST(handlers_nest_on_a_small_stack, way("nested", 4 * ASKED(3)))
TEST(a_context_tells_and_sets_the_alternate_stack, way("context", 3 * ASKED(3)))
TEST(a_handler_runs_on_the_large_stack_that_was_set, way("large", 3 * ASKED(3) + ASKED(5)))
TEST(a_task_with_another_s_thread_data_has_its_own_stack, way("sharer", 3 * ASKED(3) + ASKED(5)))
TEST(wrong_stacks_are_refused, way("wrong", ASKED(5)))
TEST(without_an_alternate_stack_a_handler_has_the_ordinary_one, way("none", 2 * ASKED(3) + ASKED(5)))
/* Each report starts a program and a shell, which asks once. */
TEST(a_handler_on_the_alternate_stack_starts_programs, way("report", 2 * (ASKED(3) + ASKED(5) + 1)))
TEST(coroutines_on_two_kibibytes_make_calls, way("coroutines", 17 * 3 * 2))
TEST(handlers_on_an_alternate_stack_may_jump_out, way("jump", 103 * ASKED(3) + ASKED(5)))
TEST(a_thread_is_cancelled_in_read_and_its_cleanup_runs, way("cancel", 20))
TEST(a_thread_may_be_cancelled_anywhere_in_a_stub, way("cancel_anywhere", 0))
TEST(a_trace_from_a_handler_shows_the_same_functions, unwind_way("trace", 0))

TEST(every_instruction_of_the_stubs_can_be_unwound_from, unwind_way("step", 3 * 2))

static void a_frame_that_does_not_fit_ends_the_program(void **state)
{
    (void)state;
    struct counted run = check_way(FIXTURE("dispatch/stacks"), "overflow", 0, SIGSEGV, true);
    counted_free(&run);
}

static void a_profiler_may_unwind_at_any_moment(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(.flags = COUNTERS_SYSCALLS), FIXTURE("dispatch/unwind"), "profile");
    assert_exit(&run, 0);
    assert_true(system_row(&run, SYS_getppid).calls == system_row(&run, SYS_getuid).calls);
    counted_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handler_on_the_smallest_stack_makes_calls),
        cmocka_unit_test(signals_that_come_together_are_both_delivered),
        cmocka_unit_test(handlers_nest_on_a_small_stack),
        cmocka_unit_test(a_context_tells_and_sets_the_alternate_stack),
        cmocka_unit_test(a_frame_that_does_not_fit_ends_the_program),
        cmocka_unit_test(a_handler_runs_on_the_large_stack_that_was_set),
        cmocka_unit_test(a_task_with_another_s_thread_data_has_its_own_stack),
        cmocka_unit_test(wrong_stacks_are_refused),
        cmocka_unit_test(without_an_alternate_stack_a_handler_has_the_ordinary_one),
        cmocka_unit_test(a_handler_on_the_alternate_stack_starts_programs),
        cmocka_unit_test(coroutines_on_two_kibibytes_make_calls),
        cmocka_unit_test(handlers_on_an_alternate_stack_may_jump_out),
        cmocka_unit_test(a_thread_is_cancelled_in_read_and_its_cleanup_runs),
        cmocka_unit_test(a_thread_may_be_cancelled_anywhere_in_a_stub),
        cmocka_unit_test(a_trace_from_a_handler_shows_the_same_functions),
        cmocka_unit_test(every_instruction_of_the_stubs_can_be_unwound_from),
        cmocka_unit_test(a_profiler_may_unwind_at_any_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
