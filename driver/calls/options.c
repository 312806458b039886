/* The options that run, compare and ls share. */
#include "options.h"

#include "common/errors.h"
#include "common/plot.h"

#include <string.h>

/* An argument that is one of several words is named by them: help, completion and the manual's test go by that. */
enum key { KEY_TIME = 0x100, KEY_SORT, KEY_FAMILY, KEY_WHOLE, KEY_PLOT };

static const struct argp_option output_options[] = {
    { "output", 'o', "FILE", 0, "write the report to FILE, not to standard output; %p in it is the process "
      "id, %h the host", 1 },
    { "format", 'f', "table|json|csv", 0, "how to write the report (table)", 1 },
    { "level", 'l', "calls|syscalls|both", 0, "count library calls, system calls, or both (both; with --whole: "
      "syscalls)", 1 },
    { 0 },
};

static const struct argp_option rows_options[] = {
    { "time", KEY_TIME, NULL, 0, "time each call", 1 },
    { "whole", KEY_WHOLE, NULL, 0, "count system calls from execve to exit, static programs too, and wait for all "
      "descendants; several times faster where --level=both has the library loaded", 1 },
    { "plot", KEY_PLOT, "FILE", 0, "draw how long the calls take that cost most, and --time: .svg, .png or .pdf "
      "(gnuplot)", 1 },
    { "sort", KEY_SORT, "calls|errors|name|family", 0, "order of the rows (calls)", 1 },
    { "family", KEY_FAMILY, "LIST", 0, "only calls of these families, separated by commas", 1 },
    { 0 },
};

static bool parse_level(const char *text, uint32_t *flags)
{
    static const struct { const char *name; uint32_t flags; } levels[] = {
        { "calls", COUNTERS_CALLS }, { "syscalls", COUNTERS_SYSCALLS },
        { "both", COUNTERS_CALLS | COUNTERS_SYSCALLS },
    };
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        if (!strcmp(text, levels[i].name)) {
            *flags = (*flags & ~(uint32_t)(COUNTERS_CALLS | COUNTERS_SYSCALLS)) | levels[i].flags;
            return true;
        }
    }
    return false;
}

static error_t parse_output(int key, char *argument, struct argp_state *state)
{
    struct calls_options *options = state->input;
    switch (key) {
    case 'o':
        options->output = argument;
        return 0;
    case 'f':
        if (!output_format_parse(argument, &options->format))
            argp_error(state, "--format: %s: not one of table, json, csv", argument);
        return 0;
    case 'l':
        if (!parse_level(argument, &options->flags))
            argp_error(state, "--level: %s: not one of calls, syscalls, both", argument);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_rows(int key, char *argument, struct argp_state *state)
{
    struct calls_options *options = state->input;
    char *unknown = NULL;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        return 0;
    case KEY_TIME:
        options->flags |= COUNTERS_TIME;
        return 0;
    case KEY_WHOLE:
        options->flags |= COUNTERS_WHOLE;
        return 0;
    case KEY_PLOT:
        options->plot = argument;
        options->flags |= COUNTERS_TIME;
        return 0;
    case KEY_SORT:
        if (!counts_order_parse(argument, &options->order))
            argp_error(state, "--sort: %s: not one of calls, errors, name, family", argument);
        return 0;
    case KEY_FAMILY:
        if (!counts_families_known(argument, &unknown))
            argp_error(state, "--family: %s: no such family; there are %s", unknown, counts_families());
        options->families = argument;
        return 0;
    case ARGP_KEY_ARGS:
        options->arguments = state->argv + state->next;
        options->argument_count = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no command");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child color_children[] = { { &color_argp, 0, NULL, 0 }, { 0 } };
const struct argp calls_output_argp = { output_options, parse_output, NULL, NULL, color_children, NULL, NULL };

void calls_options_parse(struct calls_options *options, int argc, char **argv, unsigned flags, const char *arguments,
                         const char *documentation)
{
    static const struct argp_child children[] = { { &calls_output_argp, 0, NULL, 0 }, { 0 } };
    const struct argp argp = { rows_options, parse_rows, arguments, documentation, children, NULL, NULL };
    argp_err_exit_status = EXIT_OURS;
    argp_parse(&argp, argc, argv, flags, NULL, options);
}

int calls_options_check(const struct calls_options *options)
{
    return options->plot && plot_check(options->plot) ? -1 : output_check(options->output);
}

uint32_t calls_options_flags(const struct calls_options *options)
{
    uint32_t both = COUNTERS_CALLS | COUNTERS_SYSCALLS;
    if (options->flags & both)
        return options->flags;
    return options->flags | (options->flags & COUNTERS_WHOLE ? COUNTERS_SYSCALLS : both);
}

void calls_options_apply(const struct calls_options *options, struct measurement *result)
{
    struct count_list *lists[] = { &result->library, &result->system };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        counts_sort(lists[i], options->order);
        if (options->families)
            counts_keep(lists[i], options->families);
    }
}
