/* What the program's seccomp filter forbids: set by keep/filters.c, asked by everyone who makes system calls. */
#include "dispatch/seal.h"

bool dispatch_sealed;
bool dispatch_maskless;
bool dispatch_mute;
