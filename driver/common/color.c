/* Colours, sparingly: headings and warnings, on a terminal. */
#include "color.h"

#include <stdlib.h>
#include <string.h>

enum when { AUTO, ALWAYS, NEVER };

static enum when when = AUTO;

enum key { KEY_COLOR = 0x400 };

static const struct argp_option options[] = {
    { "color", KEY_COLOR, "auto|always|never", OPTION_ARG_OPTIONAL,
      "colour headings and warnings (auto: on a terminal, unless NO_COLOR is set; a bare --color is always)", 1 },
    { 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    static const char *const names[] = { [AUTO] = "auto", [ALWAYS] = "always", [NEVER] = "never" };
    if (key != KEY_COLOR)
        return ARGP_ERR_UNKNOWN;
    const char *name = argument ? argument : names[ALWAYS];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!strcmp(name, names[i])) {
            when = (enum when)i;
            return 0;
        }
    }
    argp_error(state, "--color: %s: not one of auto, always, never", name);
    return 0;
}

const struct argp color_argp = { options, parse, NULL, NULL, NULL, NULL, NULL };

bool color_wanted(bool terminal)
{
    const char *refused = getenv("NO_COLOR"), *kind = getenv("TERM");
    if (when != AUTO)
        return when == ALWAYS;
    return terminal && !(refused && *refused) && !(kind && !strcmp(kind, "dumb"));
}

const char *color_code(enum color color)
{
    static const char *const codes[] = { [COLOR_NONE] = "\033[0m", [COLOR_HEADING] = "\033[1m",
                                         [COLOR_WARNING] = "\033[33m" };
    return codes[color];
}
