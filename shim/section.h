/* The section of the table that this process has, where programs or processes are told apart. */
#ifndef SHIM_SECTION_H
#define SHIM_SECTION_H

#include "table/counters.h"

#include <sys/types.h>

/* At the beginning of a program; `again`: the table has counted this process, which was another program before. */
void section_begin(struct counters_table *table, int argc, char **argv, pid_t self, bool again);
void section_forked(pid_t self);               /* in a child of fork */

#endif
