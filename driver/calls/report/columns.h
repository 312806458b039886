/* Several commands side by side: names down, commands across. */
#ifndef CALLS_REPORT_COLUMNS_H
#define CALLS_REPORT_COLUMNS_H

#include "calls/measure/measure.h"
#include "common/output.h"
#include "rows.h"

struct column {
    char *heading;
    const struct measurement *result;
};

/* A heading for each column: the command's text, or [1], [2] ... where these texts don't fit the output's width beside
 * `names` columns of names, or the longest of them beside `row` columns of numbers. Prints which is which, and each
 * command's ending that is not success. */
void columns_headings(struct output *output, struct column *columns, const char *const *texts, size_t count,
                      size_t names, size_t row);
void columns_free(struct column *columns, size_t count);

struct columns_layout {
    enum rows_kind kind;
    enum count_order order;
    bool families;    /* a column of families */
    bool times;       /* the time of all calls of a name, instead of their number */
};

/* Names down, commands across, `-` for none, a total and, for more than one command, the ratio to the first. No table
 * where no command has calls of this kind. */
void columns_print(struct output *output, struct columns_layout layout, const struct column *columns, size_t count);

/* The files that were asked for, where they were told apart: how often by each command. */
void columns_files(struct output *output, const struct column *columns, size_t count);

/* What was not counted, for each command that has something to say, or once where all say the same. */
void columns_uncounted(struct output *output, const struct column *columns, size_t count);

#endif
