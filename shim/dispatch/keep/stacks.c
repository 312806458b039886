/* Alternate signal stacks: each thread has one of ours for SIGSYS, whose frame would not fit on small stacks, unless
 * the program's own is large enough for a signal frame within a signal frame. The program sees what it has set. */
#include "dispatch/keep/stacks.h"

#include "dispatch/keep/memory.h"
#include "dispatch/seal.h"
#include "table/kernel.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/auxv.h>
#include <sys/mman.h>

enum { OWN_STACK = 128 << 10 };

static _Thread_local stack_t program_stack;    /* what the program has set; ss_flags SS_DISABLE where nothing */
static _Thread_local void *own_stack;
static _Thread_local bool stack_known;
static _Thread_local int lent;                 /* a child of vfork runs with our thread data (and one of its); */
static _Thread_local bool upon;                /* its parent is on one of the two stacks, */
static _Thread_local void *lent_stack;         /* and this one is the child's */

static bool within(uintptr_t address, const void *start, size_t size)
{
    return address - (uintptr_t)start < size;
}

/* Which of them `address` is on: where handlers run. */
static bool on_stack(uintptr_t address)
{
    return within(address, own_stack, own_stack ? OWN_STACK : 0) ||
           (!(program_stack.ss_flags & SS_DISABLE) && within(address, program_stack.ss_sp, program_stack.ss_size));
}

static void *make_stack(void)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    long memory = kernel_call(SYS_mmap, 0, OWN_STACK, PROT_READ | PROT_WRITE, flags, -1, 0);
    return kernel_failed(memory) ? NULL : (void *)memory;
}

static void use(void *memory)
{
    stack_t stack = { .ss_sp = memory, .ss_size = OWN_STACK };
    if (memory)
        kernel_call(SYS_sigaltstack, &stack, NULL);
}

void stack_begin(void)
{
    own_stack = make_stack();
    program_stack = (stack_t){ .ss_flags = SS_DISABLE };
    stack_known = true;
    use(own_stack);
}

void stack_end(void)
{
    stack_t none = { .ss_flags = SS_DISABLE }, old = none;
    if (!own_stack || lent || dispatch_sealed || kernel_failed(kernel_call(SYS_sigaltstack, &none, &old)))
        return;
    if (old.ss_flags & SS_DISABLE)
        return;  /* a task that shares its creator's thread data, and has no stack */
    kernel_call(SYS_munmap, own_stack, OWN_STACK);
    own_stack = NULL;
}

void stack_lend(const struct frame *frame)
{
    lent++;
    upon = on_stack((uintptr_t)frame);
}

/* In a child of vfork whose stack is another than its parent's: were the parent in a handler, the frame of a signal
 * in the child would overwrite the handler's. */
void stack_borrow(const struct frame *frame)
{
    if (upon && !on_stack((uintptr_t)frame) && !dispatch_sealed) {
        lent_stack = make_stack();
        use(lent_stack);
    }
}

void stack_take_back(void)
{
    if (lent_stack)
        kernel_call(SYS_munmap, lent_stack, OWN_STACK);
    lent_stack = NULL;
    lent--;
}

/* A frame of ours and one of the program's handler have to fit, with what both handlers use. */
static bool large_enough(const stack_t *stack)
{
    size_t frame = getauxval(AT_MINSIGSTKSZ);
    size_t needed = 4 * frame > 16384 ? 4 * frame : 16384;
    return !(stack->ss_flags & SS_DISABLE) && stack->ss_size >= needed;
}

/* While the program has no alternate stack, a handler with SA_ONSTACK runs on the ordinary one, all of which it may
 * need. The kernel, which knows of ours, is not told of the flag until there is one. */
static _Atomic bool stack_used;
static _Atomic uint64_t hidden;     /* a bit for each signal whose action has it */

bool stack_hidden(int number)
{
    return hidden >> (number - 1) & 1;
}

bool stack_hide(int number, struct kernel_action *action)
{
    uint64_t bit = 1ul << (number - 1);
    bool hide = action->flags & SA_ONSTACK && !stack_used;
    if (hide)
        action->flags &= ~(unsigned long)SA_ONSTACK;
    return (hide ? atomic_fetch_or(&hidden, bit) : atomic_fetch_and(&hidden, ~bit)) & bit;
}

static void show_hidden(void)
{
    struct kernel_action action;
    stack_used = true;
    uint64_t signals = dispatch_sealed ? 0 : atomic_exchange(&hidden, 0);
    for (int number = 1; signals; number++, signals >>= 1) {
        if (signals & 1 && !kernel_failed(kernel_call(SYS_rt_sigaction, number, NULL, &action, 8))) {
            action.flags |= SA_ONSTACK;
            kernel_call(SYS_rt_sigaction, number, &action, NULL, 8);
        }
    }
}

/* sigaltstack(new, old). The kernel judges the new stack; ours then takes the place of a small one. */
void stack_enter(struct frame *frame)
{
    const stack_t *stack = (const stack_t *)ARGUMENT(frame, 1);
    stack_t *old = (stack_t *)ARGUMENT(frame, 2), before = program_stack;
    bool off = !stack_known || before.ss_flags & SS_DISABLE;
    frame->rax = 0;
    if (!stack_known)
        before = (stack_t){ .ss_flags = SS_DISABLE };
    else if (!off && on_stack((uintptr_t)frame))
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
        else
            show_hidden();
        if (!large_enough(stack))
            use(own_stack);
    }
    if (old && !memory_writable(old, sizeof *old))
        frame->rax = -EFAULT;
    else if (old)
        *old = before;
}
