/* Seccomp filters. One that is there at the start may kill for the prctl that arms dispatch: that is tried in a child.
 * One that the program installs is run here first, on the calls that the library would make: where it forbids one
 * that dispatch needs, dispatch makes no system calls of its own any more. */
#include "filter/filter.h"

#include "dispatch/arm.h"
#include "filter/bpf.h"
#include "filter/seal.h"
#include "counters.h"
#include "report/report.h"
#include "table/text.h"
#include "table/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <linux/futex.h>
#include <time.h>
#include <linux/audit.h>
#include <linux/membarrier.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif
#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON 1
#endif
enum { TEXT = 4096, NO_HOW = 999 /* a `how` that rt_sigprocmask does not have */ };

/* Whether eight bytes of the program's memory can be read. */
static bool readable(const void *address)
{
    return kernel_call(SYS_rt_sigprocmask, NO_HOW, address, NULL, 8) != -EFAULT;
}

/* The digit in the line "Seccomp:" of /proc/self/status; 2, a filter, where it cannot be read. */
static int inherited_mode(void)
{
    static const char name[] = "\nSeccomp:\t";
    char text[TEXT + 1];
    int descriptor = (int)kernel_call(SYS_openat, AT_FDCWD, "/proc/self/status", O_RDONLY | O_CLOEXEC, 0);
    long bytes = descriptor < 0 ? 0 : kernel_call(SYS_read, descriptor, text, TEXT);
    if (descriptor >= 0)
        kernel_call(SYS_close, descriptor);
    text[bytes > 0 ? bytes : 0] = 0;
    for (const char *at = text; *at; at++)
        if (text_begins(at, name))
            return at[sizeof name - 1] - '0';
    return 2;
}

/* In a child that sends no signal when it ends, leaves no core, and is not there for a wait() of the program's. */
static bool dies(uintptr_t text, size_t size)
{
    static volatile uint8_t off;
    int status = 0;
    long child = kernel_call(SYS_clone, 0, 0, 0, 0, 0);
    if (child == 0) {
        struct rlimit none = { 1, 1 };  /* 0 would still run a program that takes cores */
        kernel_call(SYS_prlimit64, 0, RLIMIT_CORE, &none, 0);
        kernel_call(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, text, size, &off);
        kernel_call(SYS_exit_group, 0);
    }
    if (kernel_failed(child))
        return true;
    while (kernel_call(SYS_wait4, child, &status, __WCLONE, 0) == -EINTR) {
    }
    return status != 0;
}

bool filter_kills(uintptr_t text, size_t size)
{
    uint32_t known = atomic_load(&counters_table->dispatch);
    if (!(known & DISPATCH_SEALED) && known & (DISPATCH_LOOKED | DISPATCH_FILTER))
        return known & DISPATCH_FILTER;  /* all have inherited what the first had */
    bool kills = inherited_mode() != 0 && dies(text, size);
    if (!kills)
        atomic_fetch_or(&counters_table->dispatch, DISPATCH_LOOKED);
    return kills;
}

/* A call of the library's, as far as a filter may look at it. */
static const struct own_call {
    enum { USE_OTHER, USE_REPORT, USE_DISPATCH, USE_MASK, USE_RETURN } use;
    int number;
    uint64_t arguments[6];
} own_calls[] = {
#define OWN(use, name, ...) { use, SYS_##name, { __VA_ARGS__ } },
#include "own_calls.def"
};

/* What the filter does with a call of ours: SECCOMP_RET_*, without its data. */
static uint32_t action_for(const struct sock_fprog *filter, const struct own_call *call)
{
    struct seccomp_data data = { .nr = call->number, .arch = ARCHITECTURE };
    data.instruction_pointer = (uintptr_t)filter_kills;  /* any address of ours */
    for (int k = 0; k < 6; k++)
        data.args[k] = call->arguments[k];
    return bpf_run(filter->filter, filter->len, &data) & SECCOMP_RET_ACTION_FULL;
}

/* What is executed next knows nothing of the filter, and makes these calls. Whether dispatch can be armed it tries. */
static bool kills_next;

static bool kills(uint32_t action, const struct own_call *call)
{
    bool tried = call->number == SYS_prctl && call->arguments[0] == PR_SET_SYSCALL_USER_DISPATCH;
    return !tried && (action == SECCOMP_RET_KILL_PROCESS || action == SECCOMP_RET_KILL_THREAD || action == SECCOMP_RET_TRAP);
}

static bool forbidden(int number)
{
    return kernel_forbidden[number / 64] >> number % 64 & 1;
}

/* What the filter forbids, NULL: the strict mode. What is needed one last time is done before. */
static void prepare(const struct sock_fprog *filter)
{
    uint64_t forbids[8] = { 0 };
    unsigned uses = 0;
    for (size_t i = 0; i < sizeof own_calls / sizeof *own_calls; i++) {
        const struct own_call *call = &own_calls[i];
        uint32_t action = filter ? action_for(filter, call) : SECCOMP_RET_KILL_THREAD;
        kills_next |= kills(action, call);
        if (!forbidden(call->number) && action != SECCOMP_RET_ALLOW && action != SECCOMP_RET_LOG) {
            forbids[call->number / 64] |= UINT64_C(1) << call->number % 64;
            uses |= 1u << call->use;
        }
    }
    if (uses & 1 << USE_RETURN)
        arm_give_up("system calls at unpatched sites, behind a seccomp filter that forbids rt_sigreturn");
    if (uses & 1 << USE_REPORT && !dispatch_mute) {
        counters_say("what a program does behind a seccomp filter that forbids to write the report");
        report_print(-1);
        dispatch_mute = true;
    }
    if (uses)
        report_keep();
    if (uses & (1 << USE_DISPATCH | 1 << USE_MASK))
        report_seal();
    dispatch_maskless |= (uses & 1 << USE_MASK) != 0;
    dispatch_sealed |= (uses & (1 << USE_DISPATCH | 1 << USE_MASK)) != 0;
    dispatch_execs &= !dispatch_sealed;
    for (int i = 0; i < 8; i++)
        kernel_forbidden[i] |= forbids[i];
    kernel_filtered |= uses != 0;
}

/* The mode that a call of seccomp or prctl sets: 1 strict, 2 a filter, 0 none. */
static int mode_of(long number, long a, long b)
{
    if (number == SYS_seccomp)
        return a == SECCOMP_SET_MODE_STRICT ? 1 : a == SECCOMP_SET_MODE_FILTER ? 2 : 0;
    return number == SYS_prctl && a == PR_SET_SECCOMP ? (int)b : 0;
}

void filter_enter(long number, long a, long b, long c)
{
    int mode = mode_of(number, a, b);
    const struct sock_fprog *filter = (const struct sock_fprog *)c;
    if (mode == SECCOMP_MODE_STRICT)
        prepare(NULL);
    else if (mode == SECCOMP_MODE_FILTER && filter && readable(filter) && readable(&filter->filter) &&
             readable(filter->filter))
        prepare(filter);
}

void filter_leave(long number, long a, long b, long result)
{
    if (counters_table && mode_of(number, a, b) == SECCOMP_MODE_FILTER && !kernel_failed(result))
        atomic_fetch_or(&counters_table->dispatch, DISPATCH_SEALED);
}

bool filter_forbids_start(void)
{
    return kills_next;
}
