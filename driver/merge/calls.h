/* Reports of reckon run and of the bare library, added up. */
#ifndef MERGE_CALLS_H
#define MERGE_CALLS_H

#include "calls/measure/measure.h"
#include "common/output.h"

/* Version of the reports that can be read. */
enum { MERGE_VERSION = 1 };

struct merge_calls {
    const char *first;            /* whose level, kind of run and times the others must have, too; NULL: none yet */
    size_t files;                 /* reports that were read; a merged one is one here, and all of its parts in `sum` */
    struct measurement sum;       /* without a command where they differ */
    bool timed_known;             /* a row told whether the calls were timed */
    json_t *exits;                /* [{"exit": {"status": 0}, "reports": 4}, ...] */
};

/* Add a report that was read from `path`. Returns 0, or -1 after saying why it cannot be added. */
int merge_calls_add(struct merge_calls *merge, const char *path, const json_t *report);
void merge_calls_free(struct merge_calls *merge);

/* Write the sums, in this order of rows and, where asked for, with the calls' spread over the reports. */
void merge_calls_print(struct merge_calls *merge, struct output *output, enum count_order order, bool spread,
                       bool by_errno);

#endif
