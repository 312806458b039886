/* Calls that a signal has interrupted before the supervisor received them.
 *
 * The kernel wakes a task that waits for its supervisor when a signal comes, and lets the call fail with EINTR unless
 * the handler is one with SA_RESTART. A call that was received waits on (SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV), but
 * one that was not is lost: it leaves nothing but a gap in the numbers of notifications, and in the frame of the signal
 * EINTR as the result of a `syscall` that the kernel has not made. When the handler returns by rt_sigreturn, whose
 * notification we get, the frame is changed so that the task makes this call again.
 *
 * A call that began and was interrupted then, a read from a terminal say, looks the same in the frame but was received
 * before: that EINTR stays. What cannot be told apart stays, too: a call that can wait, made twice in a row with the same
 * arguments, while several tasks run; and a call whose number does not stand in the code before it (syscall(3)). */
#include "restart.h"

#include "shim/table/counters.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>

#if defined(__x86_64__)
enum { CODE = 12 };             /* bytes before an address that are looked at */

int restart_number(const unsigned char code[RESTART_CODE])
{
    static const unsigned char zero[] = { 0x31, 0xc0 }, wide[] = { 0x48, 0xc7, 0xc0 };  /* xor %eax,%eax; mov $,%rax */
    const unsigned char *end = code + RESTART_CODE;
    if (end[-2] != 0x0f || end[-1] != 0x05)
        return -1;
    int number;
    memcpy(&number, end - 6, sizeof number);
    bool plain = end[-7] == 0xb8 && (end[-8] & 0xf0) != 0x40;  /* mov $,%eax; with a prefix another register's */
    if ((plain || !memcmp(end - 9, wide, sizeof wide)) && number >= 0 && number < 1024)
        return number;
    return !memcmp(end - 4, zero, sizeof zero) ? 0 : -1;
}

/* Calls that never wait for anything that a signal could interrupt: EINTR is no result of theirs. */
static bool never_waits(int number)
{
    static const int numbers[] = {
        SYS_mmap, SYS_mprotect, SYS_munmap, SYS_brk, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_pipe,
        SYS_sched_yield, SYS_mremap, SYS_mincore, SYS_madvise, SYS_dup, SYS_dup2, SYS_getitimer, SYS_alarm,
        SYS_setitimer, SYS_getpid, SYS_socket, SYS_shutdown, SYS_bind, SYS_listen, SYS_getsockname, SYS_getpeername,
        SYS_socketpair, SYS_setsockopt, SYS_getsockopt, SYS_clone, SYS_fork, SYS_vfork, SYS_exit, SYS_kill, SYS_uname,
        SYS_lseek, SYS_getcwd, SYS_umask, SYS_gettimeofday, SYS_getrlimit, SYS_getrusage, SYS_sysinfo, SYS_times,
        SYS_getuid, SYS_getgid, SYS_setuid, SYS_setgid, SYS_geteuid, SYS_getegid, SYS_setpgid, SYS_getppid, SYS_getpgrp,
        SYS_setsid, SYS_setreuid, SYS_setregid, SYS_getgroups, SYS_setgroups, SYS_setresuid, SYS_getresuid,
        SYS_setresgid, SYS_getresgid, SYS_getpgid, SYS_getsid, SYS_rt_sigpending, SYS_rt_sigqueueinfo, SYS_sigaltstack,
        SYS_getpriority, SYS_setpriority, SYS_prctl, SYS_arch_prctl, SYS_setrlimit, SYS_gettid, SYS_tkill, SYS_time,
        SYS_sched_setaffinity, SYS_sched_getaffinity, SYS_epoll_create, SYS_set_tid_address, SYS_timer_create,
        SYS_timer_settime, SYS_timer_gettime, SYS_timer_getoverrun, SYS_timer_delete, SYS_clock_settime,
        SYS_clock_gettime, SYS_clock_getres, SYS_exit_group, SYS_epoll_ctl, SYS_tgkill, SYS_set_robust_list,
        SYS_get_robust_list, SYS_signalfd4, SYS_timerfd_create, SYS_timerfd_settime, SYS_timerfd_gettime, SYS_eventfd2,
        SYS_epoll_create1, SYS_dup3, SYS_pipe2, SYS_inotify_init1, SYS_prlimit64, SYS_getcpu, SYS_memfd_create,
        SYS_rseq, SYS_membarrier, SYS_seccomp, SYS_capget, SYS_capset, SYS_personality, SYS_setfsuid, SYS_setfsgid,
        SYS_sched_setscheduler, SYS_sched_getscheduler, SYS_sched_setparam, SYS_sched_getparam, SYS_sched_setattr,
        SYS_sched_getattr, SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_sched_rr_get_interval,
        SYS_rt_tgsigqueueinfo, SYS_ioprio_set, SYS_ioprio_get, SYS_set_mempolicy, SYS_get_mempolicy, SYS_pkey_mprotect,
        SYS_pkey_alloc, SYS_pkey_free, SYS_inotify_rm_watch, SYS_adjtimex,
        SYS_clock_adjtime, SYS_settimeofday, SYS_signalfd, SYS_eventfd, SYS_kcmp, SYS_modify_ldt, SYS_set_thread_area,
        SYS_get_thread_area,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i] == number)
            return true;
    return number == 435 /* clone3 */;
}

