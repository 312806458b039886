/* The library that is loaded into a command: its file, the name that LD_PRELOAD has for it, the environment with it. */
#ifndef CALLS_MEASURE_LIBRARY_H
#define CALLS_MEASURE_LIBRARY_H

#include <stdbool.h>

/* The file `name` beside this program (the build tree), in the lib folder beside its folder, or where it was installed.
 * A new string, or NULL; `what` is then said to be missing, where it is not NULL. */
char *library_find(const char *name, const char *what);

/* Whether a library can count system calls here: the kernel has Syscall User Dispatch. */
bool library_dispatches(void);

/* Is it loaded into this program, too? */
bool library_counts_us(void);

/* A name of `library` without the characters at which LD_PRELOAD is split or expanded: `library` itself, or a symbolic
 * link to it beside `table`, or in /dev/shm or /tmp, which library_unlink() removes. A new string, or NULL after saying
 * what is wrong. */
char *library_name(const char *library, const char *table);
void library_unlink(const char *library, const char *name);

/* Our own environment with what loads the library `name`, in a `whole` run where it is linked, and shows it its table:
 * one piece of memory. */
char **library_environment(const char *name, const char *table, bool whole);

#endif
