/* Who still uses the counters of a command that has ended. */
#ifndef CALLS_MEASURE_USERS_H
#define CALLS_MEASURE_USERS_H

#include "shim/table/file.h"

/* The processes that still have the table mapped, as a new string "make (123), cc1 (456)", and how many they are;
 * NULL for none. */
char *users_of(const struct file *file, size_t *count);

#endif
