/* SIGSYS stays ours: dispatch kills a process in which it is blocked or ignored. The kernel never gets SIGSYS in a
 * mask of the program's: it gets SIGSTKFLT instead, which nothing sends, as a proxy. So the kernel itself keeps, per
 * task, through handlers, jumps out of them, vfork and sigsuspend, whether the program has SIGSYS blocked, and a
 * SIGSYS that comes while it has is sent on as the proxy, to wait there. The actions of both signals are ours, and
 * the program's are kept here. */
#include "dispatch/keep/signals.h"

#include "dispatch/code/sites.h"
#include "dispatch/keep/gates.h"
#include "dispatch/keep/mask.h"
#include "dispatch/keep/memory.h"
#include "dispatch/keep/proxy.h"
#include "dispatch/keep/shown.h"
#include "dispatch/keep/stacks.h"
#include "dispatch/rows.h"
#include "table/kernel.h"
#include "table/text.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/signalfd.h>

struct kernel_action proxy_actions[2];
_Thread_local bool proxy_blocked;

/* A child of vfork that sets an action must not change its parent's. */
static _Thread_local int lent;
static _Thread_local bool changed;
static _Thread_local struct kernel_action saved[2];

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
    kernel_call(SYS_rt_sigaction, number, proxy_action(number), NULL, SET_SIZE);
}

bool signals_begin(void)
{
    if (kernel_failed(install(SIGSYS, &proxy_actions[0])) || kernel_failed(install(PROXY, &proxy_actions[1])))
        return false;
    uint64_t before = mask_change(SIG_UNBLOCK, BIT(SIGSYS) | BIT(PROXY));
    proxy_blocked = before & BIT(PROXY);
    if (before & BIT(SIGSYS))
        mask_change(SIG_BLOCK, BIT(PROXY));
    stacks_begin(false);
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
        if (proxy_action(number) || kernel_failed(kernel_call(SYS_rt_sigaction, number, NULL, &action, SET_SIZE)) ||
            gates_open(action.handler) == action.handler)
            continue;
        action.handler = gates_open(action.handler);
        action.mask = proxy_to_program(action.mask);
        kernel_call(SYS_rt_sigaction, number, &action, NULL, SET_SIZE);
    }
    uninstall(SIGSYS);
    uninstall(PROXY);
    mask_change(SIG_SETMASK, proxy_mask(mask_change(SIG_BLOCK, 0)));
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
        proxy_actions[i] = saved[i];
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
    frame->copy[0] = proxy_to_kernel(*set) | (*set & also);
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
    if (!set || !memory_readable(frame, set) || proxy_to_kernel(*set) == *set)
        return;
    frame->copy[0] = proxy_to_kernel(*set);
    frame->pair[0] = (uint64_t)frame->copy;
    frame->pair[1] = pair[1];
    replace(frame, n, frame->pair);
}

/* rt_sigaction of SIGSYS or the proxy: the kernel never hears of it. Like the kernel, it takes effect even where the
 * old action then cannot be written. */
