/* Calls that a signal has interrupted while they waited for the supervisor, so that they never began: they are made
 * again when the signal's handler returns, as the kernel does it for calls that it has not begun itself. */
#ifndef CALLS_WHOLE_RESTART_H
#define CALLS_WHOLE_RESTART_H

#include "tasks.h"

#include <linux/seccomp.h>

struct restart {
    uint64_t last;       /* the notification that was received last */
    uint64_t missing;    /* the last number before it that nobody has received */
    bool handled;        /* there may be a handler whose signal interrupts calls */
};

/* A notification was received, of a call of this machine's own architecture or another; before it is answered. */
void restart_notice(struct restart *restart, const struct tasks *tasks, struct thread *thread,
                    const struct seccomp_notif *notification, bool own);

/* The call that `code`, the bytes before an address, makes there: its number, or -1 where they don't tell. */
enum { RESTART_CODE = 10 };
int restart_number(const unsigned char code[RESTART_CODE]);

/* The same where instructions that have nothing to do with it stand between; only of calls that never wait, for
 * EINTR is no result of theirs. */
enum { RESTART_BEFORE = 48 };
int restart_number_before(const unsigned char code[RESTART_BEFORE]);

#endif
