/* The lock under which code is written. */
#ifndef DISPATCH_LOCK_H
#define DISPATCH_LOCK_H

#include <stdbool.h>
#include <sys/types.h>

/* Signals are blocked wherever it is held, so that no handler ever waits for its own thread. `repair` undoes what a
 * holder that died has left half done. */
bool lock_try(void (*repair)(void));     /* never waits */
bool lock_wait(void (*repair)(void));    /* waits for a live holder, which the kernel lends our priority; false: it cannot */
void lock_release(void);
void lock_forget(void);                  /* in a child of fork: there is nobody else */
void lock_survive(pid_t child, void (*repair)(void)); /* a child of vfork is gone, perhaps with the lock */

#endif
