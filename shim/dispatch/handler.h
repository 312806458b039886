/* The signal that dispatch sends, and what happens around a call that needs C. */
#ifndef DISPATCH_HANDLER_H
#define DISPATCH_HANDLER_H

#include "dispatch/frame.h"

#include <signal.h>

void dispatch_signal(int number, siginfo_t *info, void *context);     /* the handler of SIGSYS */
bool handler_probe(void);                                   /* does the signal come at all? */

#endif
