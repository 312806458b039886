/* SIGSYS stays ours: dispatch kills a process in which it is blocked or ignored. The kernel never gets SIGSYS in a
 * mask of the program's: it gets SIGSTKFLT instead, which nothing sends, as a proxy. So the kernel itself keeps, per
 * task, through handlers, jumps out of them, vfork and sigsuspend, whether the program has SIGSYS blocked, and a
 * SIGSYS that comes while it has is sent on as the proxy, to wait there. The actions of both signals are ours, and
 * the program's are kept here. */
#include "dispatch/keep/signals.h"

#include "dispatch/arm.h"
#include "dispatch/keep/gates.h"
#include "dispatch/keep/mask.h"
#include "dispatch/keep/memory.h"
#include "dispatch/keep/shown.h"
#include "dispatch/keep/stacks.h"
#include "filter/seal.h"
#include "table/kernel.h"

#include <errno.h>

enum { PROXY = SIGSTKFLT, SET_SIZE = 8, CODE_SECCOMP = 1 /* SYS_SECCOMP: a filter of the program's */, PROXIED = 0x5dd1 /* si_errno: a SIGSYS */ };
#define BIT(number) (1ul << ((number) - 1))

/* As the kernel has it. */
struct kernel_action {
    uintptr_t handler;
    unsigned long flags;
    uintptr_t restorer;
    uint64_t mask;
};

static struct kernel_action actions[2];        /* what the program has set for SIGSYS and for the proxy */

/* What the program last said of the proxy itself, which its masks are to show. */
static _Thread_local bool proxy_blocked;

/* A child of vfork that sets an action must not change its parent's. */
static _Thread_local int lent;
static _Thread_local bool changed;
static _Thread_local struct kernel_action saved[2];

static struct kernel_action *kept_action(int number)
{
    return number == SIGSYS ? &actions[0] : number == PROXY ? &actions[1] : NULL;
}

static bool ignored(const struct kernel_action *action)
{
    return action->handler == (uintptr_t)SIG_IGN;
}

static uint64_t to_kernel(uint64_t set)
{
    return (set & ~(BIT(SIGSYS) | BIT(PROXY))) | (set & BIT(SIGSYS) ? BIT(PROXY) : 0);
}

static uint64_t to_program(uint64_t set)
{
    return set & BIT(PROXY) ? set | BIT(SIGSYS) : set & ~BIT(SIGSYS);
}

/* The program's mask of this thread, from the kernel's. */
static uint64_t mask_to_program(uint64_t mask)
{
    return (to_program(mask) & ~BIT(PROXY)) | (proxy_blocked ? BIT(PROXY) : 0);
}

static long install(int number, struct kernel_action *old)
{
    struct kernel_action action = {
        .handler = (uintptr_t)dispatch_sigsys,
        .restorer = (uintptr_t)dispatch_restorer,
        .flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART | 0x04000000 /* SA_RESTORER */,
        .mask = ~0ul,
    };
    return kernel_call(SYS_rt_sigaction, number, &action, old, SET_SIZE);
}

void signals_install(void)
{
    install(SIGSYS, NULL);
    install(PROXY, NULL);
}

static void uninstall(int number)
{
    kernel_call(SYS_rt_sigaction, number, kept_action(number), NULL, SET_SIZE);
}

bool signals_begin(void)
{
    if (kernel_failed(install(SIGSYS, &actions[0])) || kernel_failed(install(PROXY, &actions[1])))
        return false;
    uint64_t before = mask_change(SIG_UNBLOCK, BIT(SIGSYS) | BIT(PROXY));
    proxy_blocked = before & BIT(PROXY);
    if (before & BIT(SIGSYS))
        mask_change(SIG_BLOCK, BIT(PROXY));
    stacks_begin();
    return true;
}

void signals_end(void)
{
    uninstall(SIGSYS);
    uninstall(PROXY);
    stacks_end();
    if (mask_change(SIG_BLOCK, 0) & BIT(PROXY))
        mask_change(SIG_BLOCK, BIT(SIGSYS));
}

void signals_leave_all(void)
{
    struct kernel_action action;
    for (int number = 1; number <= 64; number++) {
        if (kept_action(number) || kernel_failed(kernel_call(SYS_rt_sigaction, number, NULL, &action, SET_SIZE)) ||
            gates_open(action.handler) == action.handler)
            continue;
        action.handler = gates_open(action.handler);
        action.mask = to_program(action.mask);
        kernel_call(SYS_rt_sigaction, number, &action, NULL, SET_SIZE);
    }
    uninstall(SIGSYS);
    uninstall(PROXY);
    mask_change(SIG_SETMASK, mask_to_program(mask_change(SIG_BLOCK, 0)));
    stacks_leave();
}

void signals_lend(void)
{
    if (lent++ == 0)
        changed = false;
}

void signals_take_back(void)
{
    for (int i = 0; lent == 1 && changed && i < 2; i++)
        actions[i] = saved[i];
    lent--;
}

/* The kernel gets `copy` in place of argument n. */
static void replace(struct frame *frame, int n, void *copy)
{
    frame->kept = ARGUMENT(frame, n);
    frame->index = n;
    ARGUMENT(frame, n) = (long)copy;
}

