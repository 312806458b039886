/* What a supervisor does not see, or takes away: calls that a program's own seccomp filter answers, and privilege that a
 * file would give. Each function returns a new sentence, or NULL where there is nothing to say. */
#ifndef CALLS_WHOLE_BLIND_H
#define CALLS_WHOLE_BLIND_H

#include "tasks.h"

#include <linux/seccomp.h>

/* Before each call of this machine's own architecture: whether the thread has got a filter that refuses calls by an
 * error, a signal or death, which takes effect before the supervisor is asked. */
char *blind_filter(struct thread *thread, const struct seccomp_data *call);

/* The same at the end, where the last call of a thread was the one that installed a filter. */
char *blind_last_filter(struct thread *thread);

/* At a call that executes a program: the privilege of its file, which nobody gains who is supervised. */
char *blind_privilege(const struct thread *thread, const struct seccomp_data *call);

#endif
