/* Which object made a library call. */
#ifndef WRAP_CALLERS_H
#define WRAP_CALLERS_H

#include "table/counters.h"

void callers_begin(void);

/* Count a call of `call` that returns to `address`. */
void callers_count(enum library_call call, const void *address);

#endif
