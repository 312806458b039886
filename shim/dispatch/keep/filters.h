/* Seccomp filters, inherited and the program's own. */
#ifndef DISPATCH_FILTERS_H
#define DISPATCH_FILTERS_H

#include "dispatch/frame.h"

#include <stddef.h>

bool filter_kills(uintptr_t text, size_t size);             /* one would kill for arming dispatch: tried in a child */
void filter_enter(struct frame *frame);                     /* around seccomp and prctl */
void filter_leave(struct frame *frame);

#endif
