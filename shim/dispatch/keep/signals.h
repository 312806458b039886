/* SIGSYS stays ours, and the program sees what it would see without us. */
#ifndef DISPATCH_SIGNALS_H
#define DISPATCH_SIGNALS_H

#include "dispatch/frame.h"

#include <signal.h>

bool signals_begin(void (*of_dispatch)(int, siginfo_t *, void *));
void signals_install(void);    /* our handlers, where the kernel has reset them */
void signals_end(void);        /* undo: dispatch does not work here */
bool signals_enter(struct frame *frame);                    /* true: done, frame->rax is the result */
void signals_leave(struct frame *frame);
void signals_forward(int number, siginfo_t *info, void *context);
void signals_before_exec(void);
void signals_after_exec(void);
void signals_lend(void);       /* a child of vfork runs in this thread's place from here ... */
void signals_take_back(void);  /* ... to here */

#endif
