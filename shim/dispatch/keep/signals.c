/* SIGSYS stays ours: dispatch kills a process in which it is blocked or ignored. The kernel never gets SIGSYS in a
 * mask of the program's: it gets SIGSTKFLT instead, which nothing sends, as a proxy. So the kernel itself keeps, per
 * task, through handlers, jumps out of them, vfork and sigsuspend, whether the program has SIGSYS blocked, and a
 * SIGSYS that comes while it has is sent on as the proxy, to wait there. The actions of both signals are ours, and
 * the program's are kept here. */
#include "dispatch/keep/signals.h"

#include "dispatch/arm.h"
#include "dispatch/code/stub.h"
#include "dispatch/keep/mask.h"
#include "dispatch/keep/memory.h"
#include "dispatch/keep/stacks.h"
#include "dispatch/seal.h"
#include "table/kernel.h"

#include <errno.h>
#include <sys/ucontext.h>

enum { PROXY = SIGSTKFLT, SET_SIZE = 8, PROXIED = 0x5dd1 /* si_errno: a SIGSYS */ };
#define BIT(number) (1ul << ((number) - 1))

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

static void (*handler)(int, siginfo_t *, void *);   /* of dispatch's signal */

static long install(int number, struct kernel_action *old)
{
    struct kernel_action action = {
        .handler = (uintptr_t)handler,
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

bool signals_begin(void (*of_dispatch)(int, siginfo_t *, void *))
{
    handler = of_dispatch;
    if (kernel_failed(install(SIGSYS, &actions[0])) || kernel_failed(install(PROXY, &actions[1])))
        return false;
    uint64_t before = mask_change(SIG_UNBLOCK, BIT(SIGSYS) | BIT(PROXY));
    proxy_blocked = before & BIT(PROXY);
    if (before & BIT(SIGSYS))
        mask_change(SIG_BLOCK, BIT(PROXY));
    stack_begin();
    return true;
}

void signals_end(void)
{
    uninstall(SIGSYS);
    uninstall(PROXY);
    stack_end();
    if (mask_change(SIG_BLOCK, 0) & BIT(PROXY))
        mask_change(SIG_BLOCK, BIT(SIGSYS));
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
        frame->had = stack_hide(number, copy);
        if (copy->mask != action->mask || copy->flags != action->flags)
            replace(frame, 2, copy);
    } else {
        frame->had = stack_hidden(number);
    }
    return false;
}

/* A handler may have put SIGSYS into the mask that its return restores. */
static void enter_return(struct frame *frame)
{
    ucontext_t *context = (ucontext_t *)((uintptr_t)frame + FRAME_SIZE + RED_ZONE);
    uint64_t *mask = (uint64_t *)&context->uc_sigmask;
    if (*mask & BIT(SIGSYS))
        *mask = (*mask & ~BIT(SIGSYS)) | BIT(PROXY);
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
    case SYS_sigaltstack: stack_enter(frame); return true;
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
        old->flags |= frame->had ? SA_ONSTACK : 0;
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

/* The site whose call stands at `at`, in its stub or in dispatch_full. */
static uintptr_t site_of(uintptr_t at, const greg_t *registers)
{
    uintptr_t slots = (uintptr_t)dispatch_slots;
    if (at - slots < SLOTS * SLOT_SIZE)
        return ((const struct slot_info *)(slots + ((at - slots) & -SLOT_SIZE) + SLOT_INFO))->back;
    struct arm_range text = arm_text();
    return at - text.start < text.size ? ((const struct frame *)registers[REG_RBX])->back : 0;
}

static uintptr_t show_site(siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    uintptr_t stub = (uintptr_t)registers[REG_RIP];
    uintptr_t site = info->si_code == 1 /* SYS_SECCOMP */ ? site_of(stub, registers) : 0;
    if (!site)
        return 0;
    info->si_call_addr = (void *)site;
    registers[REG_RIP] = (greg_t)site;
    return stub;
}

static void hide_site(uintptr_t stub, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    if (stub && (uintptr_t)registers[REG_RIP] == site_of(stub, registers)) {
        registers[REG_RIP] = (greg_t)stub;
    } else if (stub && stub - (uintptr_t)dispatch_slots >= SLOTS * SLOT_SIZE) {
        const struct frame *frame = (const struct frame *)registers[REG_RBX];
        registers[REG_RSP] = (greg_t)((uintptr_t)frame + FRAME_SIZE + RED_ZONE);
        registers[REG_RBX] = (greg_t)frame->rbx;
    }
}

/* Run the program's handler as the kernel would; in `context` it sees, and may change, the mask that it knows. */
static void run_handler(int number, siginfo_t *info, ucontext_t *context, struct kernel_action *kept)
{
    struct kernel_action action = *kept;
    uint64_t *mask = (uint64_t *)&context->uc_sigmask;
    if (action.flags & SA_RESETHAND)
        kept->handler = 0;
    *mask = to_program(*mask);
    mask_change(SIG_SETMASK, to_kernel(*mask | action.mask | (action.flags & SA_NODEFER ? 0 : BIT(number))));
    uintptr_t stub = show_site(info, context);
    if (dispatch_maskless)
        arm_select(false);  /* SIGSYS stays blocked in the handler: it must not come */
    ((void (*)(int, siginfo_t *, void *))action.handler)(number, info, context);
    if (dispatch_maskless)
        arm_select(true);
    hide_site(stub, context);
    *mask = to_kernel(*mask);
}

void signals_forward(int number, siginfo_t *info, void *context)
{
    bool forced = number == SIGSYS && info->si_code == 1 /* SYS_SECCOMP: the program's own filter */;
    bool blocked = *(uint64_t *)&((ucontext_t *)context)->uc_sigmask & BIT(PROXY);
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
        run_handler(number, info, context, kept);
}
