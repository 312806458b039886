/* The options that run, compare and ls share: one table, parsed and explained by argp. */
#ifndef CALLS_OPTIONS_H
#define CALLS_OPTIONS_H

#include "calls/measure/measure.h"
#include "common/output.h"

#include <argp.h>

struct calls_options {
    const char *output;           /* NULL: standard output */
    const char *plot;             /* NULL: no picture */
    enum output_format format;
    uint32_t flags;               /* enum counters_flags; neither kind of call: no level was given */
    enum count_order order;
    const char *families;         /* NULL: all */
    char **arguments;             /* what follows the options */
    size_t argument_count;
};

/* The flags with the level that is meant where none was given: both, but a whole run loads no library unasked. */
uint32_t calls_options_flags(const struct calls_options *options);

/* For a mode's `children`: -o, --format, --level and --color. Its input is a struct calls_options. */
extern const struct argp calls_output_argp;

/* All of run and compare: those, --time, --plot, --sort and --family, and at least one argument, described by
 * `arguments`. */
void calls_options_parse(struct calls_options *options, int argc, char **argv, unsigned flags, const char *arguments,
                         const char *documentation);

/* Whether the results can be written where they are wanted. Returns 0, or -1 after saying what is wrong. */
int calls_options_check(const struct calls_options *options);

/* Put the rows of a measurement in order, and keep only those of the families that were asked for. */
void calls_options_apply(const struct calls_options *options, struct measurement *result);

#endif
