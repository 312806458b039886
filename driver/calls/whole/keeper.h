/* A process that holds a listener, too: should the supervisor be killed, it lets the calls of those who live on pass.
 * Without it each of them would fail with ENOSYS. */
#ifndef CALLS_WHOLE_KEEPER_H
#define CALLS_WHOLE_KEEPER_H

#include <stdint.h>
#include <sys/types.h>

struct keeper {
    pid_t process;
    int socket;                     /* through which it gets the listener */
    int life;                       /* closed by the kernel when the supervisor ends, however */
    _Atomic uint64_t *received;     /* the last notification that the supervisor has received; shared memory */
};

/* Start it. Returns 0 or an errno. */
int keeper_begin(struct keeper *keeper);

/* In the child that is about to be supervised: it must not keep the supervisor's life going. */
void keeper_leave(const struct keeper *keeper);

/* There is nobody left to be kept: it ends. */
void keeper_end(struct keeper *keeper);

#endif
