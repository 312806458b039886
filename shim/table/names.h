/* The names and families of library calls and system calls. */
#ifndef TABLE_NAMES_H
#define TABLE_NAMES_H

#include "counters.h"

enum { NAMES_SIZE = 40, NAMES_LIBRARY = 28 };

/* Of a library call, in the order of calls.def. */
extern const char names_library[LIBRARY_CALLS][NAMES_LIBRARY];
const char *names_family(size_t call);
const char *names_call(size_t call, char name[NAMES_SIZE]);  /* write the name, return the family */

/* Write the name of a system call and return its family. `architecture` is "" for this machine's own, or what stands
 * before the name: "i386:", whose names are known too, or any other. A number without a name is syscall_NUMBER, where
 * NUMBER is what the kernel takes it for: an int. */
const char *names_system(const char *architecture, int64_t number, char name[NAMES_SIZE]);

/* The same for a row of system calls in a table. */
const char *names_row(const struct counters_table *table, size_t row, char name[NAMES_SIZE]);

#endif
