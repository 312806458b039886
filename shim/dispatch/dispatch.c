/* System calls by Syscall User Dispatch. */
#include "../shim.h"
void dispatch_begin(void) { }