/* Bytes of a ModRM byte at `at` and of what belongs to it. */
static size_t operand_length(const unsigned char *at)
{
    unsigned mode = at[0] >> 6, base = at[0] & 7;
    if (mode == 3)
        return 1;
    bool indexed = base == 4, wide = mode == 2 || (mode == 0 && (indexed ? at[1] & 7 : base) == 5);
    return 1 + indexed + (wide ? 4 : mode == 1);
}

/* The length of an instruction that leaves rax as it is, of those that compilers put between a call's number and the
 * call: arguments are moved to where they belong, the caller's registers are saved. 0: another. */
static size_t leaves_rax(const unsigned char *code)
{
    const unsigned char *at = code + (*code == 0x64);   /* %fs: */
    unsigned prefix = (*at & 0xf0) == 0x40 ? *at++ : 0, opcode = *at++;
    unsigned target = (*at & 7) | (prefix & 1) << 3, source = (*at >> 3 & 7) | (prefix & 4) << 1;
    bool in_register = *at >> 6 == 3;
    switch (opcode) {
    case 0x90:                                          /* nop */
    case 0x50: case 0x51: case 0x52: case 0x53: case 0x54: case 0x55: case 0x56: case 0x57:     /* push */
        return (size_t)(at - code);
    case 0xb9: case 0xba: case 0xbb: case 0xbd: case 0xbe: case 0xbf:   /* mov $,%ecx and so on */
        return prefix & 8 ? 0 : (size_t)(at - code) + 4;
    case 0xb8:                                          /* mov $,%r8d */
        return prefix & 1 && !(prefix & 8) ? (size_t)(at - code) + 4 : 0;
    case 0x8b: case 0x8d: case 0x63: case 0x33:         /* mov, lea, movslq, xor to a register */
        return source ? (size_t)(at - code) + operand_length(at) : 0;
    case 0x89: case 0x31:                               /* mov, xor from one */
        return !in_register || target ? (size_t)(at - code) + operand_length(at) : 0;
    case 0xc7:                                          /* mov $ */
        return !in_register || target ? (size_t)(at - code) + operand_length(at) + 4 : 0;
    default:
        return 0;
    }
}

int restart_number_before(const unsigned char code[RESTART_BEFORE])
{
    enum { MOVE = 5, PADDING = 16 };
    unsigned char padded[RESTART_BEFORE + PADDING] = { 0 };
    memcpy(padded, code, RESTART_BEFORE);
    const unsigned char *call = padded + RESTART_BEFORE - 2;
    if (call[0] != 0x0f || call[1] != 0x05)
        return -1;
    for (const unsigned char *move = call - MOVE; move > padded; move--) {
        const unsigned char *at = move + MOVE;
        int number;
        if (*move != 0xb8 || (move[-1] & 0xf0) == 0x40)
            continue;
        for (size_t length; at < call && (length = leaves_rax(at)); at += length) {
        }
        memcpy(&number, move + 1, sizeof number);
        if (at == call && number >= 0 && number < 1024)
            return never_waits(number) ? number : -1;
    }
    return -1;
}

/* glibc 2.41 and newer make all calls that may be cancelled at two places, and the number is an argument of theirs:
 * mov 16(%rsp), %rax; syscall in the one; in the other, __syscall_cancel_arch, it was in a register that holds something
 * else by then, but the caller has loaded that from its own stack: mov 32(%rsp), %rsi shortly before the call. */
static int number_on_stack(pid_t id, const unsigned char code[CODE], uint64_t stack)
{
    static const unsigned char load[] = { 0x48, 0x8b, 0x44, 0x24 }, load_argument[] = { 0x48, 0x8b, 0x74, 0x24 };
    static const unsigned char arch[] = { 0x4c, 0x8b, 0x4c, 0x24, 0x10, 0x4c, 0x89, 0x5c, 0x24, 0x08 };
    const unsigned char *call = code + CODE - 2;
    unsigned char caller[32];
    uint64_t back, at = 0;
    long number;
    if (call[0] != 0x0f || call[1] != 0x05)
        return -1;
    if (!memcmp(call - 5, load, sizeof load)) {
        at = stack + call[-1];
    } else if (!memcmp(call - sizeof arch, arch, sizeof arch) && peek_memory(id, stack, &back, sizeof back) &&
               peek_memory(id, back - sizeof caller, caller, sizeof caller)) {
        for (size_t i = sizeof caller - sizeof load_argument; i-- > 0 && !at;)
            if (!memcmp(caller + i, load_argument, sizeof load_argument))
                at = stack + sizeof back + caller[i + sizeof load_argument];
    }
    return at && peek_memory(id, at, &number, sizeof number) && number >= 0 && number < 1024 ? (int)number : -1;
}

