/* What the kernel puts onto a stack for a handler, x86-64: struct rt_sigframe of arch/x86/include/asm/sigframe.h. */
#ifndef DISPATCH_SIGNAL_FRAME_H
#define DISPATCH_SIGNAL_FRAME_H

#include "dispatch/frame.h"

#include <signal.h>
#include <stddef.h>
#include <sys/ucontext.h>

struct signal_frame {
    uintptr_t restorer;                /* where the handler returns to */
    unsigned long flags;               /* from here on what the handler has as its ucontext_t */
    void *link;
    stack_t stack;                     /* the alternate stack, set again when the handler returns */
    greg_t registers[NGREG];           /* by REG_RIP and so on */
    uint8_t *floating;                 /* vector and floating-point state, at a multiple of 64, above this frame */
    uint64_t cookie, shown, resume, frame;  /* words that the kernel leaves alone: of shown.c, */
    union {
        uint64_t current, struck_rax, struck_rbx;
    };
    uint64_t held, struck_rsp, struck_flags;   /* and the gate keeps a mask in `held` */
    uint64_t mask;
    siginfo_t info;
};

_Static_assert(offsetof(struct signal_frame, flags) == SIGNAL_CONTEXT, "entry.S");
_Static_assert(offsetof(struct signal_frame, registers) + REG_RBP * sizeof(greg_t) == SIGNAL_RBP, "entry.S");
_Static_assert(offsetof(struct signal_frame, held) == SIGNAL_HELD, "entry.S");
_Static_assert(offsetof(struct signal_frame, info) == SIGNAL_INFO, "entry.S");
_Static_assert(sizeof(struct signal_frame) == 440, "struct rt_sigframe");

/* Where a handler is to be entered: rax and rdx for entry.S. */
struct delivery {
    struct signal_frame *frame;        /* its frame, perhaps moved */
    uintptr_t handler;                 /* 0: none, back to the program */
};

#endif
