/* Colours, sparingly: headings and warnings, on a terminal. */
#ifndef COMMON_COLOR_H
#define COMMON_COLOR_H

#include <argp.h>
#include <stdbool.h>

enum color { COLOR_NONE, COLOR_HEADING, COLOR_WARNING };

/* For a mode's `children`: --color=auto|always|never. What it says holds for the whole process. */
extern const struct argp color_argp;

/* Whether to colour what goes to a terminal, or elsewhere: as --color says; for auto, on a terminal that is not dumb
 * and where NO_COLOR (no-color.org) is not set or empty. */
bool color_wanted(bool terminal);

/* The sequence that begins a colour; that of COLOR_NONE ends it. */
const char *color_code(enum color color);

#endif
