/* Files, directories and mounts, as tables, JSON and CSV. */
#ifndef CALLS_REPORT_FILES_H
#define CALLS_REPORT_FILES_H

#include "calls/measure/measure.h"
#include "common/output_json.h"

/* Tables of those that were asked for most. Nothing where files were not told apart. */
void report_files_print(struct output *output, const struct measurement *result);

/* What fits of a path, or of its end: that says most. A new string. */
char *report_files_path(const void *row, size_t room);

enum { REPORT_FILES = 20 };   /* lines of a table of them */

/* Add "files", "directories", "mounts", "files_other" and "files_unnamed". */
void report_files_json(json_t *object, const struct measurement *result);

/* Add lines to a table of rows of calls, whose first columns are `texts` with the kind in the last. */
void report_files_csv(struct output_table *table, const struct measurement *result, const char **texts, size_t count);

#endif
