/* Alternate signal stacks: the kernel has ours, the program's handlers run on its own. */
#ifndef DISPATCH_STACKS_H
#define DISPATCH_STACKS_H

#include "dispatch/keep/signal_frame.h"

void stacks_begin(bool thread); /* of a thread, or of a program: the kernel gets ours */
void stacks_end(void);
void stacks_share(void);       /* a task begins that has this thread's data, too */
void stacks_leave(void);       /* the kernel gets the program's */
void stacks_enter(struct frame *frame);                     /* sigaltstack, all of it */

/* A handler's frame where the kernel would have put it without us, with the alternate stack that the program has set;
 * `alternate`: its action has SA_ONSTACK; sp: the stack pointer where the signal struck. NULL: it does not fit there. */
struct signal_frame *stacks_deliver(struct signal_frame *frame, uintptr_t sp, bool alternate);
void stacks_return(struct signal_frame *frame);             /* the kernel is to have ours when the handler has returned */

void stacks_lend(void);        /* a child of vfork runs with our thread data from here ... */
void stacks_take_back(void);   /* ... to here */

#endif
