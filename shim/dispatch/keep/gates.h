/* Gates: what the kernel knows in place of the program's signal handlers. */
#ifndef DISPATCH_GATES_H
#define DISPATCH_GATES_H

#include <stddef.h>
#include <stdint.h>

uintptr_t gates_close(uintptr_t handler);    /* what the kernel gets; SIG_DFL and SIG_IGN are themselves */
uintptr_t gates_open(uintptr_t address);     /* the program's handler for what the kernel has */
uintptr_t gates_handler(size_t gate);        /* by its number */

#endif