/* Give the kernel a copy of the set at `n` as it may have it, with the bits of `also` that the set has. */
static void replace_set(struct frame *frame, int n, uint64_t also)
{
    const uint64_t *set = (const uint64_t *)ARGUMENT(frame, n);
    if (!set || !memory_readable(frame, set))
        return;
    frame->copy[0] = to_kernel(*set) | (*set & also);
    if (frame->copy[0] != *set)
        replace(frame, n, frame->copy);
}

/* The same for the pair of a set and its size that pselect6 and io_pgetevents have as argument n. */
static void replace_pair(struct frame *frame, int n)
{
    const uint64_t *pair = (const uint64_t *)ARGUMENT(frame, n);
    if (!pair || !memory_readable(frame, pair) || !memory_readable(frame, pair + 1))
        return;
    const uint64_t *set = (const uint64_t *)pair[0];
    if (!set || !memory_readable(frame, set) || to_kernel(*set) == *set)
        return;
    frame->copy[0] = to_kernel(*set);
    frame->pair[0] = (uint64_t)frame->copy;
    frame->pair[1] = pair[1];
    replace(frame, n, frame->pair);
}

/* rt_sigaction of SIGSYS or the proxy: the kernel never hears of it. Like the kernel, it takes effect even where the
 * old action then cannot be written. */
static void enter_kept_action(struct frame *frame, struct kernel_action *mine)
{
    const struct kernel_action *action = (const struct kernel_action *)ARGUMENT(frame, 2);
    struct kernel_action *old = (struct kernel_action *)ARGUMENT(frame, 3), before = *mine;
    if (action) {
        for (int i = 0; lent && !changed && i < 2; i++)
            saved[i] = actions[i];
        changed = lent > 0;
        *mine = *action;
        mine->mask &= ~(BIT(SIGKILL) | BIT(SIGSTOP));
    }
    bool lost = old && !memory_writable(old, sizeof *old);
    frame->rax = lost ? -EFAULT : 0;
    if (old && !lost)
        *old = before;
}

/* rt_sigaction(signal, new, old, size). True: done here. */
static bool enter_action(struct frame *frame)
{
    int number = (int)ARGUMENT(frame, 1);
    const struct kernel_action *action = (const struct kernel_action *)ARGUMENT(frame, 2);
    bool valid = ARGUMENT(frame, 4) == SET_SIZE && number > 0 && number <= 64;
    if (!valid || (action && (!memory_readable(frame, action) || !memory_readable(frame, &action->mask))))
        return false;
    if (kept_action(number)) {
        enter_kept_action(frame, kept_action(number));
        return true;
    }
    if (action) {
        struct kernel_action *copy = (struct kernel_action *)frame->copy;
        *copy = *action;
        copy->mask = to_kernel(action->mask);
        copy->handler = gates_close(action->handler);
        replace(frame, 2, copy);
    }
    return false;
}

/* A handler returns: its frame, which the program may have changed, becomes the kernel's again. */
static void enter_return(struct frame *frame)
{
    uintptr_t stack = (uintptr_t)frame + FRAME_SIZE + RED_ZONE;
    struct signal_frame *signal = (struct signal_frame *)(stack - SIGNAL_CONTEXT);
    signal->mask = to_kernel(signal->mask);
    frame->resumed = shown_end(signal);
    stacks_return(signal);
}

static void enter_mask(struct frame *frame)
{
    const uint64_t *set = (const uint64_t *)ARGUMENT(frame, 2);
    int how = (int)ARGUMENT(frame, 1);
    frame->had = proxy_blocked;
    if (ARGUMENT(frame, 4) != SET_SIZE || !set || !memory_readable(frame, set))
        return;
    bool named = *set & BIT(PROXY);
    if (how == SIG_SETMASK || named)
        frame->had = how == SIG_UNBLOCK ? false : named;
    replace_set(frame, 2, 0);
}

bool signals_enter(struct frame *frame)
{
    switch (frame->number) {
    case SYS_rt_sigprocmask: enter_mask(frame); return false;
    case SYS_rt_sigaction: return enter_action(frame);
    case SYS_sigaltstack: stacks_enter(frame); return true;
    case SYS_rt_sigreturn: enter_return(frame); return false;
    case SYS_rt_sigsuspend: replace_set(frame, 1, 0); return false;
    case SYS_rt_sigtimedwait: replace_set(frame, 1, BIT(SIGSYS)); return false;
    case SYS_ppoll: replace_set(frame, 4, 0); return false;
    case SYS_epoll_pwait: case SYS_epoll_pwait2: replace_set(frame, 5, 0); return false;
    case SYS_pselect6: case SYS_io_pgetevents: replace_pair(frame, 6); return false;
    }
    return false;
}

