/* The errors of a row by name, in the report of the bare library. */
#ifndef REPORT_ERRORS_H
#define REPORT_ERRORS_H

#include "table/text.h"

/* `row` counts library calls first, then system calls; one behind the last, such as the total, has no names. */

/* "  (ENOENT 17, EACCES 1)" in at most `room` characters: what does not fit is "...". Nothing where there are none. */
void errors_put(struct text *text, size_t row, uint64_t errors, size_t room);
void errors_put_json(struct text *text, size_t row, uint64_t errors);  /* a member of the row's object, if any */
void errors_put_csv(struct text *text, size_t row, uint64_t errors);   /* a field, with the comma before it */

#endif
