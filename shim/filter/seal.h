/* What dispatch does, and what the program's seccomp filter forbids the library. */
#ifndef FILTER_SEAL_H
#define FILTER_SEAL_H

#include <stdbool.h>
#include <stdint.h>

/* The program has a filter, and a bit for each number that it does not let the library call: kernel_call() asks. */
extern bool kernel_filtered;
extern uint64_t kernel_forbidden[8];

extern bool dispatch_armed;    /* it counts; exit_group comes to it: nothing earlier needs to report */

extern bool dispatch_execs;    /* it sees each exec, in children too: then wrappers prepare none */

/* A filter forbids */
extern bool dispatch_sealed;   /* calls that dispatch makes: it makes none any more */
extern bool dispatch_maskless; /* rt_sigprocmask is among them */
extern bool dispatch_mute;     /* getpid, or to write the report */

#endif
