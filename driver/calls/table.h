/* What a counter table says, as lists of named rows. Pure: reads memory, does no input or output. The table has been
 * checked with counters_fits(). */
#ifndef CALLS_TABLE_H
#define CALLS_TABLE_H

#include "groups.h"
#include "shim/table/counters.h"

/* The rows with at least one call, in the table's order. */
struct count_list table_library(const struct counters_table *table);
void table_system(const struct counters_table *table, struct count_list *list);  /* adds to what is there */

/* The same by program or by process, of the levels in `flags`. Adds to what is there. */
void table_groups(const struct counters_table *table, uint32_t flags, struct count_groups *groups);

#endif
