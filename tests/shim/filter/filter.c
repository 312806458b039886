/* Seccomp filters: the program's own, and those that are there before it starts. */
#include "shim/dispatch/system.h"

#include "tests/fixture/dispatch/filter.h"
#include "shim/filter/bpf.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void way(const char *name, uint64_t asked, int signal)
{
    struct counted run = check_way(FIXTURE("dispatch/seccomp"), name, asked, signal, true);
    counted_free(&run);
}

#define TEST(name, ...) static void name(void **state) { (void)state; __VA_ARGS__; }
TEST(a_trap_is_emulated_at_sites_of_all_kinds, way("trap", 2 * ASKED(5) + 23, 0))
TEST(a_trap_kills_where_sigsys_is_blocked, way("trap_blocked", 0, SIGSYS))
TEST(a_trap_may_go_on_elsewhere, way("trap_elsewhere", ASKED(3), 0))
TEST(a_filter_that_returns_errors_is_seen, way("errors", ASKED(3 + 5), 0))
TEST(behind_a_whitelist_no_call_of_the_library_is_made, way("whitelist", ASKED(3 + 7), 0))
/* 23: those behind the filter at the patched site and at that of syscall(); those that are not patched go uncounted. */
TEST(behind_a_whitelist_without_sigreturn_the_program_lives, way("whitelist_without_return", ASKED(3) + 2 * 7, 0))
TEST(threads_and_children_live_behind_a_whitelist, way("tasks", 53, 0))
TEST(a_filter_that_forbids_nothing_of_ours_changes_nothing, way("tasks_free", ASKED(3) + 3 + 1 + ASKED(5), 0))
TEST(a_handler_s_return_behind_a_filter_needs_nothing_more, way("signals", 3 + ASKED(3), 0))
TEST(the_strict_mode_lets_a_program_live, way("strict", 1, 0))
TEST(a_filter_kills_whom_it_would_kill, way("killed", ASKED(3 + 3), SIGSYS))
TEST(questions_about_filters_are_answered, way("asks", ASKED(5), 0))

/* Fork, threads and vfork, with no stub for them: the program lives, and the report says what it could not see. */
static void without_a_stub_a_clone_is_made_and_said(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(.flags = COUNTERS_SYSCALLS), FIXTURE("dispatch/seccomp"), "tasks_late");
    assert_exit(&run, 0);
    bool said = false;
    for (size_t n = 0; counted_note(&run, n); n++)
        said |= strstr(counted_note(&run, n), "no stub") != NULL;
    assert_true(said);
    counted_free(&run);
}

static void a_report_that_a_filter_will_forbid_is_printed_before(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(.bare = true, .environment = ENVIRONMENT("LIBCOUNT_LEVEL=syscalls")),
                             FIXTURE("dispatch/seccomp"), "strict");
    assert_exit(&run, 0);
    assert_non_null(strstr(run.errors, "getppid\n"));
    assert_non_null(strstr(run.errors, "uncounted: what a program does behind a seccomp filter"));
    counted_free(&run);
    run = RUN(SETUP(.bare = true, .environment = ENVIRONMENT("LIBCOUNT_LEVEL=syscalls")), FIXTURE("dispatch/seccomp"),
              "asks");
    assert_exit(&run, 0);
    assert_non_null(strstr(run.errors, "15            process   getppid\n"));
    assert_null(strstr(run.errors, "uncounted"));
    counted_free(&run);
}

static void dispatch_filter(uint32_t action)
{
    if (FILTER(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3), LOAD(FIRST), IF(59, action),
               RETURN(SECCOMP_RET_ALLOW)) != 0)
        _exit(125);
}

static void refuse_dispatch(void) { dispatch_filter(SECCOMP_RET_ERRNO | 1); }
static void kill_for_dispatch(void) { dispatch_filter(SECCOMP_RET_KILL_PROCESS); }
static void kill_thread_for_dispatch(void) { dispatch_filter(SECCOMP_RET_KILL_THREAD); }
static void trap_dispatch(void) { dispatch_filter(SECCOMP_RET_TRAP); }
static void harmless(void)
{
    if (FILTER(IF(SYS_mkdir, SECCOMP_RET_KILL_PROCESS), RETURN(SECCOMP_RET_ALLOW)) != 0)
        _exit(125);
}

/* The program runs as without us, its library calls are counted, and the table tells why no system calls are. */
static void inherit(void (*prepare)(void), uint32_t dispatch, uint64_t asked)
{
    struct counted_setup setup = { .flags = COUNTERS_CALLS | COUNTERS_SYSCALLS, .prepare = prepare };
    const char *const command[] = { FIXTURE("dispatch/tasks"), "spawn", NULL };
    counted_assert_native(&setup, command, "spawn", 0);
    struct counted run = counted_run(&setup, command);
    assert_exit(&run, 0);
    assert_int_equal(run.table->dispatch & ~(DISPATCH_LOOKED | DISPATCH_SEALED), dispatch);
    assert_system(&run, SYS_getppid, asked, 0);
    assert_true(counted_row(&run, "getppid").calls > 0);
    counted_free(&run);
}

TEST(a_filter_that_refuses_dispatch_is_told, inherit(refuse_dispatch, DISPATCH_REFUSED, 0))
TEST(a_filter_that_kills_for_dispatch_is_not_provoked, inherit(kill_for_dispatch, DISPATCH_FILTER, 0);
     inherit(kill_thread_for_dispatch, DISPATCH_FILTER, 0); inherit(trap_dispatch, DISPATCH_FILTER, 0))
TEST(a_harmless_filter_is_none, inherit(harmless, DISPATCH_ARMED, 3 * ASKED(5) + ASKED(3) + 1))

