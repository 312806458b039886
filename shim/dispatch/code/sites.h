/* Which site has which stub. */
#ifndef DISPATCH_SITES_H
#define DISPATCH_SITES_H

#include "dispatch/code/stub.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Where a call of that number at that site goes on; 0: nowhere but dispatch_full. */
uintptr_t sites_find(uintptr_t back, long number);
uintptr_t sites_make(uintptr_t back, long number);   /* makes it where there is none, in a handler: signals are blocked; */
uintptr_t sites_make_now(uintptr_t back, long number);  /* where they are not, for a call that cannot do without: waits */
uintptr_t sites_make_i386(uintptr_t back, long number);  /* of an int $0x80, whose stub makes it; 0: there is none */
uintptr_t sites_moved(uintptr_t back);  /* the moved instructions of the site that is being written just before `back`, or 0 */
void sites_learn(uintptr_t back, long number);       /* this site, which has a stub, makes calls of this number, too */

void sites_fork_prepare(void);  /* nobody makes stubs from here ... */
void sites_fork_done(bool child);  /* ... to here, in parent and child */
void sites_survive(pid_t child);  /* a child of vfork is gone, perhaps while it made a stub */

void sites_retire(long number);  /* calls of this number, which were plain, go through C */
void sites_leave(void);        /* all code is as it was */
bool sites_place(uintptr_t at, struct stub_place *place);  /* is that address in a stub, and where? */

#endif
