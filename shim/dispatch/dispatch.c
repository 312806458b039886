/* System calls by Syscall User Dispatch: arming it, the signal handler that only redirects, and what happens around
 * the calls that the stubs do not count all by themselves. README.md tells the whole story. */
#include "dispatch.h"

#include "table/kernel.h"

#include <errno.h>
#include <link.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <sys/mman.h>
#include <sys/ucontext.h>
#include <time.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif
enum { CODE_DISPATCH = 2 /* SYS_USER_DISPATCH */, CODE_SECCOMP = 1, PROBE_RESULT = 0x5dd1 };

bool dispatch_armed;

static uintptr_t text, text_size;            /* what dispatch lets pass: this library's own code */
static volatile uint8_t selector;            /* 1: dispatch; 0: let everything pass, the way out in need */
static volatile bool probing;
static int (*vdso_clock)(clockid_t, struct timespec *);
static _Thread_local uint64_t bracket_start;

extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

static void find_text(void)
{
    uintptr_t start = (uintptr_t)&__ehdr_start, linked = 0;  /* at the beginning of the first segment */
    const ElfW(Phdr) *segment = (const ElfW(Phdr) *)(start + __ehdr_start.e_phoff);
    for (int i = __ehdr_start.e_phnum; i-- > 0;)
        if (segment[i].p_type == PT_LOAD)
            linked = segment[i].p_vaddr & -(uintptr_t)4096;
    for (int i = 0; i < __ehdr_start.e_phnum; i++) {
        if (segment[i].p_type == PT_LOAD && segment[i].p_flags & PF_X) {
            text = start + segment[i].p_vaddr - linked;
            text_size = segment[i].p_memsz;
        }
    }
}

static long arm(void)
{
    return kernel_call(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, text, text_size, &selector);
}

/* Whether a system call of libc really comes here: an emulated kernel may accept the prctl and do nothing. */
static bool takes_effect(void)
{
    int (*call)(void) = (int (*)(void))real_symbol("getppid");
    if (!call)
        return false;
    probing = true;
    bool arrived = call() == PROBE_RESULT;
    probing = false;
    return arrived;
}

