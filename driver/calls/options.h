/* The options that run, compare and ls share: one table, parsed and explained by argp. */
#ifndef CALLS_OPTIONS_H
#define CALLS_OPTIONS_H

#include "common/output.h"
#include "measure.h"

#include <argp.h>

struct calls_options {
    const char *output;           /* NULL: standard output */
    enum output_format format;
    uint32_t flags;               /* enum counters_flags */
    enum count_order order;
    const char *families;         /* NULL: all */
};

extern const struct calls_options calls_options_default;

/* For a mode's `children`: -o, --format and --level; and --time, --sort and --family. The mode's parser gives them
 * state->child_inputs, a struct calls_options for each. */
extern const struct argp calls_output_argp, calls_rows_argp;

/* Put the rows of a measurement in order, and keep only those of the families that were asked for. */
void calls_options_apply(const struct calls_options *options, struct measurement *result);

#endif
