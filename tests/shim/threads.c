/* Threads and signal handlers count exactly, and a wrapped call can be interrupted, left and cancelled. */
#include "counted.h"

#include <stdlib.h>

static void sixty_four_threads_lose_nothing(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(), FIXTURE("threads"), "hot", "64", "100003");
    assert_exit(&run, 0);
    assert_calls(&run, "lstat", 64 * 100003);
    assert_calls(&run, "pthread_create", 64);
    assert_calls(&run, "pthread_join", 64);
    assert_int_equal(run.table->processes, 1);
    counted_free(&run);
}

static void ten_thousand_short_threads_overflow_nothing(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(), FIXTURE("threads"), "short", "10007");
    assert_exit(&run, 0);
    assert_calls(&run, "lstat", 10007);
    assert_calls(&run, "pthread_create", 10007);
    counted_free(&run);
}

static void detached_threads_that_live_at_the_end_are_counted(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(), FIXTURE("threads"), "detached", "31");
    assert_exit(&run, 0);
    assert_calls(&run, "lstat", 31 * 7);
    counted_free(&run);
}

static void a_handler_every_50_microseconds_is_counted_exactly(void **state)
{
    (void)state;
    static const uint32_t flags[] = { COUNTERS_CALLS, COUNTERS_CALLS | COUNTERS_TIME };
    for (int i = 0; i < 2; i++) {
        struct counted run = RUN(SETUP(.flags = flags[i]), FIXTURE("signals"), "alarm");
        assert_exit(&run, 0);
        assert_calls(&run, "lstat", strtoull(run.output, NULL, 10));
        counted_free(&run);
    }
}

static void a_call_that_waits_can_be_cancelled(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(), FIXTURE("signals"), "cancel");
    assert_exit(&run, 0);
    assert_calls(&run, "read", 1);
    assert_calls(&run, "open", 1);
    assert_calls(&run, "sleep", 1);
    counted_free(&run);
}

static void a_handler_can_jump_out_of_a_call(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(), FIXTURE("signals"), "jump");
    assert_exit(&run, 0);
    assert_calls(&run, "setitimer", 1009);
    counted_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sixty_four_threads_lose_nothing),
        cmocka_unit_test(ten_thousand_short_threads_overflow_nothing),
        cmocka_unit_test(detached_threads_that_live_at_the_end_are_counted),
        cmocka_unit_test(a_handler_every_50_microseconds_is_counted_exactly),
        cmocka_unit_test(a_call_that_waits_can_be_cancelled),
        cmocka_unit_test(a_handler_can_jump_out_of_a_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