/* A program that installs such a filter itself is counted; what it executes then is not, and lives. */
static void a_filter_is_looked_for_again_where_a_program_has_made_one(void **state)
{
    (void)state;
    struct counted run = check_way(FIXTURE("dispatch/seccomp"), "execute", ASKED(2), 0, true);
    assert_int_equal(run.table->dispatch, DISPATCH_ARMED | DISPATCH_FILTER | DISPATCH_LOOKED | DISPATCH_SEALED);
    counted_free(&run);
}

/* Filters against the kernel: the same action for all numbers and some arguments. */
static uint32_t run_filter(const struct sock_filter *code, size_t count, int number, uint64_t argument)
{
    struct seccomp_data data = { .nr = number, .arch = AUDIT_ARCH_X86_64, .args = { argument } };
    return bpf_run(code, count, &data);
}
#define ACTION(number, argument, ...) run_filter((struct sock_filter[]){ __VA_ARGS__ }, \
    sizeof(struct sock_filter[]){ __VA_ARGS__ } / sizeof(struct sock_filter), number, argument)

static void filters_give_what_the_kernel_would(void **state)
{
    (void)state;
    assert_int_equal(ACTION(3, 0, RETURN(7)), 7);
    assert_int_equal(ACTION(3, 0, LOAD(NUMBER), IF(3, 5), RETURN(7)), 5);
    assert_int_equal(ACTION(4, 0, LOAD(NUMBER), IF(3, 5), RETURN(7)), 7);
    assert_int_equal(ACTION(4, 0, LOAD(4), BPF_STMT(BPF_RET | BPF_A, 0)), AUDIT_ARCH_X86_64);
    assert_int_equal(ACTION(4, 0x500000006, LOAD(FIRST + 4), BPF_STMT(BPF_RET | BPF_A, 0)), 5);
    assert_int_equal(ACTION(4, 0, BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0), BPF_STMT(BPF_RET | BPF_A, 0)), 64);
    assert_int_equal(ACTION(4, 0, BPF_STMT(BPF_LD | BPF_IMM, 9), BPF_STMT(BPF_ST, 3), BPF_STMT(BPF_LDX | BPF_MEM, 3),
                            BPF_STMT(BPF_ALU | BPF_ADD | BPF_X, 0), BPF_STMT(BPF_ALU | BPF_LSH | BPF_K, 1),
                            BPF_STMT(BPF_MISC | BPF_TAX, 0), BPF_STMT(BPF_ALU | BPF_NEG, 0),
                            BPF_STMT(BPF_ALU | BPF_SUB | BPF_X, 0), BPF_STMT(BPF_RET | BPF_A, 0)), (uint32_t)-72);
    assert_int_equal(ACTION(4, 0, BPF_STMT(BPF_JMP | BPF_JA, 1), RETURN(1), RETURN(2)), 2);
    assert_int_equal(ACTION(0x80, 0, LOAD(NUMBER), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x81, 0, 1), RETURN(1), RETURN(2)), 1);
    assert_int_equal(ACTION(5, 0, LOAD(NUMBER), BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 5, 0, 1), RETURN(1), RETURN(2)), 2);
    assert_int_equal(ACTION(5, 0, LOAD(NUMBER), BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 5, 0, 1), RETURN(1), RETURN(2)), 1);
    /* What the kernel would not take. */
    assert_int_equal(ACTION(5, 0, LOAD(2), RETURN(SECCOMP_RET_ALLOW)), SECCOMP_RET_KILL_THREAD);
    assert_int_equal(ACTION(5, 0, LOAD(64), RETURN(SECCOMP_RET_ALLOW)), SECCOMP_RET_KILL_THREAD);
    assert_int_equal(ACTION(5, 0, LOAD(NUMBER)), SECCOMP_RET_KILL_THREAD);
    assert_int_equal(ACTION(5, 0, BPF_STMT(BPF_ST, 16), RETURN(SECCOMP_RET_ALLOW)), SECCOMP_RET_KILL_THREAD);
    assert_int_equal(ACTION(5, 0, BPF_STMT(BPF_ALU | BPF_DIV | BPF_K, 0), RETURN(SECCOMP_RET_ALLOW)), SECCOMP_RET_KILL_THREAD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trap_is_emulated_at_sites_of_all_kinds),
        cmocka_unit_test(a_trap_kills_where_sigsys_is_blocked),
        cmocka_unit_test(a_trap_may_go_on_elsewhere),
        cmocka_unit_test(a_filter_that_returns_errors_is_seen),
        cmocka_unit_test(behind_a_whitelist_no_call_of_the_library_is_made),
        cmocka_unit_test(behind_a_whitelist_without_sigreturn_the_program_lives),
        cmocka_unit_test(threads_and_children_live_behind_a_whitelist),
        cmocka_unit_test(a_filter_that_forbids_nothing_of_ours_changes_nothing),
        cmocka_unit_test(a_handler_s_return_behind_a_filter_needs_nothing_more),
        cmocka_unit_test(the_strict_mode_lets_a_program_live),
        cmocka_unit_test(a_filter_kills_whom_it_would_kill),
        cmocka_unit_test(questions_about_filters_are_answered),
        cmocka_unit_test(without_a_stub_a_clone_is_made_and_said),
        cmocka_unit_test(a_report_that_a_filter_will_forbid_is_printed_before),
        cmocka_unit_test(a_filter_that_refuses_dispatch_is_told),
        cmocka_unit_test(a_filter_that_kills_for_dispatch_is_not_provoked),
        cmocka_unit_test(a_harmless_filter_is_none),
        cmocka_unit_test(a_filter_is_looked_for_again_where_a_program_has_made_one),
        cmocka_unit_test(filters_give_what_the_kernel_would),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
