/* SIGSYS stays ours, and the program sees what it would see without us. */
#ifndef DISPATCH_SIGNALS_H
#define DISPATCH_SIGNALS_H

#include "dispatch/keep/signal_frame.h"

bool signals_begin(void);
void signals_install(void);    /* our handlers, where the kernel has reset them */
void signals_leave_all(void);  /* the kernel gets the program's actions and mask */
void signals_end(void);        /* undo: dispatch does not work here */
bool signals_enter(struct frame *frame);                    /* true: done, frame->rax is the result */
void signals_leave(struct frame *frame);
struct delivery signals_forward(struct signal_frame *signal);          /* a SIGSYS that dispatch has not sent */
struct delivery signals_deliver(struct signal_frame *signal, size_t gate);  /* any other signal; called by entry.S */
void signals_before_exec(void);
void signals_after_exec(void);
void signals_lend(void);       /* a child of vfork runs in this thread's place from here ... */
void signals_take_back(void);  /* ... to here */

#endif
