/* The whole run: every system call of a command and of all its descendants, from execve to exit, static programs too,
 * by a seccomp filter whose notifications a thread of ours receives. The kernel waits for our answer before it goes on
 * with a call, so nothing is missed; what a call returns is not told. */
#ifndef CALLS_WHOLE_SUPERVISOR_H
#define CALLS_WHOLE_SUPERVISOR_H

#include "count.h"

struct supervisor;

/* Start the thread that will receive, and the process that stays if it is killed. `library` and `flags` are as in count_new().
 * Returns NULL after saying what is wrong. */
struct supervisor *supervisor_begin(const char *library, uint32_t flags);

/* In the child that is about to execute the command, after vfork: have it supervised. An errno; filter_obstacle() tells
 * what it means. */
int supervisor_install(const struct supervisor *supervisor);

/* When all supervised processes have ended: stop receiving. Returns what was seen, which count_free() frees. */
struct count_run *supervisor_end(struct supervisor *supervisor);

#endif
