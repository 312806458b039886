/* Calls that return twice: what the new task shares with its parent, and dispatch in the new task. */
#include "counters.h"
#include "dispatch/code/patch.h"
#include "dispatch/code/sites.h"
#include "dispatch/frame.h"
#include "dispatch/keep/memory.h"
#include "dispatch/keep/signals.h"
#include "dispatch/keep/stacks.h"
#include "dispatch/leave.h"
#include "dispatch/newborn.h"
#include "dispatch/rows.h"
#include "files/descriptors.h"
#include "filter/seal.h"
#include "process.h"

#include <linux/sched.h>
#include <sys/syscall.h>

static _Thread_local uint64_t bracket_start;

/* Whether a new task gets thread data of its own, and where. */
static bool sets_thread_data(const struct frame *frame, long number, uintptr_t *thread_data)
{
    const struct clone_args *arguments = (const struct clone_args *)ARGUMENT(frame, 1);
    bool three = number == SYS_clone3 && arguments && memory_readable(frame, arguments) &&
                 memory_readable(frame, &arguments->tls);
    *thread_data = three ? (uintptr_t)arguments->tls : (uintptr_t)ARGUMENT(frame, 5);
    return (number == SYS_clone && ARGUMENT(frame, 1) & CLONE_SETTLS) || (three && arguments->flags & CLONE_SETTLS);
}

static enum sharing sharing_of(const struct frame *frame, long number)
{
    const uint64_t *arguments = (const uint64_t *)ARGUMENT(frame, 1);
    uint64_t flags = 0;
    if (number == SYS_clone)
        flags = (uint64_t)ARGUMENT(frame, 1);
    else if (number == SYS_vfork)
        flags = CLONE_VM | CLONE_VFORK;
    else if (number == SYS_clone3 && arguments && memory_readable(frame, arguments))
        flags = *arguments;
    return !(flags & CLONE_VM) ? SHARES_NOTHING : flags & CLONE_VFORK ? SHARES_FOR_A_WHILE : SHARES_MEMORY;
}

uintptr_t dispatch_before_call(struct frame *frame)
{
    long number = (long)frame->info->number;
    enum sharing sharing = sharing_of(frame, number);
    rows_call(number);
    uintptr_t thread_data;
    bool own_data = sets_thread_data(frame, number, &thread_data);
    if (own_data && leave_for(thread_data))
        return frame->back - 2;
    bracket_start = rows_now();
    if (sharing == SHARES_NOTHING) {
        sites_fork_prepare();
    } else if (sharing == SHARES_MEMORY) {
        if (!own_data)
            stacks_share();
        patch_expect_threads(!dispatch_sealed);
    } else {
        signals_lend();
        stacks_lend();
        descriptors_lend();
    }
    return (uintptr_t)frame->info - SLOT_INFO + SLOT_INLINE + INLINE_SIZE * sharing;
}

/* In a new task. */
static void begin_task(const struct frame *frame, enum sharing sharing)
{
    if (dispatch_sealed) {
        counters_say("threads and processes that began behind a seccomp filter: their calls at unpatched sites");
        if (!counters_mine)
            counters_claim();
    } else {
        if (counters_mine && (long)frame->info->number == SYS_clone3)
            signals_install();  /* CLONE_CLEAR_SIGHAND may have reset our handlers */
        newborn_count();
    }
    if (sharing == SHARES_NOTHING) {
        patch_threads = false;
        sites_fork_done(true);
        process_born();
    }
}

void dispatch_after_call(struct frame *frame)
{
    enum sharing sharing = (enum sharing)frame->number;
    if (frame->rax == 0) {
        begin_task(frame, sharing);
        return;
    }
    if (sharing == SHARES_NOTHING) {
        sites_fork_done(false);
    } else if (sharing == SHARES_FOR_A_WHILE) {
        signals_take_back();
        stacks_take_back();
        descriptors_take_back();
        if (!dispatch_sealed)
            sites_survive((pid_t)frame->rax);
    }
    rows_result((long)frame->info->number, ARGUMENT(frame, 1), frame->rax, bracket_start);
}
