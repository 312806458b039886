/* Which calls return a number of bytes. */
#ifndef TABLE_BYTES_H
#define TABLE_BYTES_H

#include "counters.h"

bool bytes_library(size_t call);
bool bytes_system(int64_t number);   /* of this machine's own */

#endif
