/* JSON reports of reckon run and of the bare library, read and added up. */
#ifndef CALLS_SAVED_REPORTS_H
#define CALLS_SAVED_REPORTS_H

#include "adding.h"

/* Version of the reports that can be read. */
enum { REPORTS_VERSION = 1 };

/* Add a report that was read from `path`. Returns 0, or -1 after saying why it cannot be added. */
int reports_add(struct reports *reports, const char *path, const json_t *report);

/* Whether the text is a report of the version that is read here. Returns 0, or -1 after saying what it is instead. */
int reports_version(const char *who, const char *path, const json_t *report);

/* Say that what was read from `path` is no JSON and, where it is another format from its start, why that is not read. */
void reports_say_no_json(const char *who, const char *path, const json_error_t *error);

/* The one report that a file holds, as what `run` would have counted. Returns 0, or -1 after saying what is wrong. */
int reports_read_one(struct reports *reports, const char *path);

/* What is to be counted beside such a report: as it was counted, where nothing else is wanted. Returns 0, or -1 after
 * saying that `flags` (enum counters_flags; no kind of call: none was asked for) want another kind of run. `settled`:
 * another report was asked before, so that a run that is not whole is meant to be so. */
int reports_settle(const struct reports *reports, const char *path, bool settled, uint32_t *flags);

/* When all have been added: each row tells its calls in every report, and its errors in order. */
void reports_complete(struct reports *reports);
void reports_free(struct reports *reports);

#endif
