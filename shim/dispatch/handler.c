/* The handler of SIGSYS, which only redirects, and what happens before and after a call that its stub does not count
 * all by itself. README.md tells the whole story. */
#include "dispatch/handler.h"

#include "counters.h"
#include "dispatch/arm.h"
#include "dispatch/code/sites.h"
#include "dispatch/execs.h"
#include "files/files.h"
#include "filter/filter.h"
#include "dispatch/keep/signals.h"
#include "dispatch/keep/stacks.h"
#include "dispatch/leave.h"
#include "dispatch/rows.h"
#include "process.h"
#include "wrap/real.h"

#include <asm/prctl.h>
#include <errno.h>
#include <linux/audit.h>
#include <sys/syscall.h>

enum { CODE_DISPATCH = 2 /* SYS_USER_DISPATCH */, PROBED = 0x5dd1 /* what the probe's getppid returns */ };

static volatile bool probing;

static const char *const no_stub = "system calls at unpatched sites, of a process that got no stub for a clone";

/* What a program that uses dispatch itself gets to hear: that this kernel has none. */
static bool refuse_dispatch(struct frame *frame)
{
    if (frame->number != SYS_prctl || ARGUMENT(frame, 1) != PR_SET_SYSCALL_USER_DISPATCH)
        return false;
    counters_note("a program's own Syscall User Dispatch: refused, since the counter needs it");
    frame->rax = -EINVAL;
    return true;
}

/* Where files are told apart: before the call, or behind it, with its result. */
static void tell_files(const struct frame *frame, bool behind)
{
    if (!(counters_asked & COUNTERS_PER_FILE) || !files_concern(frame->number))
        return;
    long argument[6];
    for (int i = 0; i < 6; i++)
        argument[i] = ARGUMENT(frame, i + 1);
    if (behind)
        files_after(frame->number, argument, frame->rax);
    else
        files_before(frame->number, argument);
}

long dispatch_enter(struct frame *frame)
{
    long number = frame->number = (int)frame->rax;
    if (rows_treatment(number) == TREAT_BRACKETED) {
        uintptr_t stub = sites_find(frame->back, number);
        if (!stub)
            stub = sites_make_now(frame->back, number);
        if (stub)
            return (long)stub;
        rows_call(number);
        arm_give_up(no_stub);
        return (long)frame->back - 2;
    }
    rows_call(number);
    sites_learn(frame->back, number);
    tell_files(frame, false);
    frame->start = rows_now();
    if (signals_enter(frame) || refuse_dispatch(frame)) {
        rows_result(number, ARGUMENT(frame, 1), frame->rax, frame->start);
        return ENTER_DONE;
    }
    if (number == SYS_arch_prctl && ARGUMENT(frame, 1) == ARCH_SET_FS && leave_for((uintptr_t)ARGUMENT(frame, 2)))
        return (long)frame->back - 2;
    if (number == SYS_mprotect || number == SYS_pkey_mprotect)
        prove_leave((uintptr_t)ARGUMENT(frame, 1), (size_t)ARGUMENT(frame, 2));
    else if (number == SYS_exit_group)
        process_ending((int)ARGUMENT(frame, 1));
    else if (number == SYS_exit)
        stacks_end(), process_task_ending();
    else if (number == SYS_execve || number == SYS_execveat)
        execs_enter(frame), signals_before_exec();
    else if (number == SYS_rt_sigreturn)
        return (long)dispatch_return;
    else
        filter_enter(number, ARGUMENT(frame, 1), ARGUMENT(frame, 2), ARGUMENT(frame, 3));
    return ENTER_CALL;
}

void dispatch_leave(struct frame *frame)
{
    bool exec = frame->number == SYS_execve || frame->number == SYS_execveat;
    if (exec)
        execs_leave(frame);
    rows_result(frame->number, ARGUMENT(frame, 1), frame->rax, frame->start);
    tell_files(frame, true);
    signals_leave(frame);
    if (exec)
        signals_after_exec();
    else
        filter_leave(frame->number, ARGUMENT(frame, 1), ARGUMENT(frame, 2), frame->rax);
}

void dispatch_failed(struct frame *frame)
{
    rows_failed((long)frame->info->row, frame->rax);
}

void dispatch_failed_i386(const struct slot_info *info, long result)
{
    rows_failed((long)info->row, result);
}

/* int $0x80 has the numbers of another table, and other registers. Its stub makes it again. */
static void enter_i386(greg_t *registers)
{
    enum { EXIT = 1, EXIT_GROUP = 252, FORK = 2, CLONE = 120, VFORK = 190, CLONE3 = 435, EXECVE = 11, EXECVEAT = 358 };
    int number = (int)registers[REG_RAX];
    uintptr_t stub = sites_make_i386((uintptr_t)registers[REG_RIP], number);
    if (stub)
        rows_call((long)COUNTERS_I386 << 32 | (uint32_t)number);
    if (number == FORK || number == CLONE || number == VFORK || number == CLONE3)
        counters_say("processes and threads that were made by int $0x80");
    if (number == EXECVE || number == EXECVEAT)
        counters_say("programs that were executed by int $0x80");
    if (number == EXIT_GROUP)
        process_ending((int)registers[REG_RBX]);
    else if (number == EXIT)
        process_task_ending();
    if (!stub)
        arm_give_up("system calls at unpatched sites, of a process that got no stub for an int $0x80");
    registers[REG_RIP] = stub ? (greg_t)stub : registers[REG_RIP] - 2;
}

struct delivery dispatch_signal(struct signal_frame *signal)
{
    greg_t *registers = signal->registers;
    if (signal->info.si_code != CODE_DISPATCH || signal->info.si_signo != SIGSYS)
        return signals_forward(signal);

    uintptr_t back = (uintptr_t)registers[REG_RIP];
    long call = (int)registers[REG_RAX];
    if (probing) {
        probing = false;
        registers[REG_RAX] = PROBED;
        return (struct delivery){ signal, 0 };
    }
    uintptr_t moved = sites_moved(back);
    if (moved) {
        registers[REG_RIP] = (greg_t)moved;
        return (struct delivery){ signal, 0 };
    }
    counters_add(&counters_table->hits);
    if (signal->info.si_arch == AUDIT_ARCH_I386) {
        enter_i386(registers);
        return (struct delivery){ signal, 0 };
    }
    uintptr_t stub = sites_make(back, call);
    if (stub) {
        registers[REG_RIP] = (greg_t)stub;
    } else {
        registers[REG_R11] = (greg_t)back;
        registers[REG_RIP] = (greg_t)(uintptr_t)dispatch_full;
    }
    return (struct delivery){ signal, 0 };
}

/* Whether a system call of libc really comes here: an emulated kernel may accept the prctl and do nothing. */
bool handler_probe(void)
{
    int (*call)(void) = (int (*)(void))real_symbol("getppid");
    if (!call)
        return true;  /* libc itself is the program: there is nobody to ask */
    probing = true;
    bool arrived = call() == PROBED;
    probing = false;
    return arrived;
}
