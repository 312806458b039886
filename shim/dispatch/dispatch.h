/* System calls, counted in process by Syscall User Dispatch: what the rest of the library has to know. */
#ifndef DISPATCH_DISPATCH_H
#define DISPATCH_DISPATCH_H

#include "filter/seal.h"

#include <stdbool.h>

void dispatch_begin(void);
extern bool dispatch_armed;    /* exit_group comes here: nothing earlier needs to report */

#endif
