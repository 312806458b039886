/* Measurements as text for people, JSON and CSV: what run, compare, ls and merge say alike. */
#ifndef CALLS_REPORT_REPORT_H
#define CALLS_REPORT_REPORT_H

#include "calls/measure/measure.h"
#include "common/output_json.h"

/* Why the command ended: "exit status 2" or "signal 9 (Killed)". A new string. */
char *report_ending(int status);

/* The report of one command: two tables and what was not counted. */
void report_run(struct output *output, const struct measurement *result);

/* The tables and sentences of report_run(), whatever the format. */
void report_tables(struct output *output, const struct measurement *result);

/* The object of one command, as README describes it; `version` only where it is the whole text. */
json_t *report_json(const struct measurement *result, bool version);

/* A line about something that was not counted; `where` is the column that lacks it, or NULL. */
void report_uncounted(struct output *output, const char *where, const char *text);

/* CSV: one line for each name and command. `files` heads an additional first column where it is not NULL: the number
 * that stands for each result. */
void report_csv(struct output *output, const struct measurement *results, const size_t *files, size_t count);

#endif
