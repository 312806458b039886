/* The options that run, compare and ls share. */
#include "options.h"

#include "common/errors.h"
#include "common/memory.h"

#include <errno.h>
#include <stdlib.h>

enum key { KEY_TIME = 0x100, KEY_SORT, KEY_FAMILY, KEY_WHOLE, KEY_ERRORS, KEY_BYTES, KEY_CALLERS, KEY_BY, KEY_FILES,
           KEY_DEPTH, KEY_MISSES };

#define GROUPS "program|process|mount"

#define LEVELS "calls|syscalls|both"
#define WAYS "library|kernel"
enum { BOTH = COUNTERS_CALLS | COUNTERS_SYSCALLS, FILES = COUNTERS_PER_FILE | COUNTERS_BYTES };

static const struct argp_option level_options[] = {
    { "level", 'l', LEVELS, 0, "count library calls, system calls, or both (both; with --whole: syscalls)", 1 },
    { 0 },
};

static const struct argp_option rows_options[] = {
    { "time", KEY_TIME, NULL, 0, "time each call", 1 },
    { "whole", KEY_WHOLE, WAYS, OPTION_ARG_OPTIONAL, "count system calls from execve to exit, static programs too, "
      "and wait for all descendants; a library does it faster where one can be loaded, kernel loads none", 1 },
    OPTIONS_PLOT_ROW("draw how long the calls take that cost most, and --time"),
    { "bytes", KEY_BYTES, NULL, 0, "sums of the results that are numbers of bytes", 1 },
    { "callers", KEY_CALLERS, NULL, 0, "which object makes the library calls: the program or a library", 1 },
    { "by", KEY_BY, GROUPS, 0, "the calls of each program, or of each process, too; the files of each mount", 1 },
    { "files", KEY_FILES, NULL, 0, "what was asked for by path, and the sums of each directory", 1 },
    { "depth", KEY_DEPTH, "N", 0, "--files with directories of at most N parts", 1 },
    { "misses", KEY_MISSES, NULL, 0, "--files, only those that were not there", 1 },
    { 0 },
};

static const struct argp_option choice_options[] = {
    CALLS_OPTIONS_SORT_ROW(KEY_SORT),
    CALLS_OPTIONS_ERRORS_ROW(KEY_ERRORS),
    { "family", KEY_FAMILY, "LIST", 0, "only calls of these families, separated by commas", 1 },
    { 0 },
};

/* The help of --family names them. */
static char *help_choice(int key, const char *text, void *input)
{
    (void)input;
    if (key != KEY_FAMILY)
        return (char *)text;
    char *families = counts_families(), *longer = memory_format("%s: %s", text, families);
    free(families);
    return longer;
}

