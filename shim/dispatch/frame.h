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

/* What the new task of a bracketed call shares with its parent. */
enum sharing {
    SHARES_NOTHING,            /* a fork: memory of its own */
    SHARES_FOR_A_WHILE,        /* vfork, posix_spawn: the parent waits until it executes or exits */
    SHARES_MEMORY,             /* a thread, mostly */
    SHARINGS
};

/* arch/x86_64/entry.S */
extern char dispatch_full[], dispatch_before[], dispatch_after[], dispatch_error[], dispatch_restorer[], dispatch_return[];
extern char dispatch_slots[];

/* What it calls: handler.c, */
long dispatch_enter(struct frame *frame);
void dispatch_leave(struct frame *frame);
/* and tasks.c. */
uintptr_t dispatch_before_call(struct frame *frame);        /* which `syscall` of the stub to make */
void dispatch_after_call(struct frame *frame);

#endif

#endif