static void enter_proxy_action(struct frame *frame, struct kernel_action *mine)
{
    const struct kernel_action *action = (const struct kernel_action *)ARGUMENT(frame, 2);
    struct kernel_action *old = (struct kernel_action *)ARGUMENT(frame, 3), before = *mine;
    if (action) {
        for (int i = 0; lent && !changed && i < 2; i++)
            saved[i] = proxy_actions[i];
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
    if (proxy_action(number)) {
        enter_proxy_action(frame, proxy_action(number));
        return true;
    }
    if (action) {
        struct kernel_action *copy = (struct kernel_action *)frame->copy;
        *copy = *action;
        copy->mask = proxy_to_kernel(action->mask);
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
    signal->mask = proxy_to_kernel(signal->mask);
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

/* signalfd(fd, set, size, flags). What is read from it later names the proxy where it means SIGSYS. */
static void enter_signalfd(struct frame *frame)
{
    const uint64_t *set = (const uint64_t *)ARGUMENT(frame, 2);
    if (ARGUMENT(frame, 3) != SET_SIZE || !set || !memory_readable(frame, set))
        return;
    if (*set & BIT(SIGSYS) && rows_treatment(SYS_read) == TREAT_PLAIN) {
        rows_care_for_reads();
        sites_retire(SYS_read);
    }
    replace_set(frame, 2, BIT(PROXY));
}

static bool is_signalfd(int descriptor)
{
    static const char wanted[] = "anon_inode:[signalfd]";
    char path[32], target[sizeof wanted];
    struct text text = { path, path, path + sizeof path - 1 };
    text_put(&text, "/proc/self/fd/");
    text_number(&text, (uint64_t)descriptor, 0);
    text_end(&text);
    long length = kernel_call(SYS_readlinkat, AT_FDCWD, path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = 0;
    return text_equal(target, wanted);
}

static void leave_read(const struct frame *frame)
{
    struct signalfd_siginfo *read = (struct signalfd_siginfo *)ARGUMENT(frame, 2);
    size_t count = frame->rax > 0 && frame->rax % (long)sizeof *read == 0 ? (size_t)frame->rax / sizeof *read : 0;
    bool known = false;
    for (size_t i = 0; i < count; i++) {
        if (read[i].ssi_signo != PROXY || read[i].ssi_errno != PROXIED || (!known && !is_signalfd((int)ARGUMENT(frame, 1))))
            continue;
        known = true;
        read[i].ssi_signo = SIGSYS;
        read[i].ssi_errno = 0;
    }
}

/* sigtimedwait(set, info, timeout, size) had the proxy; where nobody asked for details, what it waits for decides. */
static void leave_wait(struct frame *frame)
{
    siginfo_t *info = (siginfo_t *)ARGUMENT(frame, 2);
    bool proxied = info ? info->si_errno == PROXIED : !(*(const uint64_t *)ARGUMENT(frame, 1) & BIT(PROXY));
    if (!proxied)
        return;
    frame->rax = SIGSYS;
    if (info) {
        info->si_signo = SIGSYS;
        info->si_errno = 0;
    }
}

bool signals_enter(struct frame *frame)
{
    switch (frame->number) {
    case SYS_rt_sigprocmask: enter_mask(frame); return false;
    case SYS_rt_sigaction: return enter_action(frame);
    case SYS_sigaltstack: stacks_enter(frame); return true;
    case SYS_rt_sigreturn: enter_return(frame); return false;
    case SYS_rt_sigsuspend: replace_set(frame, 1, 0); return false;
    case SYS_rt_sigtimedwait: replace_set(frame, 1, BIT(SIGSYS) | BIT(PROXY)); return false;
    case SYS_signalfd: case SYS_signalfd4: enter_signalfd(frame); return false;
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
    if (frame->number == SYS_rt_sigprocmask && frame->rax == 0) {
        if (set)
            *set = proxy_mask(*set);
        proxy_blocked = frame->had;
    } else if (frame->number == SYS_rt_sigaction && frame->rax == 0 && old) {
        old->mask = proxy_to_program(old->mask);
        old->handler = gates_open(old->handler);
    } else if (frame->number == SYS_rt_sigpending && frame->rax == 0 && ARGUMENT(frame, 2) == SET_SIZE) {
        *set = *set & BIT(PROXY) ? (*set & ~BIT(PROXY)) | BIT(SIGSYS) : *set;
    } else if (frame->number == SYS_rt_sigtimedwait && frame->rax == PROXY) {
        leave_wait(frame);
    } else if (frame->number == SYS_read) {
        leave_read(frame);
    }
}

/* What the program would have passed on to the next one: blocked and ignored signals stay so across exec. */
void signals_before_exec(void)
{
    if (proxy_ignored(&proxy_actions[0]))
        uninstall(SIGSYS);
    if (proxy_ignored(&proxy_actions[1]))
        uninstall(PROXY);
    if (mask_change(SIG_BLOCK, 0) & BIT(PROXY))
        mask_change(SIG_BLOCK, BIT(SIGSYS));
}

void signals_after_exec(void)
{
    if (proxy_ignored(&proxy_actions[0]) || proxy_ignored(&proxy_actions[1]))
        signals_install();
    mask_change(SIG_UNBLOCK, BIT(SIGSYS));
}
