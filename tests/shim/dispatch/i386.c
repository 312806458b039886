/* int $0x80 in a 64-bit program is made as it is, and counted under the i386 names. */
#include "shim/dispatch/system.h"

#include <signal.h>
#include <sys/wait.h>

static struct row i386_row(const struct counted *run, uint32_t number)
{
    struct row sum = { 0, 0 };
    for (size_t row = COUNTERS_NUMBERS; row < SYSTEM_CALLS; row++) {
        for (size_t shard = 0; shard < COUNTERS_SHARDS; shard++) {
            if (run->table->other[row - COUNTERS_NUMBERS] == (((int64_t)COUNTERS_I386 << 32) | number) + 1) {
                sum.calls += run->table->shard[shard].system[row].calls;
                sum.errors += run->table->shard[shard].system[row].errors;
            }
        }
    }
    return sum;
}

/* A kernel that was built without it raises SIGSEGV. */
static bool kernel_has_it(void)
{
    struct counted run = RUN(SETUP(.native = true), FIXTURE("dispatch/i386"), "calls");
    bool has = !WIFSIGNALED(run.status);
    counted_free(&run);
    return has;
}

static void an_int_0x80_is_made_and_counted_as_what_it_is(void **state)
{
    (void)state;
    if (!kernel_has_it())
        skip();
    struct counted run = check_way(FIXTURE("dispatch/i386"), "calls", ASKED(5), 0, true);
    assert_int_equal(i386_row(&run, 4).calls, 3);
    assert_int_equal(i386_row(&run, 20).calls, 3);
    assert_int_equal(i386_row(&run, 6).calls, 3);
    assert_int_equal(i386_row(&run, 6).errors, 3);
    assert_int_equal(i386_row(&run, 4).errors, 0);
    counted_free(&run);
}

static void a_program_may_end_by_it(void **state)
{
    (void)state;
    if (!kernel_has_it())
        skip();
    struct counted run = RUN(SETUP(.bare = true), FIXTURE("dispatch/i386"), "exit");
    assert_exit(&run, 7);
    assert_non_null(strstr(run.errors, "i386:exit_group\n"));
    counted_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_int_0x80_is_made_and_counted_as_what_it_is),
        cmocka_unit_test(a_program_may_end_by_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
