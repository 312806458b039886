/* The options that run, compare and ls share: one table, parsed and explained by argp. */
#ifndef CALLS_OPTIONS_H
#define CALLS_OPTIONS_H

#include "common/output.h"
#include "measure.h"

#include <argp.h>

struct calls_options {
    const char *output;           /* NULL: standard output */
    enum output_format format;
    uint32_t flags;               /* enum counters_flags; neither kind of call: no level was given */
    enum count_order order;
    const char *families;         /* NULL: all */
};

/* The flags with the level that is meant where none was given: both, but a whole run loads no library unasked. */
uint32_t calls_options_flags(const struct calls_options *options);

/* For a mode's `children`: -o, --format and --level; and --time, --sort and --family. The mode's parser gives them
 * state->child_inputs, a struct calls_options for each. */
extern const struct argp calls_output_argp, calls_rows_argp;

/* Put the rows of a measurement in order, and keep only those of the families that were asked for. */
void calls_options_apply(const struct calls_options *options, struct measurement *result);

#endif
