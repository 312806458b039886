/* Colours, sparingly: headings and warnings, on a terminal. */
#ifndef COMMON_COLOR_H
#define COMMON_COLOR_H

#include <stdbool.h>

enum color { COLOR_NONE, COLOR_HEADING, COLOR_WARNING };
enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* When to colour, in the whole process: COLOR_AUTO unless something else is said. */
void color_choose(enum color_when when);

/* Whether to colour what goes to a terminal, or elsewhere; for COLOR_AUTO, on a terminal that is not dumb and where
 * NO_COLOR (no-color.org) is not set or empty. */
bool color_wanted(bool terminal);

/* The sequence that begins a colour; that of COLOR_NONE ends it. */
const char *color_code(enum color color);

#endif
