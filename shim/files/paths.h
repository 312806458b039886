/* Paths in the table, each with a place for what was asked for by it. */
#ifndef FILES_PATHS_H
#define FILES_PATHS_H

#include "table/counters.h"

/* To begin with, where the table tells files apart. */
void paths_begin(struct counters_table *table);

/* The number of a path's file, which is made where there is none yet; a relative path is in the folder of that number.
 * COUNTERS_FILE_OTHER where there is no room, or the folder is not known. */
uint32_t paths_find(uint32_t folder, const char *path);

struct counters_file *paths_file(uint32_t number);

#endif
