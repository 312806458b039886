/* What a table does not hold, in words: the lines under "uncounted". */
#ifndef TABLE_REASONS_H
#define TABLE_REASONS_H

#include "counters.h"
#include "text.h"

/* Add the n-th line that a table has to say, without an end of line. False behind the last. */
bool reasons_line(struct text *text, const struct counters_table *table, size_t n);

#endif
