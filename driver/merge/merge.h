/* Adding up the reports of other modes: what reckon merge has read so far, by kind of report. */
#ifndef MERGE_MERGE_H
#define MERGE_MERGE_H

#include "calls/counts.h"
#include "common/output.h"

/* Version of the reports that can be read. */
enum { MERGE_VERSION = 1 };

/* A name, in all reports so far. */
struct merge_row {
    struct count sum;             /* p50 and p99 stay 0: they do not follow from those of the parts */
    uint64_t *calls;              /* of each report; those beyond `reports` have none */
    size_t reports;
};

struct merge_rows {
    struct merge_row *row;
    size_t count;
    json_t *index;                /* name: its row's number */
};

/* Reports of reckon run and of the bare library. */
struct merge_calls {
    const char *first;            /* whose level, kind of run and times the others must have, too; NULL: none yet */
    size_t files;                 /* reports that were read; a merged one counts as one here, */
    uint64_t reports, processes;  /* and as all of its parts here */
    char *level;
    bool whole, timed, timed_known;
    bool startup_known;           /* by all of them */
    uint64_t startup;
    json_t *command;              /* the common one, or [] */
    json_t *exits;                /* [{"exit": {"status": 0}, "reports": 4}, ...] */
    json_t *uncounted;            /* each text once */
    struct merge_rows library, system;
};

/* Add a report that was read from `path`. Returns 0, or -1 after saying why it cannot be added. */
int merge_calls_add(struct merge_calls *sum, const char *path, const json_t *report);
void merge_calls_free(struct merge_calls *sum);

/* Write the sums, in this order of rows and, where asked for, with the calls' spread over the reports. */
void merge_calls_print(struct merge_calls *sum, struct output *output, enum count_order order, bool spread);

#endif
