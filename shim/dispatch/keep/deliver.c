/* Entering the program's handlers as the kernel would: on the right stack, with the masks and the site that the program
 * knows. Signals but SIGSYS and its proxy come through a gate, in which all are blocked. */
#include "dispatch/keep/signals.h"

#include "dispatch/arm.h"
#include "dispatch/keep/gates.h"
#include "dispatch/keep/proxy.h"
#include "dispatch/keep/shown.h"
#include "dispatch/keep/stacks.h"
#include "filter/seal.h"
#include "table/kernel.h"

enum { CODE_SECCOMP = 1 /* SYS_SECCOMP: a filter of the program's */ };

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
        signal->mask = proxy_mask(signal->mask);
    uintptr_t sp = (uintptr_t)signal->registers[REG_RSP];
    shown_begin(signal);
    struct signal_frame *moved = stacks_deliver(signal, sp, alternate);
    if (!moved) {
        die(SIGSEGV);
        return no_handler(signal);
    }
    return (struct delivery){ moved, handler };
}

/* A signal struck where another waited at its gate, with its frame on our alternate stack: which the kernel takes for
 * free as soon as the second one's handler runs elsewhere. So the first is moved, too, before. */
static void deliver_first(struct signal_frame *signal)
{
    greg_t *registers = signal->registers;
    size_t gate;
    int number;
    if (!shown_at_gate(signal, &gate, &number))
        return;
    struct delivery first = deliver((struct signal_frame *)registers[REG_RSP], gates_handler(gate), true);
    if (!first.handler)
        return;
    registers[REG_RSP] = (greg_t)(uintptr_t)first.frame;
    registers[REG_RIP] = (greg_t)(uintptr_t)dispatch_gate_go;
    registers[REG_R8] = (greg_t)first.handler;
    registers[REG_R9] = number;
}

struct delivery signals_deliver(struct signal_frame *signal, size_t gate)
{
    deliver_first(signal);
    return deliver(signal, gates_handler(gate), true);
}

/* Enter the program's handler of SIGSYS or of its proxy as the kernel would. Where its mask cannot be set, SIGSYS stays
 * blocked in it, and must not come. */
static struct delivery run_handler(int number, struct signal_frame *signal, struct kernel_action *kept)
{
    struct kernel_action action = *kept;
    if (action.flags & SA_RESETHAND)
        kept->handler = 0;
    uint64_t mask = proxy_to_program(signal->mask) | action.mask | (action.flags & SA_NODEFER ? 0 : BIT(number));
    struct delivery delivery = deliver(signal, action.handler, action.flags & SA_ONSTACK);
    if (signal->info.si_code == CODE_SECCOMP)
        delivery.frame->info.si_call_addr = (void *)delivery.frame->registers[REG_RIP];
    delivery.frame->held = proxy_to_kernel(mask);
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
    struct kernel_action *kept = proxy_action(number);
    if (number == SIGSYS && blocked && !forced)
        send_on(info);
    else if (!kept->handler || (forced && (blocked || proxy_ignored(kept))))
        die(number);
    else if (!proxy_ignored(kept))
        return run_handler(number, signal, kept);
    return no_handler(signal);
}
