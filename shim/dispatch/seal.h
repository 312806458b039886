/* What the program's seccomp filter forbids the library. */
#ifndef DISPATCH_SEAL_H
#define DISPATCH_SEAL_H

#include <stdbool.h>

extern bool dispatch_sealed;   /* calls that dispatch makes: it makes none any more */
extern bool dispatch_maskless; /* rt_sigprocmask is among them */
extern bool dispatch_mute;     /* getpid, or to write the report */

#endif
