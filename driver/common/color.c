/* Colours, sparingly: headings and warnings, on a terminal. */
#include "color.h"

#include <stdlib.h>
#include <string.h>

static enum color_when chosen = COLOR_AUTO;

void color_choose(enum color_when when)
{
    chosen = when;
}

bool color_wanted(bool terminal)
{
    const char *refused = getenv("NO_COLOR"), *kind = getenv("TERM");
    if (chosen != COLOR_AUTO)
        return chosen == COLOR_ALWAYS;
    return terminal && !(refused && *refused) && !(kind && !strcmp(kind, "dumb"));
}

const char *color_code(enum color color)
{
    static const char *const codes[] = { [COLOR_NONE] = "\033[0m", [COLOR_HEADING] = "\033[1m",
                                         [COLOR_WARNING] = "\033[33m" };
    return codes[color];
}
