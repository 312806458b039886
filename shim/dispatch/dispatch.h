/* System calls, counted in process by Syscall User Dispatch: what the rest of the library has to know. */
#ifndef DISPATCH_DISPATCH_H
#define DISPATCH_DISPATCH_H

void dispatch_begin(void);

#endif
