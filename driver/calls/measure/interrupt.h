/* Signals that reach the driver while a command runs: they are the command's business, and we must still clean up. */
#ifndef CALLS_MEASURE_INTERRUPT_H
#define CALLS_MEASURE_INTERRUPT_H

#include <signal.h>
#include <sys/types.h>

/* From now on SIGINT and SIGQUIT (which the terminal sends to the command too) are only noted, and SIGTERM and
 * SIGHUP from another process are noted and passed on to the command. What was ignored stays ignored. */
void interrupt_begin(void);

/* The dispositions from before interrupt_begin(). */
void interrupt_end(void);

/* In the child, between vfork and exec: give it the dispositions that it would have had without us. */
void interrupt_restore_in_child(void);

/* Who gets the passed-on signals; 0 for nobody. */
void interrupt_set_child(pid_t child);

/* The signal that was noted last, or 0. */
int interrupt_noted(void);

/* End this process by that signal, without a core dump; returns only where a signal cannot kill us (process 1). */
void interrupt_die(int number);

#endif
