/* A system call on its way through the assembly, and the stubs' layout. Offsets that the assembly uses are checked in
 * code/stub.c. */
#ifndef DISPATCH_FRAME_H
#define DISPATCH_FRAME_H

#define SLOT_SIZE 256
#define SLOTS 1024
#define SLOT_INLINE 160        /* where the `syscall`s of a bracketed stub stand, one for each enum sharing, */
#define INLINE_SIZE 20         /* and how far apart */
#define SLOT_INFO 224          /* struct slot_info */
#define INFO_BACK 0

#define RED_ZONE 128
#define SAVED_I386 24          /* bytes that the stub of an int $0x80 pushes */
#define FRAME_SIZE 368
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
#define FRAME_RBP 96
#define FRAME_R12 104
#define FRAME_R13 112
#define FRAME_R14 120
#define FRAME_R15 128
#define FRAME_KEPT 136
#define FRAME_RESUMED 152

#define GATES 512              /* different handlers that a program can have */
#define SIGNAL_CONTEXT 8       /* offsets in struct signal_frame */
#define SIGNAL_RBP 128
#define SIGNAL_HELD 280
#define SIGNAL_INFO 312

/* What a signal that strikes in entry.S finds, from one REGION to the next. */
#define REGION_NONE 0          /* nothing is to be shown */
#define REGION_PLAIN 1         /* the stack is the program's, r11 the site's end or slot_info */
#define REGION_LOWERED 2       /* it is below the red zone and a frame */
#define REGION_PUSHED 3        /* eight bytes lower */
#define REGION_KEPT 4          /* as LOWERED, and rbx is in the frame */
#define REGION_RBX 5           /* rbx is the frame */
#define REGION_RSP 6           /* rsp is */
#define REGION_RCX 7           /* all is the program's, rcx is where it goes on, */
#define REGION_R11 8           /* r11 is the place in a stub where it goes on */
#define REGION_ERROR 9         /* dispatch_error: below the red zone, */
#define REGION_ERROR_PUSHED 10 /* the flags are pushed */
#define REGION_GATE 11         /* the beginning of a handler */
#define REGION_GATE_R9 12      /* the same, and r9 is the signal's number, */
#define REGION_I386 14         /* dispatch_error_i386 */
#define REGION_GATE_GO 13      /* and r8 the handler */

#define ENTER_CALL 0           /* what dispatch_enter asks for: go on and call, */
#define ENTER_DONE 1           /* return frame->rax without a call, or anything else: jump to that stub */

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

/* One system call on its way through entry.S, on the program's stack below its red zone. */
struct frame {
    long argument[6];          /* r9, r8, r10, rdx, rsi, rdi: see ARGUMENT */
    long rax;
    uintptr_t back;            /* the instruction behind the site's `syscall` */
    unsigned long flags, rbx;
    const struct slot_info *info;
    long number;
    unsigned long rbp, r12, r13, r14, r15;   /* the program's; C keeps them where nobody knows */
    long kept, index;          /* the program's argument in place of which the kernel gets a copy, and which it is */
    uintptr_t resumed;         /* what dispatch_current is to be behind this call: rt_sigreturn may go back into C */
    uint64_t start;            /* when timed: CLOCK_MONOTONIC in nanoseconds */
    uint64_t copy[4], pair[2]; /* room for the copy: a signal set, an action, the pair of pselect6 */
    bool had;                  /* signals.c: what the kernel does not know of a mask */
    long struck[18];           /* the registers where a signal struck in C: r8 to r15, rdi ... as in a signal frame */
};
#define ARGUMENT(frame, n) ((frame)->argument[6 - (n)])   /* n from 1 to 6 */

/* What a stub's assembly needs to know of itself. */
struct slot_info {
    uintptr_t back;            /* where the program goes on */
    uint64_t row;              /* of the table: number, or another row for an int $0x80 */
    uint64_t thread;           /* offset of counters_mine from the thread pointer */
    uint64_t number;
};

/* What the new task of a bracketed call shares with its parent. */
enum sharing {
    SHARES_NOTHING,            /* a fork: memory of its own */
    SHARES_FOR_A_WHILE,        /* vfork, posix_spawn: the parent waits until it executes or exits */
    SHARES_MEMORY,             /* a thread, mostly */
    SHARINGS
};

/* arch/x86_64/entry.S */
extern char dispatch_full[], dispatch_before[], dispatch_after[], dispatch_error[], dispatch_restorer[], dispatch_return[];
extern char dispatch_slots[], dispatch_gates[], dispatch_gate_go[], dispatch_sigsys[], dispatch_restorer_on[];
extern char dispatch_full_called[], dispatch_error_i386[];

/* What it calls: handler.c, keep/signals.c */
long dispatch_enter(struct frame *frame);
void dispatch_leave(struct frame *frame);
void dispatch_failed(struct frame *frame);                  /* a plain stub's call, by rax */
void dispatch_failed_i386(const struct slot_info *info, long result);
/* and tasks.c. */
uintptr_t dispatch_before_call(struct frame *frame);        /* which `syscall` of the stub to make */
void dispatch_after_call(struct frame *frame);
extern _Thread_local uintptr_t dispatch_current;            /* the frame that C runs for, | 1 behind the call; 0: none */

#endif

#endif
