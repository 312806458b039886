/* A command's counts against those of a report from before: what grew, shrank, is new or gone. */
#ifndef CALLS_SAVED_AGAINST_H
#define CALLS_SAVED_AGAINST_H

#include "calls/measure/measure.h"
#include "common/output_json.h"

/* Growth that is still let pass: so many calls, or so many percent of what was there before. */
struct against_limit {
    bool given, percent;
    double value;
};

struct against_row {
    const char *name, *family;
    bool system;              /* a system call; else a library call */
    bool total;               /* of all rows of this kind that are not ignored */
    uint64_t before;
    uint64_t after, most;     /* the least and the most of all runs: a row has grown where its least has */
    bool over;                /* it grew by more than the limit */
};

struct against {
    const char *path;         /* of the report from before */
    const struct measurement *before;
    size_t runs;
    struct against_row *row;  /* library calls, then system calls, a total behind those of each kind that was counted */
    size_t count;
    bool failed;              /* a row is over the limit */
};

/* "10" or "2.5%"; false for anything else. */
bool against_limit_parse(const char *text, struct against_limit *limit);

/* Whether each name of a comma-separated list is a family or a call; else *unknown is a new string with the first that
 * is not. */
bool against_names_known(const char *names, char **unknown);

/* Compare; `ignored`, such a list or NULL, is left out. Pure. What it points to stays the caller's. */
struct against against_compare(const char *path, const struct measurement *before, const struct measurement *runs,
                               size_t count, const char *ignored, struct against_limit limit);
void against_free(struct against *against);

/* What differs, as a table with what follows from it in words, or as CSV. */
void against_print(struct output *output, const struct against *against, struct against_limit limit);

/* {"command": [...], "rows": [{"name", "kind", "before", "after"}], "failed": false} */
json_t *against_json(const struct against *against);

#endif
