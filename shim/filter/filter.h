/* Seccomp filters, inherited and the program's own. */
#ifndef FILTER_FILTER_H
#define FILTER_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool filter_kills(uintptr_t text, size_t size);             /* one would kill for arming dispatch: tried in a child */

/* Around a call of seccomp or prctl with these first three arguments. */
void filter_enter(long number, long a, long b, long c);
void filter_leave(long number, long a, long b, long result);

bool filter_forbids_start(void);  /* would one of the program's kill for what the library calls in what is executed next? */

#endif
