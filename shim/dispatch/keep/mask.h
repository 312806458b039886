/* The calling thread's signal mask, as the kernel has it. */
#ifndef DISPATCH_MASK_H
#define DISPATCH_MASK_H

#include <signal.h>
#include <stdint.h>

uint64_t mask_change(int how, uint64_t set);                /* rt_sigprocmask; returns the old mask */

#endif
