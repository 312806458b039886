/* What the parts of dispatch share; offsets that the assembly uses are checked in stub.c. See README.md. */
#ifndef DISPATCH_DISPATCH_H
#define DISPATCH_DISPATCH_H

#define SLOT_SIZE 256
#define SLOTS 1024
#define SLOT_INLINE 160        /* where the `syscall`s of a bracketed stub stand, one for each enum sharing, */
#define INLINE_SIZE 20         /* and how far apart */
#define SLOT_INFO 224          /* struct slot_info */
#define INFO_BACK 0
#define INFO_ERRORS 8
#define INFO_THREAD 16
#define INFO_NUMBER 24

#define RED_ZONE 128
#define FRAME_SIZE 176        /* a multiple of 16 */
#define FRAME_R9 0
#define FRAME_R8 8
#define FRAME_R10 16
#define FRAME_RDX 24
#define FRAME_RSI 32
#define FRAME_RDI 40
#define FRAME_RAX 48           /* the number, then the result */
#define FRAME_BACK 56
#define FRAME_FLAGS 64
#define FRAME_RBX 72
#define FRAME_INFO 80
#define FRAME_NUMBER 88

#define ENTER_CALL 0           /* what dispatch_enter asks for: go on and call, */
#define ENTER_DONE 1           /* return frame->rax without a call, or anything else: jump to that stub */

#ifndef __ASSEMBLER__

#include "../shim.h"

#include <signal.h>

/* One system call on its way through entry.S, on the program's stack below its red zone. */
struct frame {
    long argument[6];          /* r9, r8, r10, rdx, rsi, rdi: see ARGUMENT */
    long rax;
    uintptr_t back;            /* the instruction behind the site's `syscall` */
    unsigned long flags, rbx;
    const struct slot_info *info;
    long number;
    long kept, index;          /* the program's argument in place of which the kernel gets a copy, and which it is */
    uint64_t start;            /* when timed: CLOCK_MONOTONIC in nanoseconds */
    uint64_t copy[4], pair[2]; /* room for the copy: a signal set, an action, the pair of pselect6 */
    bool had;                  /* signals.c: what the kernel does not know of an action or a mask */
};
#define ARGUMENT(frame, n) ((frame)->argument[6 - (n)])   /* n from 1 to 6 */

/* What a stub's assembly needs to know of itself. */
struct slot_info {
    uintptr_t back;            /* where the program goes on */
    uint64_t errors;           /* offset of the row's error counter in a shard */
    uint64_t thread;           /* offset of counters_mine from the thread pointer */
    uint64_t number;
};

/* How a system call has to be treated. */
enum treatment {
    TREAT_PLAIN,               /* counted in the stub itself */
    TREAT_FULL,                /* always through dispatch_enter and dispatch_leave */
    TREAT_BRACKETED,           /* it returns twice: its stub has the stack and registers as they were */
};
enum treatment dispatch_treatment(long number);

/* What the new task of a bracketed call shares with its parent. */
enum sharing {
    SHARES_NOTHING,            /* a fork: memory of its own */
    SHARES_FOR_A_WHILE,        /* vfork, posix_spawn: the parent waits until it executes or exits */
    SHARES_MEMORY,             /* a thread, mostly */
    SHARINGS
};

/* entry.S */
extern char dispatch_full[], dispatch_before[], dispatch_after[], dispatch_error[], dispatch_restorer[], dispatch_return[];
extern char dispatch_slots[];

/* dispatch.c */
extern bool dispatch_armed;
long dispatch_enter(struct frame *frame);
void dispatch_leave(struct frame *frame);
uintptr_t dispatch_before_call(struct frame *frame);        /* which `syscall` of the stub to make */
void dispatch_after_call(struct frame *frame);
void dispatch_signal(int number, siginfo_t *info, void *context);     /* the handler of SIGSYS */
uintptr_t dispatch_show_site(siginfo_t *info, void *context);   /* the program's site instead of its stub ... */
void dispatch_hide_site(uintptr_t stub, void *context);         /* ... and back, where a handler did not go elsewhere */

void dispatch_give_up(const char *why);   /* count at patched sites only */
void dispatch_pause(bool pause);

/* filter.c: seccomp filters, inherited and the program's own. */
extern bool dispatch_sealed;   /* one forbids calls that dispatch makes: it makes none any more */
extern bool dispatch_maskless; /* rt_sigprocmask is among them */
bool filter_kills(uintptr_t text, size_t size);             /* one would kill for arming dispatch: tried in a child */
void filter_enter(struct frame *frame);                     /* around seccomp and prctl */
void filter_leave(struct frame *frame);

/* stub.c: the stub of a site, and the special ones of its calls that return twice. */
uintptr_t stub_find(uintptr_t back, long number);
uintptr_t stub_make(uintptr_t back, long number);   /* finds or makes it; 0: no room, or not allowed any more */
uintptr_t stub_make_now(uintptr_t back, long number);  /* the same where signals are not blocked */
void stub_fork_prepare(void);  /* nobody makes stubs from here ... */
void stub_fork_done(void);     /* ... to here, in parent and child */

/* patch.c */
extern bool dispatch_threads;   /* there are, or may be, several threads */
struct site {
    uint8_t *start;            /* the instruction that the jump replaces */
    uint8_t *call;             /* the `syscall` */
};
bool patch_prove(uintptr_t back, struct site *site);        /* may it be patched, and from where on? */
uint8_t *patch_move(const struct site *site, uint8_t *to, const uint8_t *limit);  /* its instructions, relocated */
void patch_expect_threads(bool tell);    /* before the first of them begins; tell: a call of our own is allowed */
bool patch_jump(const struct site *site, uintptr_t stub);   /* write the jump */
bool patch_writable(uintptr_t start, size_t size, bool writable);

/* island.c */
bool island_reaches(uintptr_t from, uintptr_t to);
uint8_t *island_room(uintptr_t site, size_t bytes);         /* not writable yet; NULL: none within reach */
void island_use(const uint8_t *room, size_t bytes);

/* As the kernel has it. */
struct kernel_action {
    uintptr_t handler;
    unsigned long flags;
    uintptr_t restorer;
    uint64_t mask;
};

/* signals.c: SIGSYS stays ours, and the program sees what it would see without us. */
bool signals_begin(void);
void signals_install(void);    /* our handlers, where the kernel has reset them */
void signals_end(void);        /* undo: dispatch does not work here */
uint64_t signals_mask(int how, uint64_t set);               /* rt_sigprocmask; returns the old mask */
bool signals_readable(const struct frame *frame, const void *address);     /* eight bytes of the program's memory */
bool signals_writable(void *address, size_t size);
bool signals_enter(struct frame *frame);                    /* true: done, frame->rax is the result */
void signals_leave(struct frame *frame);
void signals_forward(int number, siginfo_t *info, void *context);
void signals_before_exec(void);
void signals_after_exec(void);
void signals_lend(void);       /* a child of vfork runs in this thread's place from here ... */
void signals_take_back(void);  /* ... to here */

/* stack.c: alternate signal stacks. */
void stack_begin(void);        /* of a thread */
void stack_end(void);
void stack_enter(struct frame *frame);                      /* sigaltstack, all of it */
bool stack_hidden(int number);                              /* the kernel does not know that this action has SA_ONSTACK */
bool stack_hide(int number, struct kernel_action *action);  /* keep it from the kernel; whether the old one was kept */
void stack_lend(const struct frame *frame);                 /* around a vfork, as above: in the parent before, */
void stack_borrow(const struct frame *frame);               /* in the child, */
void stack_take_back(void);                                 /* in the parent after it */

#endif
#endif
