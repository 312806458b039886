/* Alternate signal stacks. SIGSYS needs one of ours: its frame, with the vectors of AVX-512 or AMX, would not fit on the
 * small stacks of coroutines. So the kernel has ours, and what the program has set is kept here. The kernel delivers the
 * program's own signals onto ours, too, where their actions have SA_ONSTACK: their frames are then copied to where they
 * would stand without us, and ours is free again before the handler begins. */
#include "dispatch/keep/stacks.h"

#include "dispatch/keep/memory.h"
#include "filter/seal.h"
#include "table/kernel.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/types.h>

#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1u << 31)
#endif
enum { OWN_STACK = 128 << 10 };

static _Thread_local stack_t program_stack;    /* what the program has set, where `known` */
static _Thread_local bool known;
static _Thread_local void *own_stack;
static _Thread_local pid_t owner;              /* the thread whose data this is, */
static _Atomic bool shared;                    /* for a task may have its creator's (CLONE_VM without CLONE_SETTLS) */
static _Thread_local int lent;                 /* a child of vfork runs with our thread data */
static _Thread_local stack_t lent_stack;       /* what the program had set then */

/* None is set. After execve the kernel has not even a flag for that, which the frame of a signal shows. */
static const stack_t none = { .ss_flags = SS_DISABLE }, untouched;

static bool disabled(stack_t stack)
{
    return stack.ss_flags & SS_DISABLE || !stack.ss_size;
}

static bool within(uintptr_t address, const void *start, size_t size)
{
    return address - (uintptr_t)start < size;
}

static bool mine(void)
{
    return !shared || kernel_call(SYS_gettid) == owner;
}

static stack_t current(void)
{
    return known ? program_stack : none;
}

/* Is the program on its alternate stack, as the kernel judges it? One that is disarmed while it is used never is. */
static bool on_stack(uintptr_t sp)
{
    stack_t stack = current();
    return !(stack.ss_flags & (int)(SS_DISABLE | SS_AUTODISARM)) &&
           within(sp - 1, stack.ss_sp, stack.ss_size);
}

static void use_own(void)
{
    stack_t stack = { .ss_sp = own_stack, .ss_size = OWN_STACK };
    if (own_stack)
        kernel_call(SYS_sigaltstack, &stack, NULL);
}

void stacks_begin(bool thread)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    long memory = kernel_call(SYS_mmap, 0, OWN_STACK, PROT_READ | PROT_WRITE, flags, -1, 0);
    own_stack = kernel_failed(memory) ? NULL : (void *)memory;
    program_stack = thread ? none : untouched;
    known = true;
    owner = (pid_t)kernel_call(SYS_gettid);
    use_own();
}

void stacks_share(void)
{
    shared = true;
}

void stacks_end(void)
{
    stack_t old = none;
    if (!own_stack || lent || !mine() || dispatch_sealed || kernel_failed(kernel_call(SYS_sigaltstack, &none, &old)))
        return;
    if (old.ss_flags & SS_DISABLE)
        return;  /* a task that shares its creator's thread data, and has no stack */
    kernel_call(SYS_munmap, own_stack, OWN_STACK);
    own_stack = NULL;
}

void stacks_leave(void)
{
    stack_t stack = disabled(current()) ? none : current();
    kernel_call(SYS_sigaltstack, &stack, NULL);
    known = false;
}

void stacks_lend(void)
{
    if (lent++ == 0)
        lent_stack = program_stack;
}

void stacks_take_back(void)
{
    if (--lent == 0)
        program_stack = lent_stack;
}

/* sigaltstack(new, old). The kernel judges the new stack, and then gets ours again. */
void stacks_enter(struct frame *frame)
{
    const stack_t *stack = (const stack_t *)ARGUMENT(frame, 1);
    stack_t *old = (stack_t *)ARGUMENT(frame, 2), before = current();
    if (!mine()) {
        frame->rax = kernel_call6(SYS_sigaltstack, (long)stack, (long)old, 0, 0, 0, 0);
        return;
    }
    bool on = on_stack((uintptr_t)frame + FRAME_SIZE + RED_ZONE);
    before.ss_flags |= on ? SS_ONSTACK : disabled(before) ? SS_DISABLE : 0;
    frame->rax = 0;
    if (stack) {
        frame->rax = on ? -EPERM : kernel_call6(SYS_sigaltstack, (long)stack, 0, 0, 0, 0, 0);  /* the program's own */
        if (frame->rax)
            return;
        program_stack = stack->ss_flags & SS_DISABLE ? none : *stack;
        program_stack.ss_flags &= (int)(SS_DISABLE | SS_AUTODISARM);
        known = true;
        if (!dispatch_sealed)
            use_own();
    }
    if (old && !memory_writable(old, sizeof *old))
        frame->rax = -EFAULT;
    else if (old)
        *old = before;
}

/* Bytes of the vector state: what its header says (struct _fpx_sw_bytes in asm/sigcontext.h), or 512 without one. */
static size_t floating_size(const uint8_t *floating)
{
    enum { HEADER = 464, MAGIC = 0x46505853, PLAIN = 512 };
    const uint32_t *header = (const uint32_t *)(floating + HEADER);
    return !floating ? 0 : header[0] == MAGIC ? header[1] : PLAIN;
}

static void copy(void *to, const void *from, size_t bytes)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

/* The kernel's own steps: get_sigframe() in arch/x86/kernel/signal.c. */
static struct signal_frame *moved(struct signal_frame *frame, uintptr_t sp, bool alternate)
{
    sp -= RED_ZONE;
    bool nested = on_stack(sp), entered = alternate && !nested && !disabled(current());
    if (entered)
        sp = (uintptr_t)current().ss_sp + current().ss_size;

    size_t size = floating_size(frame->floating);
    uintptr_t floating = (sp - size) & -64ul;
    uintptr_t start = (((size ? floating : sp) - sizeof *frame) & -16ul) - 8;
    if ((entered || nested) && !within(start, current().ss_sp, current().ss_size))
        return NULL;

    struct signal_frame *to = (struct signal_frame *)start;
    if (size)
        copy((void *)floating, frame->floating, size);
    copy(to, frame, sizeof *to);
    to->floating = size ? (uint8_t *)floating : NULL;
    return to;
}

struct signal_frame *stacks_deliver(struct signal_frame *frame, uintptr_t sp, bool alternate)
{
    if (own_stack && within((uintptr_t)frame, own_stack, OWN_STACK))
        frame = moved(frame, sp, alternate);
    if (!frame || !known || !mine())
        return frame;

    frame->stack = program_stack;
    if (program_stack.ss_flags & (int)SS_AUTODISARM)
        program_stack = none;
    return frame;
}

void stacks_return(struct signal_frame *frame)
{
    stack_t stack = frame->stack;
    if (!known || !own_stack || !mine())
        return;
    if (!on_stack((uintptr_t)frame->registers[REG_RSP]) && (stack.ss_flags & SS_DISABLE || stack.ss_size))
        program_stack = stack.ss_flags & SS_DISABLE ? none : stack;
    frame->stack = (stack_t){ .ss_sp = own_stack, .ss_size = OWN_STACK };
}
