/* What the program's seccomp filter forbids: set by filter.c, asked by everyone who makes system calls. */
#include "filter/seal.h"

bool kernel_filtered;
uint64_t kernel_forbidden[8];
bool dispatch_armed;
bool dispatch_execs;
bool dispatch_sealed;
bool dispatch_maskless;
bool dispatch_mute;
