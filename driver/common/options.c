/* Options that several modes have: their texts, and what they mean. */
#include "options.h"

#include "memory.h"
#include "plot.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_COLOR = OPTIONS_PLOT + 1 };

/* An argument that is one of several words is named by them: help, completion and the manual's test go by that. */
#define FORMATS "table|json|csv"
#define METRICS FORMATS "|prometheus"
#define COLORS "auto|always|never"

#define TABLE(formats) \
    { "output", 'o', "FILE", 0, "write the report to FILE; %p in it is the process id, %h the host, and - is " \
      "standard output", 1 }, \
    { "format", 'f', formats, 0, "how to write the report (table)", 1 }, \
    { 0 }
static const struct argp_option table[] = { TABLE(FORMATS) }, metrics_table[] = { TABLE(METRICS) };

static const struct argp_option color_table[] = {
    { "color", KEY_COLOR, COLORS, OPTION_ARG_OPTIONAL,
      "colour headings and warnings (auto: on a terminal, unless NO_COLOR is set; a bare --color is always)", 1 },
    { 0 },
};

/* The same, with some advice for another argument, or NULL. */
static unsigned word_or(const struct argp_state *state, const char *option, const char *words, const char *argument,
                        const char *advice)
{
    unsigned place = 0;
    for (const char *word = words; *word; place++) {
        size_t length = strcspn(word, "|");
        if (length == strlen(argument) && !strncmp(word, argument, length))
            return place;
        word += length + (word[length] == '|');
    }
    char *list = memory_strdup(words);
    for (char *bar; (bar = strchr(list, '|'));) {
        char *longer = memory_format("%.*s, %s", (int)(bar - list), list, bar + 1);
        free(list);
        list = longer;
    }
    argp_error(state, "%s: %s: not one of %s%s%s", option, argument, list, advice ? "; " : "", advice ? advice : "");
    free(list);
    return 0;
}

unsigned options_word(const struct argp_state *state, const char *option, const char *words, const char *argument)
{
    return word_or(state, option, words, argument, NULL);
}

static error_t parse_any(int key, char *argument, struct argp_state *state, struct options *options, const char *formats)
{
    switch (key) {
    case 'o':
        options->output = argument;
        return 0;
    case 'f': {
        bool letter = state->next >= 2 && !strcmp(state->argv[state->next - 2], "-f");
        options->format = word_or(state, "--format", formats, argument, letter ? options->format_advice : NULL);
        return 0;
    }
    case OPTIONS_PLOT:
        options->plot = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

error_t options_parse(int key, char *argument, struct argp_state *state, struct options *options)
{
    return parse_any(key, argument, state, options, FORMATS);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    return options_parse(key, argument, state, state->input);
}

static error_t parse_metrics(int key, char *argument, struct argp_state *state)
{
    return parse_any(key, argument, state, state->input, METRICS);
}

static error_t parse_color(int key, char *argument, struct argp_state *state)
{
    if (key != KEY_COLOR)
        return ARGP_ERR_UNKNOWN;
    color_choose(argument ? options_word(state, "--color", COLORS, argument) : COLOR_ALWAYS);
    return 0;
}

const struct argp options_color_argp = { color_table, parse_color, NULL, NULL, NULL, NULL, NULL };
static const struct argp_child children[] = { { &options_color_argp, 0, NULL, 0 }, { 0 } };
const struct argp options_argp = { table, parse, NULL, NULL, children, NULL, NULL };
const struct argp options_metrics_argp = { metrics_table, parse_metrics, NULL, NULL, children, NULL, NULL };

int options_check_files(const struct options *options)
{
    return options->plot && plot_check(options->plot) ? -1 : output_check(options->output);
}
