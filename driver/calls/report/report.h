/* Measurements as tables, JSON and CSV: the texts of run, compare and ls. */
#ifndef CALLS_REPORT_REPORT_H
#define CALLS_REPORT_REPORT_H

#include "calls/measure/measure.h"
#include "common/output.h"

/* A duration in at most six characters: "837ns", "12.3us", "1.24s". A new string. */
char *report_duration(uint64_t ns);

/* The words of a command as one text, quoted where a shell would need it. A new string. */
char *report_command(char *const *words);

/* Why the command ended: "exit status 2" or "signal 9 (Killed)". A new string. */
char *report_ending(int status);

/* The report of one command: two tables and what was not counted. */
void report_run(struct output *output, const struct measurement *result);

/* The object of one command, as README describes it; `version` only where it is the whole text. */
json_t *report_json(const struct measurement *result, bool version);
json_t *report_json_command(char *const *words);
json_t *report_json_rows(const struct count_list *list, bool timed);

/* Several commands side by side. */
struct report_column {
    char *heading;
    const struct measurement *result;
};

enum report_kind { LIBRARY_KIND, SYSTEM_KIND };

/* A heading for each column: the command's text, or [1], [2] ... where these texts don't fit the output's width beside
 * `names` columns of names, or the longest of them beside `row` columns of numbers. Prints which is which, and each
 * command's ending that is not success. */
void report_headings(struct output *output, struct report_column *columns, const char *const *texts, size_t count,
                     size_t names, size_t row);
void report_free_headings(struct report_column *columns, size_t count);

struct report_layout {
    enum report_kind kind;
    enum count_order order;
    bool families;    /* a column of families */
    bool times;       /* the time of all calls of a name, instead of their number */
};

/* Names down, commands across, `-` for none, a total and, for more than one command, the ratio to the first. No table
 * where no command has calls of this kind. */
void report_columns(struct output *output, struct report_layout layout, const struct report_column *columns,
                    size_t count);

/* What was not counted, for each command that has something to say, or once where all say the same. */
void report_uncounted(struct output *output, const struct report_column *columns, size_t count);

/* CSV: one line for each name and command. `files` heads an additional first column where it is not NULL: the number
 * that stands for each result. */
void report_csv(struct output *output, const struct measurement *results, const size_t *files, size_t count);

#endif