static bool alike(const struct called *one, const struct called *other)
{
    return one->number == other->number && one->address == other->address &&
           (!one->stack || one->stack == other->stack) &&
           !memcmp(one->arguments, other->arguments, sizeof one->arguments);
}

/* The last notification that may be the interrupted call's, 0 for none. Below `frame` the stack is the handler's: a call
 * that was made above it is the program's, and before that there is nothing to look for. */
static uint64_t received(const struct thread *thread, const struct called *call, uint64_t frame)
{
    size_t first = thread->called_count > TASKS_CALLS ? thread->called_count - TASKS_CALLS : 0;
    for (size_t i = thread->called_count; i > first; i--) {
        const struct called *old = &thread->called[(i - 1) % TASKS_CALLS];
        if (alike(old, call))
            return old->id;
        if (old->stack >= frame)
            return 0;
    }
    return first ? thread->called[first % TASKS_CALLS].id : 0;
}

/* The interrupted call in the signal frame to which rt_sigreturn is about to return; false where there is none. */
static bool interrupted(pid_t id, const greg_t *registers, struct called *call)
{
    unsigned char code[CODE];
    uint64_t address = (uint64_t)registers[REG_RIP];
    bool ours = address - COUNTERS_WHOLE_BASE < COUNTERS_WHOLE_SIZE;  /* nothing of it waits for the supervisor */
    if (registers[REG_RAX] != -EINTR || ours || !peek_memory(id, address - sizeof code, code, sizeof code))
        return false;
    const greg_t arguments[] = { registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                                 registers[REG_R10], registers[REG_R8], registers[REG_R9] };
    *call = (struct called){ .number = restart_number(code + CODE - RESTART_CODE), .address = address,
                             .stack = (uint64_t)registers[REG_RSP] };
    memcpy(call->arguments, arguments, sizeof arguments);
    if (call->number < 0)
        call->number = number_on_stack(id, code, call->stack);
    unsigned char more[RESTART_BEFORE];
    if (call->number < 0 && peek_memory(id, address - sizeof more, more, sizeof more))
        call->number = restart_number_before(more);
    return call->number >= 0;
}

/* Back onto the `syscall`, with the number of the call in its register. */
static void make_again(pid_t id, uint64_t registers, const struct called *call)
{
    greg_t number = call->number, address = (greg_t)call->address - 2;
    struct iovec here[] = { { &number, sizeof number }, { &address, sizeof address } };
    struct iovec there[] = { { (void *)(registers + REG_RAX * sizeof(greg_t)), sizeof number },
                             { (void *)(registers + REG_RIP * sizeof(greg_t)), sizeof address } };
    process_vm_writev(id, here, 2, there, 2, 0);
}

static void look_at_frame(const struct restart *restart, const struct tasks *tasks, const struct thread *thread)
{
    greg_t registers[NGREG];
    struct called call;
    uint64_t stack;
    if (!peek_stack(thread->id, &stack))
        return;
    uint64_t at = stack + offsetof(ucontext_t, uc_mcontext.gregs);
    if (!peek_memory(thread->id, at, registers, sizeof registers) || !interrupted(thread->id, registers, &call))
        return;
    uint64_t before = received(thread, &call, stack);
    if (never_waits(call.number) || !before || (tasks->alive == 1 && restart->missing > before))
        make_again(thread->id, at, &call);
}
#else
int restart_number(const unsigned char code[RESTART_CODE])
{
    (void)code;
    return -1;
}
#endif

/* A handler without SA_RESTART is about to be installed. */
static bool handles(pid_t id, const struct seccomp_data *call)
{
    uint64_t action[2];  /* as the kernel has it: the handler, then its flags */
    return call->nr == SYS_rt_sigaction && call->args[1] && peek_memory(id, call->args[1], action, sizeof action) &&
           (void (*)(int))action[0] != SIG_DFL && (void (*)(int))action[0] != SIG_IGN && !(action[1] & SA_RESTART);
}

void restart_notice(struct restart *restart, const struct tasks *tasks, struct thread *thread,
                    const struct seccomp_notif *notification, bool own)
{
    const struct seccomp_data *data = &notification->data;
    if (restart->last && notification->id > restart->last + 1)
        restart->missing = notification->id - 1;
    restart->last = notification->id;
#if defined(__x86_64__)
    if (own && data->nr == SYS_rt_sigreturn) {
        if (restart->missing > thread->checked)
            look_at_frame(restart, tasks, thread);
        thread->checked = notification->id;
    }
#endif
    restart->handled |= tasks->unseen || (own && handles(thread->id, data));
    struct called *called = &thread->called[thread->called_count++ % TASKS_CALLS];
    *called = (struct called){ .id = notification->id, .number = data->nr, .address = data->instruction_pointer };
    memcpy(called->arguments, data->args, sizeof called->arguments);
    if (restart->handled && !peek_stack(thread->id, &called->stack))
        called->stack = 0;
}
