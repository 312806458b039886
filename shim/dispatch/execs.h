/* Around the system calls that execute a program, whoever makes them. */
#ifndef DISPATCH_EXECS_H
#define DISPATCH_EXECS_H

#include "dispatch/frame.h"

void execs_enter(struct frame *frame);
void execs_leave(struct frame *frame);   /* it has failed */

#endif
