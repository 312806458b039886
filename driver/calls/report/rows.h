/* Rows of calls as table, JSON and CSV. What a row can have is described once, in the table of fields in rows.c. */
#ifndef CALLS_REPORT_ROWS_H
#define CALLS_REPORT_ROWS_H

#include "calls/measure/measure.h"
#include "common/records.h"

enum rows_kind { ROWS_LIBRARY, ROWS_SYSTEM, ROWS_LIBRARY_ERRORS, ROWS_SYSTEM_ERRORS, ROWS_CALLERS };

/* The rows of one kind. */
const struct count_list *rows_list(const struct measurement *result, enum rows_kind kind);

/* The rows of one kind with the fields that this measurement has. */
struct records rows_records(const struct measurement *result, enum rows_kind kind);

/* The same of any list. */
struct records rows_records_of(const struct measurement *result, const struct count_list *list);

/* A table of the rows, as strace -c has them: numbers first, the name last, a total. */
void rows_print(struct output *output, const struct measurement *result, enum rows_kind kind);

#endif
