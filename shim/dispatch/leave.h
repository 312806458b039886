/* Out of the program, for good: where counting its system calls would break it. */
#ifndef DISPATCH_LEAVE_H
#define DISPATCH_LEAVE_H

#include <stdbool.h>
#include <stdint.h>

/* Code, signals and stacks are the program's own again, and `why` is said. Other threads may still be in stubs. */
void leave(const char *why);

/* Is this thread data of another library than libc? Stubs find their counters in libc's. */
bool leave_for(uintptr_t thread_data);

#endif
