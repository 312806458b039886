/* Processes that the table has counted, and their end. Counting itself needs nothing here (the table is shared and
 * adding is atomic); this keeps the number of processes and the root's report.
 *
 * A child of vfork or of clone(CLONE_VM) runs in its parent's memory: what is written here for a child must not be
 * written for such a one. It is recognised by its process id, which is not the one that was counted. */
#ifndef SHIM_PROCESS_H
#define SHIM_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

void process_begin(pid_t counted);
pid_t process_self(void);
pid_t process_counted(void);             /* the calling process, 0 where the table has not counted it */
void process_seen(void);                 /* count this process if it was not */
void process_born(void);                 /* in a child of fork, whose number may be its parent's: both may be process 1 of their namespace */
void process_child(void);                /* the same in a wrapper, where dispatch may have done it */
void process_ending(int status);         /* this process is about to leave */
void process_task_ending(void);          /* the calling task alone is */
void process_forked(unsigned long flags, long number);   /* clone or fork returned 0 */

#ifdef SYS_fork
#define PROCESS_FORK SYS_fork
#else
#define PROCESS_FORK (-1)
#endif

#endif
