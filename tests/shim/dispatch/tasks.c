/* Processes and threads made in every way: each call of each of them is counted once. */
#include "system.h"

#include <signal.h>

static void way(const char *name, uint64_t asked, unsigned processes)
{
    struct counted run = check_way(FIXTURE("dispatch/tasks"), name, asked, 0, true);
    assert_int_equal(run.table->processes, processes);
    counted_free(&run);
}

#define TEST(name, ...) static void name(void **state) { (void)state; __VA_ARGS__; }
TEST(seventeen_forks_are_seventeen, way("forks", 17 * 13, 18))
TEST(a_child_of_vfork_counts_and_its_parent_goes_on, way("vfork", 3 + ASKED(5) + ASKED(7), 3))
TEST(a_child_of_vfork_keeps_its_signals_to_itself, way("vfork_signals", 1 + ASKED(2), 2))
/* The one is the shell's of system(). */
TEST(spawned_programs_count, way("spawn", 3 * ASKED(5) + ASKED(3) + 1, 8))
TEST(raw_forks_count, way("raw", 5 * ASKED(3), 6))
TEST(children_that_share_memory_count, way("clone", 10 * 8 * 20 + ASKED(3), 81))
TEST(threads_that_come_to_a_site_together_count, way("together", 8 * 101, 1))
TEST(forks_beside_threads_count_and_do_not_hang, way("fork_beside_threads", 501 * 2, 502))
TEST(an_exec_in_a_thread_counts, way("exec_in_thread", ASKED(3 + 5), 1))
TEST(a_program_that_executes_itself_counts, way("again", 14, 1))

static void alone(const char *name, uint64_t asked)
{
    struct counted run = check_way(FIXTURE("dispatch/tasks"), name, asked, 0, false);
    counted_free(&run);
}

TEST(sixty_four_threads_count_exactly, alone("threads", 64 * 100003))
TEST(ten_thousand_short_threads_count_exactly, alone("short_threads", 10007))
TEST(a_child_that_a_signal_strikes_at_once_counts, alone("vfork_struck", 3000 * 2))
TEST(handlers_that_fork_as_fork_returns_count_and_do_not_hang, alone("fork_in_handler", 200))

static void the_kernel_s_way_to_make_a_task_has_its_own_row(void **state)
{
    (void)state;
    struct counted run = check_way(FIXTURE("dispatch/tasks"), "raw", 5 * ASKED(3), 0, false);
    assert_system(&run, SYS_fork, 2, 0);
    assert_system(&run, SYS_clone, 1, 0);
    assert_system(&run, SYS_clone3, 5, 3);
    counted_free(&run);
    run = check_way(FIXTURE("dispatch/tasks"), "vfork", 3 + ASKED(5) + ASKED(7), 0, false);
    assert_system(&run, SYS_vfork, 2, 0);
    assert_system(&run, SYS_execve, 2, 1);
    counted_free(&run);
    run = check_way(FIXTURE("dispatch/tasks"), "forks", 17 * 13, 0, false);
    assert_system(&run, SYS_clone, 17, 0);
    assert_system(&run, SYS_wait4, 17, 0);
    assert_system(&run, SYS_exit_group, 18, 0);
    counted_free(&run);
}

static void numbers_that_no_kernel_has_are_counted_by_number(void **state)
{
    (void)state;
    struct counted run = check_way(FIXTURE("dispatch/tasks"), "unknown", 0, 0, true);
    assert_system(&run, 511, 1, 1);
    assert_system(&run, 600, 2, 2);
    assert_system(&run, 601, 1, 1);
    assert_system(&run, 100000, 1, 1);
    assert_system(&run, -1, 2, 2);
    assert_system(&run, 0x40000000 + 39, 1, 1);
    assert_int_equal(run.table->lost, 0);
    counted_free(&run);
    run = RUN(SETUP(.bare = true, .environment = ENVIRONMENT("LIBCOUNT_LEVEL=syscalls")), FIXTURE("dispatch/tasks"),
              "unknown");
    assert_non_null(strstr(run.errors, "syscall_511  (ENOSYS "));
    assert_non_null(strstr(run.errors, "syscall_600  (ENOSYS "));
    assert_non_null(strstr(run.errors, "syscall_100000  (ENOSYS "));
    counted_free(&run);
}

