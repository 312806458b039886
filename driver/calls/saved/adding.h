/* The rows of a report, added to those of a sum. */
#ifndef CALLS_SAVED_ADDING_H
#define CALLS_SAVED_ADDING_H

#include "calls/measure/measure.h"

#include <jansson.h>

struct reports {
    const char *who;              /* asks for them, in messages: "merge" */
    const char *first;            /* whose level, kind of run and times the others must have, too; NULL: none yet */
    size_t files;                 /* reports that were read; a merged one is one here, and all of its parts in `sum` */
    struct measurement sum;       /* without a command where they differ */
    bool timed_known;             /* a row told whether the calls were timed */
    json_t *exits;                /* [{"exit": {"status": 0}, "reports": 4}, ...] */
};

extern const char adding_not_ours[];

/* Say why a report cannot be used. Returns -1. */
int adding_refuse(const struct reports *reports, const char *path, const char *why);

/* Sums stay in the range of JSON's integers; false where they don't, and for negative numbers. */
bool adding_sum(uint64_t *sum, json_int_t value);

/* Add calls to those of report number `file`. */
void adding_note(struct count *row, size_t file, uint64_t calls);

/* Add rows. `part`: of a program or a process, whose rows have no times. Returns 0, or -1 after saying what is wrong. */
int adding_rows(struct reports *reports, struct count_list *list, const char *path, const json_t *from, bool part);

/* When all have been added: put errors and callers in order, and name those without a name. */
void adding_complete(struct count_list *list, bool callers);

#endif
