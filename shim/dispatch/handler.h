/* The signal that dispatch sends, and what happens around a call that needs C. */
#ifndef DISPATCH_HANDLER_H
#define DISPATCH_HANDLER_H

#include "dispatch/keep/signal_frame.h"

struct delivery dispatch_signal(struct signal_frame *signal);  /* the handler of SIGSYS; called by entry.S */
bool handler_probe(void);                                   /* does the signal come at all? */

#endif
