/* Whatever the program holds in registers, flags, vectors and below its stack pointer survives a counted call. */
#include "system.h"

/* `times` calls that succeed and as many that fail, at a site of a kind. */
static void keep(const char *site, uint64_t times, uint32_t more)
{
    struct counted run = RUN(SETUP(.flags = COUNTERS_SYSCALLS | more), FIXTURE("dispatch/registers"), site,
                             counted_format("%lu", (unsigned long)times));
    assert_exit(&run, 0);
    assert_system(&run, SYS_getppid, times + 1, 0);
    assert_system(&run, SYS_getsid, times, times);
    counted_free(&run);
}

#define TEST(name, ...) static void name(void **state) { (void)state; __VA_ARGS__; }
TEST(a_patched_site_keeps_everything, keep("patched", 1000000, 0))
TEST(a_site_of_any_number_keeps_everything, keep("any", 1000000, 0))
TEST(an_unpatched_site_keeps_everything, keep("unpatched", 100003, 0))
TEST(a_timed_site_keeps_everything, keep("patched", 300007, COUNTERS_TIME); keep("unpatched", 10007, COUNTERS_TIME))

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_patched_site_keeps_everything),
        cmocka_unit_test(a_site_of_any_number_keeps_everything),
        cmocka_unit_test(an_unpatched_site_keeps_everything),
        cmocka_unit_test(a_timed_site_keeps_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