static uint32_t begin(void)
{
    find_text();
    if (counters_table->flags & COUNTERS_WHOLE && text - COUNTERS_WHOLE_BASE >= COUNTERS_WHOLE_SIZE)
        return 0;  /* the supervisor sees all calls, and would count them twice */
    if (!(counters_table->flags & COUNTERS_WHOLE) && filter_kills(text, text_size))
        return DISPATCH_FILTER;
    long memory = kernel_call(SYS_mmap, dispatch_slots, SLOTS * SLOT_SIZE, PROT_READ | PROT_EXEC,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (kernel_failed(memory))
        return DISPATCH_NO_MEMORY;
    if (!signals_begin())
        return DISPATCH_REFUSED;
    selector = 1;  /* signals_end() from here on where it comes to nothing */
    long result = arm();
    if (result == -EINVAL)
        return DISPATCH_NO_KERNEL;
    if (kernel_failed(result))
        return DISPATCH_REFUSED;
    return takes_effect() ? DISPATCH_ARMED : DISPATCH_NO_EFFECT;
}

void dispatch_begin(void)
{
    if (counters_timed)
        vdso_clock = real_vdso("__vdso_clock_gettime");
    uint32_t outcome = begin();
    dispatch_armed = outcome == DISPATCH_ARMED;
    if (!dispatch_armed && selector) {
        selector = 0;
        signals_end();
    }
    atomic_fetch_or(&counters_table->dispatch, outcome);
}

enum treatment dispatch_treatment(long number)
{
    switch (number) {
    case SYS_clone: case SYS_clone3: case SYS_fork: case SYS_vfork:
        return TREAT_BRACKETED;
    case SYS_rt_sigaction: case SYS_rt_sigprocmask: case SYS_rt_sigsuspend: case SYS_sigaltstack:
    case SYS_rt_sigpending: case SYS_rt_sigtimedwait: case SYS_rt_sigreturn:
    case SYS_ppoll: case SYS_pselect6: case SYS_epoll_pwait: case SYS_epoll_pwait2: case SYS_io_pgetevents:
    case SYS_execve: case SYS_execveat: case SYS_exit: case SYS_exit_group: case SYS_seccomp: case SYS_prctl:
        return TREAT_FULL;
    }
    bool row = number >= 0 && number < COUNTERS_NUMBERS;
    return row && !counters_timed ? TREAT_PLAIN : TREAT_FULL;
}

/* The row of a number: its own, or one of those for numbers beyond the table. -1: none is left. */
static long row_of(long number)
{
    if (number >= 0 && number < COUNTERS_NUMBERS)
        return number;
    int64_t wanted = (int64_t)(uint32_t)number + 1;
    for (int i = 0; i < COUNTERS_OTHERS; i++) {
        int64_t unused = 0;
        if (atomic_compare_exchange_strong(&counters_table->other[i], &unused, wanted) || unused == wanted)
            return COUNTERS_NUMBERS + i;
    }
    counters_add(&counters_table->lost);
    return -1;
}

static struct counter *counter_of(long row)
{
    struct counters_shard *mine = counters_mine;
    return &(mine ? mine : counters_claim())->system[row];
}

static void count_call(long number)
{
    long row = row_of(number);
    if (row >= 0)
        counters_add(&counter_of(row)->calls);
}

static uint64_t now(void)
{
    struct timespec time = { 0, 0 };
    if (vdso_clock)
        vdso_clock(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void count_result(long number, long result, uint64_t start)
{
    long row = row_of(number);
    if (row < 0)
        return;
    if (kernel_failed(result))
        counters_add(&counter_of(row)->errors);
    if (start)
        counters_took((size_t)row, true, now() - start);
}

/* No stub can be made for a call that cannot do without: from here on this process counts at patched sites only. */
void dispatch_give_up(const char *why)
{
    counters_say(why);
    selector = 0;
}

void dispatch_pause(bool pause)
{
    selector = !pause;
}

static const char *const no_stub = "system calls at unpatched sites, of a process that got no stub for a clone";

/* What a program that uses dispatch itself gets to hear: that this kernel has none. */
static bool refuse_dispatch(struct frame *frame)
{
    if (frame->number != SYS_prctl || ARGUMENT(frame, 1) != PR_SET_SYSCALL_USER_DISPATCH)
        return false;
    counters_say("a program's own Syscall User Dispatch: refused, since the counter needs it");
    frame->rax = -EINVAL;
    return true;
}

long dispatch_enter(struct frame *frame)
{
    long number = frame->number = (int)frame->rax;
    if (dispatch_treatment(number) == TREAT_BRACKETED) {
        uintptr_t stub = stub_find(frame->back, number);
        if (!stub)
            stub = stub_make_now(frame->back, number);
        if (stub)
            return (long)stub;
        count_call(number);
        dispatch_give_up(no_stub);
        return (long)frame->back - 2;
    }
    count_call(number);
    frame->kept = 0;
    frame->start = counters_timed ? now() : 0;
    if (signals_enter(frame) || refuse_dispatch(frame)) {
        count_result(number, frame->rax, frame->start);
        return ENTER_DONE;
    }
    if (number == SYS_exit_group)
        process_ending((int)ARGUMENT(frame, 1));
    else if (number == SYS_exit)
        stack_end(), process_task_ending();
    else if (number == SYS_execve || number == SYS_execveat)
        signals_before_exec();
    else if (number == SYS_rt_sigreturn)
        return (long)dispatch_return;
    else
        filter_enter(frame);
    return ENTER_CALL;
}

void dispatch_leave(struct frame *frame)
{
    count_result(frame->number, frame->rax, frame->start);
    signals_leave(frame);
    if (frame->number == SYS_execve || frame->number == SYS_execveat)
        signals_after_exec();
    else
        filter_leave(frame);
}

static enum sharing sharing_of(const struct frame *frame, long number)
{
    const uint64_t *arguments = (const uint64_t *)ARGUMENT(frame, 1);
    uint64_t flags = 0;
    if (number == SYS_clone)
        flags = (uint64_t)ARGUMENT(frame, 1);
    else if (number == SYS_vfork)
        flags = CLONE_VM | CLONE_VFORK;
    else if (number == SYS_clone3 && arguments && signals_readable(frame, arguments))
        flags = *arguments;
    return !(flags & CLONE_VM) ? SHARES_NOTHING : flags & CLONE_VFORK ? SHARES_FOR_A_WHILE : SHARES_MEMORY;
}

uintptr_t dispatch_before_call(struct frame *frame)
{
    long number = (long)frame->info->number;
    enum sharing sharing = sharing_of(frame, number);
    count_call(number);
    bracket_start = counters_timed ? now() : 0;
    if (sharing == SHARES_NOTHING) {
        stub_fork_prepare();
    } else if (sharing == SHARES_MEMORY) {
        patch_expect_threads(!dispatch_sealed);
    } else {
        signals_lend();
        stack_lend(frame);
    }
    return (uintptr_t)frame->info - SLOT_INFO + SLOT_INLINE + INLINE_SIZE * sharing;
}

/* In a new task, whose dispatch the kernel has switched off. Thread data of its own knows of no shard yet; a task
 * without has its creator's. */
static void begin_task(const struct frame *frame, enum sharing sharing)
{
    bool thread = !counters_mine;
    if (dispatch_sealed) {
        counters_say("threads and processes that began behind a seccomp filter: their calls at unpatched sites");
    } else {
        if (!thread && (long)frame->info->number == SYS_clone3)
            signals_install();  /* CLONE_CLEAR_SIGHAND may have reset our handlers */
        if (thread)
            stack_begin();
        else if (sharing == SHARES_FOR_A_WHILE)
            stack_borrow(frame);
        arm();
    }
    if (thread)
        counters_claim();
    if (sharing == SHARES_NOTHING) {
        dispatch_threads = false;
        stub_fork_done();
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
        stub_fork_done();
    } else if (sharing == SHARES_FOR_A_WHILE) {
        signals_take_back();
        stack_take_back();
    }
    count_result((long)frame->info->number, frame->rax, bracket_start);
}

void dispatch_signal(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    if (info->si_code != CODE_DISPATCH) {
        signals_forward(number, info, context);
        return;
    }
    uintptr_t back = (uintptr_t)registers[REG_RIP];
    long call = (int)registers[REG_RAX];
    if (probing) {
        probing = false;
        registers[REG_RAX] = PROBE_RESULT;
        return;
    }
    counters_add(&counters_table->hits);
    uintptr_t stub = stub_make(back, call);
    if (stub) {
        registers[REG_RIP] = (greg_t)stub;
    } else {
        registers[REG_R11] = (greg_t)back;
        registers[REG_RIP] = (greg_t)(uintptr_t)dispatch_full;
    }
}

/* The site whose call stands at `at`, in its stub or in dispatch_full. */
static uintptr_t site_of(uintptr_t at, const greg_t *registers)
{
    uintptr_t slots = (uintptr_t)dispatch_slots;
    if (at - slots < SLOTS * SLOT_SIZE)
        return ((const struct slot_info *)(slots + ((at - slots) & -SLOT_SIZE) + SLOT_INFO))->back;
    return at - text < text_size ? ((const struct frame *)registers[REG_RBX])->back : 0;
}

uintptr_t dispatch_show_site(siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    uintptr_t stub = (uintptr_t)registers[REG_RIP];
    uintptr_t site = info->si_code == CODE_SECCOMP ? site_of(stub, registers) : 0;
    if (!site)
        return 0;
    info->si_call_addr = (void *)site;
    registers[REG_RIP] = (greg_t)site;
    return stub;
}

void dispatch_hide_site(uintptr_t stub, void *context)
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
