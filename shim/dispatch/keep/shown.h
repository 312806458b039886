/* What a handler sees of a signal that struck in the library's own code: the program's site. */
#ifndef DISPATCH_SHOWN_H
#define DISPATCH_SHOWN_H

#include "dispatch/keep/signal_frame.h"

#include <stdbool.h>

/* Did it strike where another signal waits at a gate? Whose, and that signal's number. */
bool shown_at_gate(const struct signal_frame *frame, size_t *gate, int *number);

void shown_begin(struct signal_frame *frame);   /* show the site, */
uintptr_t shown_end(struct signal_frame *frame);  /* and back to our code, where the handler did not go elsewhere;
                                                 * returns what dispatch_current is there */

#endif
