/* Where a program begins: what its loader does before, from execve on, is program start. */
#ifndef CALLS_WHOLE_START_H
#define CALLS_WHOLE_START_H

#include "tasks.h"

#include <linux/seccomp.h>

enum start_answer {
    START_EXECUTED = 1,     /* an exec, which was counted before, has succeeded */
    START_LOADER = 2,       /* this call is program start */
    START_OURS = 4,         /* the loader loads our library by it: nobody else's doing */
};

/* What a call of this machine's own architecture is (`own`), or of another: bits of enum start_answer. `library` is the
 * path of a preloaded library, or NULL. */
unsigned start_notice(struct thread *thread, const struct seccomp_data *call, bool own, const char *library);

/* Whether a call executes a program. */
bool start_executes(const struct seccomp_data *call, bool own);

#endif
