/* The options of strace that fingers know, and what does the same here. */
#include "strace.h"

#include "calls/counts.h"
#include "common/memory.h"

#include <stdlib.h>
#include <string.h>

/* strace's classes of calls; those that have a family's name are that family. */
static const struct { const char *name, *families; } classes[] = {
    { "file", "open,lstat" }, { "desc", "close,read,write" }, { "stat", "lstat" }, { "lstat", "lstat" },
    { "fstat", "lstat" }, { "net", "network" }, { "%net", "network" },
};

/* The family of a class or of a call; NULL where there is none. */
static const char *family_of(const char *name)
{
    char *unknown = NULL;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (!strcmp(classes[i].name, name))
            return classes[i].families;
    const char *family = counts_family_of(name);
    if (family)
        return family;
    if (counts_families_known(name, &unknown))
        return name;
    free(unknown);
    return NULL;
}

char *strace_families(const char *expression)
{
    char *families = NULL, *rest, *copy;
    const char *equals = strchr(expression, '=');
    if (equals && strncmp(expression, "trace=", equals - expression + 1) && strncmp(expression, "t=", 2))
        return NULL;
    copy = memory_strdup(equals ? equals + 1 : expression);
    for (char *name = strtok_r(copy, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        const char *family = family_of(name + (*name == '%'));
        if (!family || (families && counts_listed(families, family)))
            continue;
        char *longer = memory_format("%s%s%s", families ? families : "", families ? "," : "", family);
        free(families);
        families = longer;
    }
    free(copy);
    return families;
}

static void answer_expression(const char *expression, const struct argp_state *state)
{
    char *families = strace_families(expression);
    if (families)
        argp_error(state, "strace's -e %s: --family=%s", expression, families);
    else
        argp_error(state, "strace's -e %s: --family=LIST chooses calls by family", expression);
    free(families);
}

error_t strace_parse(int key, const char *argument, const struct argp_state *state)
{
    switch (key) {
    case 'c':
        return 0;
    case 'w':
        argp_error(state, "strace's -w: --time; it is always wall time here");
        return 0;
    case 'S':
        argp_error(state, "strace's -S %s: --sort=%s", argument,
                   !strcmp(argument, "time") || !strcmp(argument, "calls") || !strcmp(argument, "errors") ||
                   !strcmp(argument, "name") ? argument : "calls, errors, name, family or time");
        return 0;
    case 'e':
        answer_expression(argument, state);
        return 0;
    case 'p':
        argp_error(state, "strace's -p %s: what already runs cannot be counted; `reckon show %s` shows a run that is",
                   argument, argument);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