static void loops_of_mmap_and_brk_are_counted(void **state)
{
    (void)state;
    struct counted run = check_way(FIXTURE("dispatch/tasks"), "memory", 0, 0, true);
    struct counted other = check_way(FIXTURE("dispatch/tasks"), "five", ASKED(5), 0, true);
    assert_system(&run, SYS_mmap, system_row(&other, SYS_mmap).calls - 1 + 10007, 0);
    assert_system(&run, SYS_munmap, system_row(&other, SYS_munmap).calls + 10007, 0);
    assert_system(&run, SYS_brk, system_row(&other, SYS_brk).calls + 3, 0);
    counted_free(&run);
    counted_free(&other);
}

static void a_program_that_would_dispatch_itself_is_told_that_it_cannot(void **state)
{
    (void)state;
    struct counted run = check_way(FIXTURE("dispatch/tasks"), "dispatch", ASKED(3), 0, false);
    assert_system(&run, SYS_prctl, 2, 2);
    counted_free(&run);
}

/* The sums of all rows in 200 address-space layouts. */
static void two_hundred_runs_count_the_same(void **state)
{
    static uint64_t first[COUNTERS_NUMBERS];
    (void)state;
    for (int i = 0; i < 200; i++) {
        struct counted run = RUN(SETUP(.flags = COUNTERS_SYSCALLS), FIXTURE("dispatch/tasks"), "five");
        assert_exit(&run, 0);
        for (int number = 0; number < COUNTERS_NUMBERS; number++) {
            uint64_t calls = system_row(&run, number).calls;
            if (i == 0)
                first[number] = calls;
            else
                assert_system(&run, number, first[number], system_row(&run, number).errors);
        }
        counted_free(&run);
    }
    assert_int_equal(first[SYS_getppid], ASKED(5));
}

/* Code that was loaded later stays on the signal, also when other code comes to its address. */
static void calls_of_loaded_and_unloaded_libraries_count(void **state)
{
    char number[32];
    (void)state;
    snprintf(number, sizeof number, "-shared -fPIC -DPLUGIN=%d", SYS_getppid);
    const char *one = counted_compiled("tests/fixture/dispatch/plugin_1.so", "dispatch/plugin", number);
    snprintf(number, sizeof number, "-shared -fPIC -DPLUGIN=%d", SYS_getuid);
    const char *two = counted_compiled("tests/fixture/dispatch/plugin_2.so", "dispatch/plugin", number);
    assert_true(one && two);
    struct counted run = RUN(SETUP(.flags = COUNTERS_SYSCALLS), FIXTURE("dispatch/plugin"), one, two, one);
    assert_exit(&run, 0);
    assert_system(&run, SYS_getppid, 2 * 2 * 5 * 7, 0);
    assert_system(&run, SYS_getuid, 2 * 5 * 7, 0);
    counted_free(&run);
}

static void calls_of_the_vdso_do_not_enter_the_kernel(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(.flags = COUNTERS_SYSCALLS | COUNTERS_CALLS), FIXTURE("dispatch/vdso"));
    assert_exit(&run, 0);
    assert_system(&run, SYS_clock_gettime, 0, 0);
    assert_system(&run, SYS_gettimeofday, 0, 0);
    assert_system(&run, SYS_time, 0, 0);
    assert_system(&run, SYS_getcpu, 0, 0);
    counted_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seventeen_forks_are_seventeen),
        cmocka_unit_test(a_child_of_vfork_counts_and_its_parent_goes_on),
        cmocka_unit_test(a_child_of_vfork_keeps_its_signals_to_itself),
        cmocka_unit_test(spawned_programs_count),
        cmocka_unit_test(raw_forks_count),
        cmocka_unit_test(children_that_share_memory_count),
        cmocka_unit_test(threads_that_come_to_a_site_together_count),
        cmocka_unit_test(forks_beside_threads_count_and_do_not_hang),
        cmocka_unit_test(an_exec_in_a_thread_counts),
        cmocka_unit_test(a_program_that_executes_itself_counts),
        cmocka_unit_test(sixty_four_threads_count_exactly),
        cmocka_unit_test(ten_thousand_short_threads_count_exactly),
        cmocka_unit_test(a_child_that_a_signal_strikes_at_once_counts),
        cmocka_unit_test(handlers_that_fork_as_fork_returns_count_and_do_not_hang),
        cmocka_unit_test(the_kernel_s_way_to_make_a_task_has_its_own_row),
        cmocka_unit_test(numbers_that_no_kernel_has_are_counted_by_number),
        cmocka_unit_test(loops_of_mmap_and_brk_are_counted),
        cmocka_unit_test(a_program_that_would_dispatch_itself_is_told_that_it_cannot),
        cmocka_unit_test(two_hundred_runs_count_the_same),
        cmocka_unit_test(calls_of_loaded_and_unloaded_libraries_count),
        cmocka_unit_test(calls_of_the_vdso_do_not_enter_the_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
