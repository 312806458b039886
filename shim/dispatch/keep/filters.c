/* Seccomp filters. One that is there at the start may kill for the prctl that arms dispatch: that is tried in a child.
 * One that the program installs is run here first, on the calls that the library would make: where it forbids one
 * that dispatch needs, dispatch makes no system calls of its own any more. */
#include "dispatch/keep/filters.h"

#include "bpf.h"
#include "dispatch/arm.h"
#include "dispatch/keep/memory.h"
#include "dispatch/seal.h"
#include "shim.h"
#include "table/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/membarrier.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { TEXT = 4096 };

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
struct own_call {
    int number;
    uint64_t arguments[6];
};

/* Whether the program's filter lets all of them through. */
static bool allows(const struct sock_fprog *filter, const struct own_call *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct seccomp_data data = { .nr = calls[i].number, .arch = AUDIT_ARCH_X86_64 };
        data.instruction_pointer = (uintptr_t)dispatch_slots;
        for (int k = 0; k < 6; k++)
            data.args[k] = calls[i].arguments[k];
        uint32_t action = bpf_run(filter->filter, filter->len, &data) & SECCOMP_RET_ACTION_FULL;
        if (action != SECCOMP_RET_ALLOW && action != SECCOMP_RET_LOG)
            return false;
    }
    return true;
}
#define ALLOWS(filter, ...) \
    allows(filter, (const struct own_call[]){ __VA_ARGS__ }, sizeof(struct own_call[]){ __VA_ARGS__ } / sizeof(struct own_call))

/* NULL: the strict mode. */
static void prepare(const struct sock_fprog *filter)
{
    enum { READ = PROT_READ, WRITE = PROT_WRITE, EXECUTE = PROT_EXEC, FLAGS = MAP_PRIVATE | MAP_ANONYMOUS };
    if (filter && !ALLOWS(filter, { SYS_rt_sigreturn, { 0 } }))
        arm_give_up("system calls at unpatched sites, behind a seccomp filter that forbids rt_sigreturn");
    if (!filter || !ALLOWS(filter, { SYS_getpid, { 0 } }, { SYS_write, { 2, 4096, 4096 } })) {
        if (!dispatch_mute) {
            counters_say("what a program does behind a seccomp filter that forbids to write the report");
            report_print(-1);
        }
        dispatch_mute = true;
    }
    if (!filter || !ALLOWS(filter, { SYS_rt_sigprocmask, { 0, 4096, 4096, 8 } }))
        dispatch_sealed = dispatch_maskless = true;
    if (!filter || !ALLOWS(filter, { SYS_gettid, { 0 } }, { SYS_sched_yield, { 0 } }, { SYS_munmap, { 4096, 4096 } },
                           { SYS_mmap, { 0, 4096, READ | WRITE, FLAGS | MAP_NORESERVE, ~0u } },
                           { SYS_mmap, { 4096, 4096, READ | EXECUTE, FLAGS | MAP_FIXED_NOREPLACE, ~0u } },
                           { SYS_mprotect, { 4096, 4096, READ | WRITE | EXECUTE } },
                           { SYS_mprotect, { 4096, 4096, READ | EXECUTE } },
                           { SYS_membarrier, { MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE } },
                           { SYS_membarrier, { MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE } },
                           { SYS_prctl, { PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 4096, 4096, 4096 } },
                           { SYS_rt_sigaction, { 31, 4096, 4096, 8 } }, { SYS_sigaltstack, { 4096, 4096 } }))
        dispatch_sealed = true;
    if (dispatch_sealed)
        report_seal();
}

/* The mode that a call of seccomp or prctl sets: 1 strict, 2 a filter, 0 none. */
static int mode_of(const struct frame *frame)
{
    if (frame->number == SYS_seccomp)
        return ARGUMENT(frame, 1) == SECCOMP_SET_MODE_STRICT   ? 1
               : ARGUMENT(frame, 1) == SECCOMP_SET_MODE_FILTER ? 2
                                                               : 0;
    return frame->number == SYS_prctl && ARGUMENT(frame, 1) == PR_SET_SECCOMP ? (int)ARGUMENT(frame, 2) : 0;
}

void filter_enter(struct frame *frame)
{
    int mode = mode_of(frame);
    const struct sock_fprog *filter = (const struct sock_fprog *)ARGUMENT(frame, 3);
    if (mode == SECCOMP_MODE_STRICT)
        prepare(NULL);
    else if (mode == SECCOMP_MODE_FILTER && filter && memory_readable(frame, filter) &&
             memory_readable(frame, &filter->filter) && memory_readable(frame, filter->filter))
        prepare(filter);
}

void filter_leave(struct frame *frame)
{
    if (mode_of(frame) == SECCOMP_MODE_FILTER && !kernel_failed(frame->rax))
        atomic_fetch_or(&counters_table->dispatch, DISPATCH_SEALED);
}
