/* The options that run, compare and ls share: one table, parsed and explained by argp. */
#ifndef CALLS_OPTIONS_H
#define CALLS_OPTIONS_H

#include "calls/measure/measure.h"
#include "common/options.h"

struct calls_options {
    struct options common;
    uint32_t flags;               /* enum counters_flags; neither kind of call: no level was given */
    enum count_order order;
    bool ordered;                 /* an order was given */
    const char *families;         /* NULL: all */
    bool by_errno;                /* rows by error */
    struct files_wanted files;    /* where COUNTERS_PER_FILE is among the flags */
    char **arguments;             /* what follows the options */
    size_t argument_count;
};

/* The flags with the level that is meant where none was given: both, but a whole run counts system calls. */
uint32_t calls_options_flags(const struct calls_options *options);

/* For a mode's `children`: --output, --format, --color and --level. Its input is a struct calls_options. */
extern const struct argp calls_options_argp;

/* For a mode's own table: --sort, whose argument is one of these words, in the order of enum count_order. */
#define CALLS_OPTIONS_ORDERS "calls|errors|name|family|time"
#define CALLS_OPTIONS_SORT_ROW(key) \
    { "sort", key, CALLS_OPTIONS_ORDERS, 0, "order of the rows (calls; with --time: time)", 1 }

/* And --errors. */
#define CALLS_OPTIONS_ERRORS_ROW(key) { "errors", key, NULL, 0, "rows by error: which calls failed with it", 1 }

/* --sort, --errors and --family, which choose of what was counted; the same input. */
extern const struct argp calls_options_choice_argp;

/* What run and compare share: --level, those, --time, --plot, --bytes, --callers, --by, --files, --depth and --misses, and
 * at least one argument. The same input; calls_options_parse() is for a mode that has no more than these and --output,
 * --format and --color, and whose arguments are described by `arguments`. */
extern const struct argp calls_options_rows_argp;
void calls_options_parse(struct calls_options *options, int argc, char **argv, unsigned flags, const char *arguments,
                         const char *documentation);

/* Put the rows of a measurement in order, and keep only those of the families that were asked for. */
void calls_options_apply(const struct calls_options *options, struct measurement *result);

#endif
