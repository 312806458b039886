/* Paths in the table, each with a place for what was asked for by it. */
#ifndef FILES_PATHS_H
#define FILES_PATHS_H

#include <stdint.h>

/* The number of a path's place, taking one where it has none yet; a relative path is in the folder of that number.
 * COUNTERS_FILE_OTHER where there is no room, or the folder is not known. */
uint32_t paths_find(uint32_t folder, const char *path);

#endif
