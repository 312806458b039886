/* Files, directories and mounts, as tables, JSON and CSV. */
#ifndef CALLS_REPORT_FILES_H
#define CALLS_REPORT_FILES_H

#include "columns.h"

/* Tables of those that were asked for most. Nothing where files were not told apart. */
void report_files_print(struct output *output, const struct measurement *result);

/* The same files of several commands side by side: how often each was asked for. */
void report_files_columns(struct output *output, const struct column *columns, size_t count);

/* Add "files", "directories", "mounts", "files_other" and "files_unnamed". */
void report_files_json(json_t *object, const struct measurement *result);

/* Add lines to a table of rows of calls, whose first columns are `texts` with the kind in the last. */
void report_files_csv(struct output_table *table, const struct measurement *result, const char **texts, size_t count);

#endif