static error_t parse_choice(int key, char *argument, struct argp_state *state)
{
    struct calls_options *options = state->input;
    char *unknown = NULL;
    switch (key) {
    case KEY_ERRORS:
        options->by_errno = true;
        return 0;
    case KEY_SORT:
        options->order = options_word(state, "--sort", CALLS_OPTIONS_ORDERS, argument);
        options->ordered = true;
        return 0;
    case KEY_FAMILY:
        if (!counts_families_known(argument, &unknown))
            argp_error(state, "--family: %s: no such family; there are %s", unknown, counts_families());
        options->families = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_level(int key, char *argument, struct argp_state *state)
{
    static const uint32_t levels[] = { COUNTERS_CALLS, COUNTERS_SYSCALLS, BOTH };
    struct calls_options *options = state->input;
    if (key != 'l')
        return ARGP_ERR_UNKNOWN;
    options->flags &= ~(uint32_t)BOTH;
    options->flags |= levels[options_word(state, "--level", LEVELS, argument)];
    return 0;
}

/* For children that are the options of calls, and then those of every mode. */
static error_t parse_children(int key, char *argument, struct argp_state *state)
{
    (void)argument;
    struct calls_options *options = state->input;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = options;
    state->child_inputs[1] = &options->common;
    return 0;
}

/* Mounts are a grouping of files, and may come with one of the calls. */
static void parse_group(struct calls_options *options, int word)
{
    enum { PROGRAM, PROCESS, MOUNT };
    if (word == MOUNT) {
        options->flags |= FILES;
        options->files.mounts = true;
        return;
    }
    options->flags &= ~(uint32_t)(COUNTERS_BY_PROGRAM | COUNTERS_BY_PROCESS);
    options->flags |= word == PROCESS ? COUNTERS_BY_PROCESS : COUNTERS_BY_PROGRAM;
}

static long parse_depth(const struct argp_state *state, const char *argument)
{
    char *end;
    errno = 0;
    long depth = strtol(argument, &end, 10);
    if (errno || *end || end == argument || depth < 1)
        argp_error(state, "--depth: %s: not a number from 1 on", argument);
    return depth;
}

static error_t parse_rows(int key, char *argument, struct argp_state *state)
{
    struct calls_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->child_inputs[1] = options;
        options->common.format_advice = "strace's -f is not needed: children are always counted";
        return 0;
    case OPTIONS_PLOT:
        options->flags |= COUNTERS_TIME;
        return options_parse(key, argument, state, &options->common);
    case KEY_TIME:
        options->flags |= COUNTERS_TIME;
        return 0;
    case KEY_WHOLE:
        options->flags &= ~(uint32_t)MEASURE_KERNEL;
        options->flags |= COUNTERS_WHOLE;
        if (argument && options_word(state, "--whole", WAYS, argument) == 1)
            options->flags |= MEASURE_KERNEL;
        return 0;
    case KEY_BYTES:
        options->flags |= COUNTERS_BYTES;
        return 0;
    case KEY_CALLERS:
        options->flags |= COUNTERS_CALLERS;
        return 0;
    case KEY_BY:
        parse_group(options, options_word(state, "--by", GROUPS, argument));
        return 0;
    case KEY_DEPTH:
        options->files.depth = parse_depth(state, argument);
        options->flags |= FILES;
        return 0;
    case KEY_MISSES:
        options->files.misses = true;
        /* fall through */
    case KEY_FILES:
        options->flags |= FILES;
        return 0;
    case ARGP_KEY_END:
        if (options->ordered && options->order == ORDER_TIME)
            options->flags |= COUNTERS_TIME;
        if (!options->ordered && options->flags & COUNTERS_TIME)
            options->order = ORDER_TIME;
        if (options->flags & MEASURE_KERNEL && options->flags & COUNTERS_CALLS)
            argp_error(state, "--whole=kernel loads no library, and library calls are counted by one");
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

static const struct argp level_argp = { level_options, parse_level, NULL, NULL, NULL, NULL, NULL };
static const struct argp_child level_children[] = { { &level_argp, 0, NULL, 0 }, { &options_argp, 0, NULL, 0 }, { 0 } };
const struct argp calls_options_argp = { NULL, parse_children, NULL, NULL, level_children, NULL, NULL };

const struct argp calls_options_choice_argp = { choice_options, parse_choice, NULL, NULL, NULL, help_choice, NULL };

static const struct argp_child rows_children[] = { { &level_argp, 0, NULL, 0 }, { &calls_options_choice_argp, 0, NULL, 0 },
                                                   { 0 } };
const struct argp calls_options_rows_argp = { rows_options, parse_rows, NULL, NULL, rows_children, NULL, NULL };

void calls_options_parse(struct calls_options *options, int argc, char **argv, unsigned flags, const char *arguments,
                         const char *documentation)
{
    static const struct argp_child children[] = { { &calls_options_rows_argp, 0, NULL, 0 }, { &options_argp, 0, NULL, 0 },
                                                  { 0 } };
    const struct argp argp = { NULL, parse_children, arguments, documentation, children, NULL, NULL };
    argp_err_exit_status = EXIT_OURS;
    argp_parse(&argp, argc, argv, flags, NULL, options);
}

uint32_t calls_options_flags(const struct calls_options *options)
{
    if (options->flags & BOTH)
        return options->flags;
    return options->flags | (options->flags & COUNTERS_WHOLE ? COUNTERS_SYSCALLS : BOTH);
}

void calls_options_apply(const struct calls_options *options, struct measurement *result)
{
    struct count_list *lists[] = { &result->library, &result->system };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        counts_sort(lists[i], options->order);
        if (options->families)
            counts_keep(lists[i], options->families);
    }
    groups_sort(&result->groups, options->order);
    if (options->families)
        groups_keep(&result->groups, options->families);
    if (options->by_errno)
        measure_by_errno(result);
    result->files_wanted = options->files;
    if (result->flags & COUNTERS_PER_FILE)
        files_complete(&result->files, &options->files);
    if (result->flags & COUNTERS_CALLERS)
        result->callers = counts_by_caller(&result->library);
}
