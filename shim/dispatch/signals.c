/* SIGSYS stays ours: dispatch kills a process in which it is blocked or ignored. The kernel never gets SIGSYS in a
 * mask or an action of the program's; the program is told, and treated, as if it had. The alternate stack of each
 * thread is ours too, unless the program's is large enough for a signal frame within a signal frame. */
#include "dispatch.h"

#include "../kernel.h"

#include <errno.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/ucontext.h>

#define SIGSYS_BIT (1ul << (SIGSYS - 1))
enum { OWN_STACK = 64 << 10, SET_SIZE = 8 };

/* As the kernel has it. */
struct kernel_action {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

static struct kernel_action program_action;    /* what the program has set for SIGSYS */
static _Atomic uint64_t masks;                 /* signals whose action's mask holds SIGSYS for the program */
static pid_t process;                          /* that these are true of: a child of vfork shares the memory only */

static _Thread_local bool blocked;             /* the program has SIGSYS blocked in this thread, */
static _Thread_local bool pending;             /* and one has been sent to it */
static _Thread_local siginfo_t pending_info;
static _Thread_local stack_t program_stack;    /* what the program has set; ss_flags SS_DISABLE where nothing */
static _Thread_local void *own_stack;
static _Thread_local bool stack_known;

static bool kernel_ignores(const struct kernel_action *action)
{
    return (uintptr_t)action->handler == (uintptr_t)SIG_IGN;
}

void signals_install(void)
{
    struct kernel_action action = { .handler = dispatch_signal, .restorer = (void (*)(void))dispatch_restorer, .mask = ~0ul };
    action.flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART | 0x04000000 /* SA_RESTORER */;
    kernel_call(SYS_rt_sigaction, SIGSYS, &action, NULL, SET_SIZE);
}

static uint64_t change_mask(int how, uint64_t set)
{
    uint64_t old = 0;
    kernel_call(SYS_rt_sigprocmask, how, &set, &old, SET_SIZE);
    return old;
}

bool signals_begin(void)
{
    process = (pid_t)kernel_call(SYS_getpid);
    if (kernel_failed(kernel_call(SYS_rt_sigaction, SIGSYS, NULL, &program_action, SET_SIZE)))
        return false;
    signals_install();
    blocked = change_mask(SIG_UNBLOCK, SIGSYS_BIT) & SIGSYS_BIT;
    signals_thread_begin();
    return true;
}

void signals_process_begin(void)
{
    process = (pid_t)kernel_call(SYS_getpid);
}

void signals_end(void)
{
    kernel_call(SYS_rt_sigaction, SIGSYS, &program_action, NULL, SET_SIZE);
    signals_thread_end();
    if (blocked)
        change_mask(SIG_BLOCK, SIGSYS_BIT);
}

static void use_own_stack(void)
{
    stack_t stack = { .ss_sp = own_stack, .ss_size = OWN_STACK };
    if (own_stack)
        kernel_call(SYS_sigaltstack, &stack, NULL);
}

void signals_thread_begin(void)
{
    if (dispatch_sealed)
        return;
    long memory = kernel_call(SYS_mmap, 0, OWN_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    own_stack = kernel_failed(memory) ? NULL : (void *)memory;
    program_stack = (stack_t){ .ss_flags = SS_DISABLE };
    stack_known = true;
    use_own_stack();
}

void signals_thread_end(void)
{
    stack_t none = { .ss_flags = SS_DISABLE };
    if (!own_stack || dispatch_sealed)
        return;
    if (!kernel_failed(kernel_call(SYS_sigaltstack, &none, NULL)))
        kernel_call(SYS_munmap, own_stack, OWN_STACK);
    own_stack = NULL;
}

/* Whether the program's memory at `address` can be read. What lies just above its stack pointer can; for the rest
 * the kernel is asked: with a `how` that does not exist it still reads the set first. */
bool signals_readable(const struct frame *frame, const void *address)
{
    uintptr_t stack = (uintptr_t)frame + FRAME_SIZE, at = (uintptr_t)address;
    if (at - stack < 4096)
        return true;
    return kernel_call(SYS_rt_sigprocmask, 999, address, NULL, SET_SIZE) == -EINVAL;
}

/* The kernel gets `copy` in place of argument n. */
static void replace(struct frame *frame, int n, void *copy)
{
    frame->kept = ARGUMENT(frame, n);
    frame->index = n;
    ARGUMENT(frame, n) = (long)copy;
}

/* Give the kernel a copy of the set at argument n without SIGSYS. True where it was in there. */
static bool strip_set(struct frame *frame, int n)
{
    const uint64_t *set = (const uint64_t *)ARGUMENT(frame, n);
    if (!set || !signals_readable(frame, set) || !(*set & SIGSYS_BIT))
        return false;
    frame->copy[0] = *set & ~SIGSYS_BIT;
    replace(frame, n, frame->copy);
    return true;
}

/* The same for the pair of a set and its size that pselect6 and io_pgetevents have as argument n. */
static void strip_pair(struct frame *frame, int n)
{
    const uint64_t *pair = (const uint64_t *)ARGUMENT(frame, n);
    if (!pair || !signals_readable(frame, pair) || !signals_readable(frame, pair + 1))
        return;
    const uint64_t *set = (const uint64_t *)pair[0];
    if (!set || !signals_readable(frame, set) || !(*set & SIGSYS_BIT))
        return;
    frame->copy[0] = *set & ~SIGSYS_BIT;
    frame->pair[0] = (uint64_t)frame->copy;
    frame->pair[1] = pair[1];
    replace(frame, n, frame->pair);
}

static void enter_mask(struct frame *frame)
{
    int how = (int)ARGUMENT(frame, 1);
    frame->had = frame->has = blocked;
    if (ARGUMENT(frame, 4) != SET_SIZE || !ARGUMENT(frame, 2))
        return;
    bool named = strip_set(frame, 2);
    if (how == SIG_BLOCK)
        frame->has = blocked || named;
    else if (how == SIG_UNBLOCK)
        frame->has = blocked && !named;
    else if (how == SIG_SETMASK)
        frame->has = named;
}

/* A SIGSYS that was sent while the program had it blocked comes when it is not any more. */
static void deliver_pending(void)
{
    if (blocked || !pending)
        return;
    pending = false;
    kernel_call(SYS_rt_tgsigqueueinfo, kernel_call(SYS_getpid), kernel_call(SYS_gettid), SIGSYS, &pending_info);
}

static void leave_mask(struct frame *frame)
{
    uint64_t *old = (uint64_t *)ARGUMENT(frame, 3);
    if (frame->rax != 0)
        return;
    if (old && frame->had)
        *old |= SIGSYS_BIT;
    blocked = frame->has;
    deliver_pending();
}

/* The stub of the sigreturn that handlers will end with is made now: a seccomp filter may forbid it later. */
static void prepare_return(const struct frame *frame, const struct kernel_action *action)
{
    static const uint8_t code[] = { 0x48, 0xc7, 0xc0, SYS_rt_sigreturn, 0, 0, 0, 0x0f, 0x05 };
    const uint8_t *restorer = (const uint8_t *)(uintptr_t)action->restorer;
    uintptr_t back = (uintptr_t)restorer + sizeof code;
    if (!(action->flags & 0x04000000 /* SA_RESTORER */) || (uintptr_t)action->handler <= 1 ||
        stub_find(back, SYS_rt_sigreturn) || !signals_readable(frame, restorer) ||
        !signals_readable(frame, restorer + sizeof code - 8))
        return;
    for (size_t i = 0; i < sizeof code; i++)
        if (restorer[i] != code[i])
            return;
    stub_make_now(back, SYS_rt_sigreturn);
}

/* The program's action for SIGSYS itself. */
static void own_action(struct frame *frame, const struct kernel_action *action, struct kernel_action *old, bool own)
{
    struct kernel_action before = program_action;
    frame->rax = 0;
    if (old && !signals_readable(frame, old)) {
        frame->rax = -EFAULT;
        return;
    }
    if (action && own)
        program_action = *action;
    if (old)
        *old = before;
    deliver_pending();
}

/* rt_sigaction(signal, new, old, size): SIGSYS never reaches the kernel, other actions without SIGSYS in the mask. */
static bool enter_action(struct frame *frame)
{
    int number = (int)ARGUMENT(frame, 1);
    const struct kernel_action *action = (const struct kernel_action *)ARGUMENT(frame, 2);
    bool valid = ARGUMENT(frame, 4) == SET_SIZE && number > 0 && number <= 64;
    if (!valid || (action && (!signals_readable(frame, action) || !signals_readable(frame, &action->mask))))
        return false;
    bool own = process == (pid_t)kernel_call(SYS_getpid);
    if (number == SIGSYS) {
        own_action(frame, action, (struct kernel_action *)ARGUMENT(frame, 3), own);
        return true;
    }
    frame->had = masks >> (number - 1) & 1;
    if (!action)
        return false;
    bool named = action->mask & SIGSYS_BIT;
    if (own && named)
        atomic_fetch_or(&masks, 1ul << (number - 1));
    else if (own && frame->had)
        atomic_fetch_and(&masks, ~(1ul << (number - 1)));
    if (named) {
        struct kernel_action *copy = (struct kernel_action *)frame->copy;
        *copy = *action;
        copy->mask &= ~SIGSYS_BIT;
        replace(frame, 2, copy);
    }
    prepare_return(frame, action);
    return false;
}

static void leave_action(struct frame *frame)
{
    struct kernel_action *old = (struct kernel_action *)ARGUMENT(frame, 3);
    if (frame->rax == 0 && old && frame->had)
        old->mask |= SIGSYS_BIT;
}

static bool within(uintptr_t address, const void *start, size_t size)
{
    return address - (uintptr_t)start < size;
}

/* A frame of ours and one of the program's handler have to fit, with what both handlers use. */
static bool large_enough(const stack_t *stack)
{
    size_t frame = getauxval(AT_MINSIGSTKSZ);
    size_t needed = 4 * frame > 16384 ? 4 * frame : 16384;
    return !(stack->ss_flags & SS_DISABLE) && stack->ss_size >= needed;
}

/* sigaltstack(new, old). The kernel judges the new stack; ours then takes the place of a small one. */
static void enter_stack(struct frame *frame)
{
    const stack_t *stack = (const stack_t *)ARGUMENT(frame, 1);
    stack_t *old = (stack_t *)ARGUMENT(frame, 2), before = program_stack;
    uintptr_t at = (uintptr_t)frame;
    bool off = !stack_known || before.ss_flags & SS_DISABLE;
    frame->rax = 0;
    if (!stack_known)
        before = (stack_t){ .ss_flags = SS_DISABLE };
    else if (!off && (within(at, before.ss_sp, before.ss_size) || within(at, own_stack, own_stack ? OWN_STACK : 0)))
        before.ss_flags |= SS_ONSTACK;
    if (stack) {
        long result = kernel_call(SYS_sigaltstack, stack, NULL);
        if (kernel_failed(result) && !(result == -EPERM && off)) {
            frame->rax = result;
            return;
        }
        program_stack = *stack;
        stack_known = true;
        if (stack->ss_flags & SS_DISABLE)
            program_stack = (stack_t){ .ss_flags = SS_DISABLE };
        if (!large_enough(stack))
            use_own_stack();
    }
    if (old && !signals_readable(frame, old))
        frame->rax = -EFAULT;
    else if (old)
        *old = before;
}

bool signals_enter(struct frame *frame)
{
    switch (frame->number) {
    case SYS_rt_sigprocmask: enter_mask(frame); return false;
    case SYS_rt_sigaction: return enter_action(frame);
    case SYS_sigaltstack: enter_stack(frame); return true;
    case SYS_rt_sigsuspend: strip_set(frame, 1); return false;
    case SYS_ppoll: strip_set(frame, 4); return false;
    case SYS_epoll_pwait: case SYS_epoll_pwait2: strip_set(frame, 5); return false;
    case SYS_pselect6: case SYS_io_pgetevents: strip_pair(frame, 6); return false;
    }
    return false;
}

void signals_leave(struct frame *frame)
{
    if (frame->kept)
        ARGUMENT(frame, frame->index) = frame->kept;
    if (frame->number == SYS_rt_sigprocmask)
        leave_mask(frame);
    else if (frame->number == SYS_rt_sigaction)
        leave_action(frame);
}

/* A handler may have put SIGSYS into the mask that its return restores. */
void signals_return(struct frame *frame)
{
    ucontext_t *context = (ucontext_t *)((uintptr_t)frame + FRAME_SIZE + RED_ZONE);
    uint64_t *mask = (uint64_t *)&context->uc_sigmask;
    if (*mask & SIGSYS_BIT)
        blocked = true;
    *mask &= ~SIGSYS_BIT;
}

/* What the program would have passed on to the next one: blocked and ignored signals stay so across exec. */
void signals_before_exec(void)
{
    struct kernel_action ignore = { .handler = (void (*)(int, siginfo_t *, void *))(uintptr_t)SIG_IGN };
    if (kernel_ignores(&program_action))
        kernel_call(SYS_rt_sigaction, SIGSYS, &ignore, NULL, SET_SIZE);
    if (blocked)
        change_mask(SIG_BLOCK, SIGSYS_BIT);
}

void signals_after_exec(void)
{
    if (kernel_ignores(&program_action))
        signals_install();
    if (blocked)
        change_mask(SIG_UNBLOCK, SIGSYS_BIT);
}

/* Die of SIGSYS, as the program would without us. */
static void die(void)
{
    struct kernel_action action = { 0 };
    kernel_call(SYS_rt_sigaction, SIGSYS, &action, NULL, SET_SIZE);
    kernel_call(SYS_tgkill, kernel_call(SYS_getpid), kernel_call(SYS_gettid), SIGSYS);
}

/* Run the program's handler as the kernel would. */
static void run_handler(int number, siginfo_t *info, ucontext_t *context)
{
    struct kernel_action action = program_action;
    bool before = blocked;
    if (action.flags & SA_RESETHAND)
        program_action.handler = NULL;
    blocked = before || action.mask & SIGSYS_BIT || !(action.flags & SA_NODEFER);
    uint64_t mask = *(uint64_t *)&context->uc_sigmask | (action.mask & ~SIGSYS_BIT);
    change_mask(SIG_SETMASK, mask);
    action.handler(number, info, context);
    change_mask(SIG_SETMASK, ~SIGSYS_BIT);
    blocked = before;
    deliver_pending();
}

void signals_forward(int number, siginfo_t *info, void *context)
{
    bool forced = info->si_code == 1 /* SYS_SECCOMP: the program's own filter */;
    if (blocked && !forced) {
        pending = true;
        pending_info = *info;
    } else if (kernel_ignores(&program_action) && !forced) {
        return;
    } else if (!program_action.handler || blocked || kernel_ignores(&program_action)) {
        die();
    } else {
        dispatch_show_site(info, context);
        run_handler(number, info, context);
    }
}
