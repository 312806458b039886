/* The library makes no system call of its own that a filter of the program's forbids, and all of them are listed. */
#include "shim/dispatch/system.h"
#include "shim/table/kernel.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

static const struct {
    const char *name;
    int number;
} own_calls[] = {
#define OWN(use, name, ...) { #name, SYS_##name },
#include "shim/filter/own_calls.def"
};
enum { OWN_CALLS = sizeof own_calls / sizeof *own_calls };

/* Calls that the fixture, or libc for it, makes itself. */
static bool needed(const char *name)
{
    static const char *const names[] = { "rt_sigaction", "rt_sigprocmask", "close", "clone", "wait4", "write", "mmap",
                                         "munmap", "mprotect", "exit_group", "rt_sigreturn", "prctl", "futex", "gettid" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

/* Under the driver's table and the library's own. */
static void check(uint32_t flags, bool bare, const char *level)
{
    struct counted_setup setup =
        *SETUP(.flags = flags, .bare = bare, .environment = ENVIRONMENT(level, "LIBCOUNT_OUTPUT=/dev/null"));
    for (size_t i = 0; i < OWN_CALLS; i++) {
        if (needed(own_calls[i].name) || (i && own_calls[i].number == own_calls[i - 1].number))
            continue;
        for (int kill = 0; kill < 2; kill++) {
            const char *number = counted_format("%d", own_calls[i].number);
            const char *const command[] = { FIXTURE("dispatch/own_calls"), number, kill ? "kill" : NULL, NULL };
            counted_assert_native(&setup, command, own_calls[i].name, kill);
        }
    }
}

static void what_a_filter_forbids_is_not_called(void **state)
{
    (void)state;
    check(COUNTERS_CALLS | COUNTERS_SYSCALLS, false, "LIBCOUNT_LEVEL=both");
    check(COUNTERS_CALLS, false, "LIBCOUNT_LEVEL=calls");
}

static void nor_is_it_by_the_bare_library(void **state)
{
    (void)state;
    check(0, true, "LIBCOUNT_LEVEL=both");
    check(0, true, "LIBCOUNT_LEVEL=calls");
}

static void all_of_them_are_listed(void **state)
{
    (void)state;
    const char *command = counted_format("grep -rhoE 'kernel_call6?\\(SYS_[a-z0-9_]+' %s | sed 's/.*SYS_//' | sort -u",
                                         counted_source("shim"));
    FILE *pipe = popen(command, "r");
    char name[64];
    size_t count = 0;
    for (; fscanf(pipe, "%63s", name) == 1; count++) {
        size_t i = 0;
        while (i < OWN_CALLS && strcmp(own_calls[i].name, name))
            i++;
        if (i == OWN_CALLS && strcmp(name, "name"))
            fail_msg("%s: not in shim/filter/own_calls.def", name);
    }
    pclose(pipe);
    assert_true(count > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_filter_forbids_is_not_called),
        cmocka_unit_test(nor_is_it_by_the_bare_library),
        cmocka_unit_test(all_of_them_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
