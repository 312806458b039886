/* The stub of a site, and the special ones of its calls that return twice. */
#ifndef DISPATCH_STUB_H
#define DISPATCH_STUB_H

#include <stdbool.h>
#include <stdint.h>

uintptr_t stub_find(uintptr_t back, long number);
uintptr_t stub_make(uintptr_t back, long number);   /* finds or makes it; 0: no room, or not allowed any more */
uintptr_t stub_make_now(uintptr_t back, long number);  /* the same where signals are not blocked */
void stub_fork_prepare(void);  /* nobody makes stubs from here ... */
void stub_fork_done(void);     /* ... to here, in parent and child */

#endif
