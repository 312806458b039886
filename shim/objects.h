/* The loader's list of what it has mapped: the program first, then libraries in the order of loading. */
#ifndef OBJECTS_H
#define OBJECTS_H

#include <link.h>
#include <stdbool.h>

const struct link_map *objects_first(void);
bool objects_musl(void);  /* the loader is musl's */

#endif
