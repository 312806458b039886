/* Options that several modes have, so that each is told and parsed once: --output, --format, --plot and --color. */
#ifndef COMMON_OPTIONS_H
#define COMMON_OPTIONS_H

#include "output.h"

#include <argp.h>

struct options {
    const char *output;            /* NULL: where the mode reports without it */
    const char *plot;              /* NULL: no picture */
    enum output_format format;
    const char *format_advice;     /* NULL, or what to say to who gives another as -f: this mode is no strace */
};

/* For a mode's `children`: --output, --format and --color. Its input is a struct options. */
extern const struct argp options_argp;

/* The same with one format more, prometheus. */
extern const struct argp options_metrics_argp;

/* --color alone; no input. */
extern const struct argp options_color_argp;

/* For a mode's own table: --plot, whose text says what is drawn. The mode's parser passes it on to options_parse(). */
enum { OPTIONS_PLOT = 0x400 };
#define OPTIONS_PLOT_ROW(what) { "plot", OPTIONS_PLOT, "FILE", 0, what ": .svg, .png or .pdf (gnuplot)", 1 }

/* What the argument of --output, --format or --plot means; ARGP_ERR_UNKNOWN for any other key. */
error_t options_parse(int key, char *argument, struct argp_state *state, struct options *options);

/* The place of `argument` among `words`, "table|json|csv": an option's words as help and completion have them. For
 * another argument the program says so and ends with argp_err_exit_status. */
unsigned options_word(const struct argp_state *state, const char *option, const char *words, const char *argument);

/* Whether report and picture can be written where they are wanted. Returns 0, or -1 after saying what is wrong. */
int options_check_files(const struct options *options);

#endif