void signals_leave(struct frame *frame)
{
    if (frame->kept)
        ARGUMENT(frame, frame->index) = frame->kept;
    uint64_t *set = (uint64_t *)ARGUMENT(frame, frame->number == SYS_rt_sigprocmask ? 3 : 1);
    struct kernel_action *old = (struct kernel_action *)ARGUMENT(frame, 3);
    siginfo_t *info = (siginfo_t *)ARGUMENT(frame, 2);
    if (frame->number == SYS_rt_sigprocmask && frame->rax == 0) {
        if (set)
            *set = mask_to_program(*set);
        proxy_blocked = frame->had;
    } else if (frame->number == SYS_rt_sigaction && frame->rax == 0 && old) {
        old->mask = to_program(old->mask);
        old->handler = gates_open(old->handler);
    } else if (frame->number == SYS_rt_sigpending && frame->rax == 0 && ARGUMENT(frame, 2) == SET_SIZE) {
        *set = *set & BIT(PROXY) ? (*set & ~BIT(PROXY)) | BIT(SIGSYS) : *set;
    } else if (frame->number == SYS_rt_sigtimedwait && frame->rax == PROXY) {
        frame->rax = SIGSYS;
        if (info) {
            info->si_signo = SIGSYS;
            info->si_errno = 0;
        }
    }
}

/* What the program would have passed on to the next one: blocked and ignored signals stay so across exec. */
void signals_before_exec(void)
{
    if (ignored(&actions[0]))
        uninstall(SIGSYS);
    if (ignored(&actions[1]))
        uninstall(PROXY);
    if (mask_change(SIG_BLOCK, 0) & BIT(PROXY))
        mask_change(SIG_BLOCK, BIT(SIGSYS));
}

void signals_after_exec(void)
{
    if (ignored(&actions[0]) || ignored(&actions[1]))
        signals_install();
    mask_change(SIG_UNBLOCK, BIT(SIGSYS));
}

/* Die of the signal, as the program would without us: it is pending until our handler has returned. */
static void die(int number)
{
    struct kernel_action action = { 0 };
    kernel_call(SYS_rt_sigaction, number, &action, NULL, SET_SIZE);
    kernel_call(SYS_tgkill, kernel_call(SYS_getpid), kernel_call(SYS_gettid), number);
}

/* The program has SIGSYS blocked: let it wait as the proxy, for this thread or for any, as it was sent. */
static void send_on(siginfo_t *info)
{
    pid_t process = (pid_t)kernel_call(SYS_getpid);
    info->si_errno = PROXIED;
    if (info->si_code == SI_TKILL)
        kernel_call(SYS_rt_tgsigqueueinfo, process, kernel_call(SYS_gettid), PROXY, info);
    else
        kernel_call(SYS_rt_sigqueueinfo, process, PROXY, info);
}

static struct delivery no_handler(struct signal_frame *signal)
{
    return (struct delivery){ signal, 0 };
}

/* What the handler sees: its own site, masks and alternate stack. */
static struct delivery deliver(struct signal_frame *signal, uintptr_t handler, bool alternate)
{
    if (!dispatch_maskless)
        signal->mask = mask_to_program(signal->mask);
    uintptr_t sp = (uintptr_t)signal->registers[REG_RSP];
    shown_begin(signal);
    struct signal_frame *moved = stacks_deliver(signal, sp, alternate);
    if (!moved) {
        die(SIGSEGV);
        return no_handler(signal);
    }
    return (struct delivery){ moved, handler };
}

struct delivery signals_deliver(struct signal_frame *signal, size_t gate)
{
    return deliver(signal, gates_handler(gate), true);
}

/* Enter the program's handler of SIGSYS or of its proxy as the kernel would. Where its mask cannot be set, SIGSYS stays
 * blocked in it, and must not come. */
static struct delivery run_handler(int number, struct signal_frame *signal, struct kernel_action *kept)
{
    struct kernel_action action = *kept;
    if (action.flags & SA_RESETHAND)
        kept->handler = 0;
    uint64_t mask = to_program(signal->mask) | action.mask | (action.flags & SA_NODEFER ? 0 : BIT(number));
    struct delivery delivery = deliver(signal, action.handler, action.flags & SA_ONSTACK);
    if (signal->info.si_code == CODE_SECCOMP)
        delivery.frame->info.si_call_addr = (void *)delivery.frame->registers[REG_RIP];
    delivery.frame->held = to_kernel(mask);
    delivery.frame->restorer = action.restorer;
    if (dispatch_maskless && delivery.handler && arm_selector) {
        delivery.frame->restorer = (uintptr_t)dispatch_restorer_on;
        arm_selector = 0;
    }
    return delivery;
}

struct delivery signals_forward(struct signal_frame *signal)
{
    siginfo_t *info = &signal->info;
    int number = info->si_signo;
    bool forced = number == SIGSYS && info->si_code == CODE_SECCOMP;
    bool blocked = signal->mask & BIT(PROXY);
    if (number == PROXY && info->si_errno == PROXIED) {
        number = info->si_signo = SIGSYS;
        info->si_errno = 0;
        blocked = false;
    }
    struct kernel_action *kept = kept_action(number);
    if (number == SIGSYS && blocked && !forced)
        send_on(info);
    else if (!kept->handler || (forced && (blocked || ignored(kept))))
        die(number);
    else if (!ignored(kept))
        return run_handler(number, signal, kept);
    return no_handler(signal);
}
