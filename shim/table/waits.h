/* Which calls wait for something else to happen: a child, a time, a message. They are told apart by what they are, not by
 * CPU time: the vDSO has no clock of a thread's, so that would be two system calls more around each call, dearer than
 * most of those that are timed. */
#ifndef TABLE_WAITS_H
#define TABLE_WAITS_H

#include "counters.h"

/* System calls that read and write wait where their descriptor, the first argument, is what others feed or empty: a
 * pipe, a socket, a terminal, or what has no type (eventfd, timerfd, signalfd). */
enum waits { WAITS_NEVER, WAITS_ALWAYS, WAITS_BY_DESCRIPTOR };

enum waits waits_system(int64_t number);
bool waits_library(size_t call);     /* always; what else waits in a function is told by its system calls */

/* Whether such a descriptor is one of those. Asks fstat(2). */
bool waits_descriptor(long descriptor);

#endif
