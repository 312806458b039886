/* Processes made in every way: each is counted once, its calls add to the same table, and it runs as it would. */
#include "counted.h"

static struct counted made(const char *way, unsigned processes)
{
    struct counted run = RUN(SETUP(), FIXTURE("processes"), way);
    assert_exit(&run, 0);
    assert_int_equal(run.table->processes, processes);
    return run;
}

static void seventeen_forks_are_seventeen(void **state)
{
    (void)state;
    struct counted run = made("fork17", 18);
    assert_calls(&run, "fork", 17);
    assert_calls(&run, "waitpid", 17);
    assert_calls(&run, "_exit", 17);
    counted_free(&run);
}

static void looks(const char *way, unsigned processes, uint64_t calls)
{
    struct counted run = made(way, processes);
    assert_calls(&run, "lstat", calls);
    counted_free(&run);
}

static void parent_and_child_of_fork_add_up(void **state) { (void)state; looks("split", 2, 11 + 5); }
static void a_child_of_vfork_is_counted_and_its_parent_goes_on(void **state)
{
    (void)state;
    struct counted run = made("vfork", 2);
    assert_calls(&run, "lstat", 3 + 7);
    assert_calls(&run, "execl", 1);
    assert_errors(&run, "execl", 1);
    assert_calls(&run, "_exit", 1);
    counted_free(&run);
}

static void a_program_executed_by_a_child_of_vfork_is_counted(void **state) { (void)state; looks("vfork_exec", 2, 3); }
static void a_spawned_program_is_counted(void **state)
{
    (void)state;
    looks("spawn", 2, 3);
    looks("spawnp", 2, 3);
}

static void the_shells_of_system_and_popen_are_counted(void **state)
{
    (void)state;
    struct counted run = made("system", 2);
    assert_calls(&run, "system", 1);
    assert_errors(&run, "system", 0);
    counted_free(&run);
    run = made("popen", 2);
    assert_calls(&run, "popen", 1);
    assert_calls(&run, "pclose", 1);
    counted_free(&run);
}

static void raw_forks_are_processes(void **state)
{
    (void)state;
#ifdef __x86_64__
    looks("raw_fork", 2, 11 + 5);
#endif
    looks("raw_clone", 2, 11 + 5);
    looks("raw_clone3", 2, 11 + 5);
}

static void clone_is_a_process_with_memory_of_its_own_or_ours(void **state)
{
    (void)state;
    looks("clone", 2, 11 + 5);
    struct counted run = RUN(SETUP(), FIXTURE("processes"), "clone_shared");
    assert_exit(&run, 0);
    assert_calls(&run, "lstat", 11 + 5);
    counted_free(&run);
}

static void forking_a_thousand_times_beside_hot_threads_does_not_hang(void **state)
{
    (void)state;
    struct counted run = made("hot", 1001);
    assert_calls(&run, "fork", 1000);
    assert_calls(&run, "read", 1000);
    assert_errors(&run, "read", 1000);
    counted_free(&run);
}

static void a_daemon_is_counted(void **state) { (void)state; looks("daemon", 3, 13); }
static void a_thread_with_the_smallest_stack_starts_programs(void **state) { (void)state; looks("small_stack", 3, 6); }

/* Under a shell: each command is one process, and none is counted twice. */
static void commands_of_a_shell_are_processes(void **state)
{
    (void)state;
    const char *fixture = FIXTURE("endings");
    const char *script = counted_format("%s return; %s _exit; (%s return; :); :", fixture, fixture, fixture);
    struct counted run = RUN(SETUP(), "sh", "-c", script);
    assert_exit(&run, 0);
    assert_calls(&run, "lstat", 3 * 23);
    assert_int_equal(run.table->processes, 5);  /* the shell, three programs, one subshell */
    counted_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seventeen_forks_are_seventeen),
        cmocka_unit_test(parent_and_child_of_fork_add_up),
        cmocka_unit_test(a_child_of_vfork_is_counted_and_its_parent_goes_on),
        cmocka_unit_test(a_program_executed_by_a_child_of_vfork_is_counted),
        cmocka_unit_test(a_spawned_program_is_counted),
        cmocka_unit_test(the_shells_of_system_and_popen_are_counted),
        cmocka_unit_test(raw_forks_are_processes),
        cmocka_unit_test(clone_is_a_process_with_memory_of_its_own_or_ours),
        cmocka_unit_test(forking_a_thousand_times_beside_hot_threads_does_not_hang),
        cmocka_unit_test(a_daemon_is_counted),
        cmocka_unit_test(a_thread_with_the_smallest_stack_starts_programs),
        cmocka_unit_test(commands_of_a_shell_are_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
