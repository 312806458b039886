/* The whole run: every system call of a command and of all its descendants, from execve to exit, static programs too,
 * by a seccomp filter whose notifications a thread of ours receives (seccomp(2), SECCOMP_RET_USER_NOTIF; seccomp_unotify(2)).
 * The kernel waits for our answer before it goes on with a call, so nothing is missed; what a call returns is not told. */
#ifndef CALLS_WHOLE_SUPERVISOR_H
#define CALLS_WHOLE_SUPERVISOR_H

#include "calls/counts.h"

#include <linux/seccomp.h>
#include <sys/types.h>

struct supervisor;

/* `library` is the path of a preloaded libcount-whole.so, or NULL: the calls of its code at COUNTERS_WHOLE_BASE pass
 * unseen (they are in the counter table), and what the loader does to load it is not counted. Starts the thread that
 * will receive. Returns NULL after saying what is wrong. */
struct supervisor *supervise_begin(const char *library);

/* In the child that is about to execute the command, after vfork: install the filter and hand over its listener. The
 * next system call is the first that is counted. Returns an errno; EBUSY: somebody else listens already. */
int supervise_install(struct supervisor *supervisor);

/* What stands in the way when supervise_install returned `number`: a sentence. */
const char *supervise_obstacle(int number);

/* When all supervised processes have ended: stop receiving. */
void supervise_end(struct supervisor *supervisor);

/* Add what was seen to `list`. Names are the machine's own, or ARCHITECTURE:NAME for programs of another one. */
void supervise_add(const struct supervisor *supervisor, struct count_list *list);
uint64_t supervise_startup(const struct supervisor *supervisor);    /* calls from execve to the end of the loader */
uint32_t supervise_processes(const struct supervisor *supervisor);  /* processes and threads that made a call */
const char *supervise_setuid(const struct supervisor *supervisor);  /* a program that ran without its privilege, or NULL */

/* Count one notification: for supervise_begin's thread, and for tests with made-up ones. */
struct supervisor *supervise_new(const char *library);
void supervise_count(struct supervisor *supervisor, const struct seccomp_notif *notification);
void supervise_free(struct supervisor *supervisor);

#endif
