/* Whether the program's memory is there: a pointer in a system call may be wrong, and that is the kernel's to say. */
#ifndef DISPATCH_MEMORY_H
#define DISPATCH_MEMORY_H

#include "dispatch/frame.h"

#include <stddef.h>

bool memory_readable(const struct frame *frame, const void *address);     /* eight bytes */
bool memory_writable(void *address, size_t size);

#endif
