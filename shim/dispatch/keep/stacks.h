/* Alternate signal stacks: the thread's own, and ours. */
#ifndef DISPATCH_STACKS_H
#define DISPATCH_STACKS_H

#include "dispatch/frame.h"

/* As the kernel has it. */
struct kernel_action {
    uintptr_t handler;
    unsigned long flags;
    uintptr_t restorer;
    uint64_t mask;
};

void stack_begin(void);        /* of a thread */
void stack_end(void);
void stack_enter(struct frame *frame);                      /* sigaltstack, all of it */
bool stack_hidden(int number);                              /* the kernel does not know that this action has SA_ONSTACK */
bool stack_hide(int number, struct kernel_action *action);  /* keep it from the kernel; whether the old one was kept */
void stack_lend(const struct frame *frame);                 /* around a vfork, as above: in the parent before, */
void stack_borrow(const struct frame *frame);               /* in the child, */
void stack_take_back(void);                                 /* in the parent after it */

#endif
