/* reckon ls: the article's experiment: ls -l, ls -1 and ls side by side. */
#include "calls/modes.h"

#include "calls/measure/interrupt.h"
#include "calls/options.h"
#include "calls/words.h"
#include "common/errors.h"
#include "common/memory.h"
#include "experiment.h"
#include "plot.h"
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_DEFAULT = 20, FILES_AT_MOST = 1000000, RUNS_AT_MOST = 1000 };

static const char documentation[] =
    "Count and time `ls -l`, `ls -1` and `ls` in a directory of empty files sample.1, sample.2 ..., side by side.\v"
    "The directory is made in $TMPDIR or /tmp and removed at the end. Output of ls goes to /dev/null. The times are "
    "those of further runs without counting, in random order. Calls per file are the slope between the smallest "
    "and the largest of several sizes, or between one file and N.\n\n"
    "Examples:\n"
    "  reckon ls\n"
    "  reckon ls --files=20,100,1000,10000 --plot=ls.svg\n"
    "  reckon ls --variant=-l --variant='-l --color=always' --directory=/usr/bin";

enum key { KEY_FILES = 0x200, KEY_VARIANT, KEY_DIRECTORY, KEY_LS, KEY_RUNS, KEY_ARTICLE };

static const struct argp_option table[] = {
    { "files", KEY_FILES, "N[,N...]", 0, "how many files, each 1 to 1000000 (20)", 0 },
    { "variant", KEY_VARIANT, "ARGS", 0, "arguments of ls to try; repeat it for more (-l, -1, and none)", 0 },
    { "directory", KEY_DIRECTORY, "DIR", 0, "list DIR as it is, instead of a directory of sample files", 0 },
    { "article", KEY_ARTICLE, NULL, 0, "the article's figures of 2006 beside today's system calls, by family", 0 },
    { "ls", KEY_LS, "PATH", 0, "the ls to try (ls)", 0 },
    OPTIONS_PLOT_ROW("draw calls and time against files"),
    { "runs", KEY_RUNS, "R", 0, "timed runs of each variant, 1 to 1000 (10 or more, for at least a second)", 0 },
    { 0 },
};

struct settings {
    struct calls_options calls;
    const char *ls;
    const char **arguments;      /* of each variant */
    size_t variants;
    struct experiment experiment;
};

/* A whole number from 1 to `limit` up to the end of `text` or a comma; *end is where it ends. 0 if it is none. */
static size_t parse_number(const char *text, size_t limit, char **end)
{
    errno = 0;
    unsigned long value = strtoul(text, end, 10);
    if (*text < '0' || *text > '9' || errno || value > limit || (**end && **end != ','))
        return 0;
    return value;
}

static int ascending(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static void parse_files(const char *text, struct experiment *experiment, struct argp_state *state)
{
    size_t kept = 0;
    char *end = (char *)text - 1;
    experiment->sizes = 0;
    do {
        size_t files = parse_number(end + 1, FILES_AT_MOST, &end);
        if (!files) {
            argp_error(state, "--files: %s: not a list of whole numbers from 1 to %d", text, FILES_AT_MOST);
            return;
        }
        experiment->size = memory_realloc(experiment->size, experiment->sizes + 1, sizeof *experiment->size);
        experiment->size[experiment->sizes++] = files;
    } while (*end);
    qsort(experiment->size, experiment->sizes, sizeof *experiment->size, ascending);
    for (size_t i = 0; i < experiment->sizes; i++)
        if (!kept || experiment->size[i] != experiment->size[kept - 1])
            experiment->size[kept++] = experiment->size[i];
    experiment->sizes = kept;
}

static void parse_runs(const char *text, struct experiment *experiment, struct argp_state *state)
{
    char *end;
    experiment->rounds = parse_number(text, RUNS_AT_MOST, &end);
    if (!experiment->rounds || *end)
        argp_error(state, "--runs: %s: not a whole number from 1 to %d", text, RUNS_AT_MOST);
}

static void add_variant(struct settings *settings, const char *arguments)
{
    settings->arguments = memory_realloc(settings->arguments, settings->variants + 1, sizeof *settings->arguments);
    settings->arguments[settings->variants++] = arguments;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct settings *settings = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &settings->calls;
        return 0;
    case KEY_FILES:
        parse_files(argument, &settings->experiment, state);
        return 0;
    case KEY_VARIANT:
        add_variant(settings, argument);
        return 0;
    case KEY_DIRECTORY:
        settings->experiment.directory = argument;
        return 0;
    case KEY_ARTICLE:
        settings->experiment.article = true;
        return 0;
    case KEY_LS:
        settings->ls = argument;
        return 0;
    case OPTIONS_PLOT:
        return options_parse(key, argument, state, &settings->calls.common);
    case KEY_RUNS:
        parse_runs(argument, &settings->experiment, state);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "%s: an argument too many", argument);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* "ls" and its arguments; NULL after saying what is wrong with them. */
static char **variant_words(const char *ls, const char *arguments)
{
    size_t count = 0;
    char **split = words_split(arguments);
    if (!split) {
        errors_say("ls: --variant: %s: not arguments of one command", arguments);
        return NULL;
    }
    while (split[count])
        count++;
    char **words = memory_calloc(count + 2, sizeof *words);
    words[0] = memory_strdup(ls);
    memcpy(words + 1, split, count * sizeof *words);
    free(split);
    return words;
}

static int prepare(struct settings *settings)
{
    struct experiment *experiment = &settings->experiment;
    struct stat status;
    if (experiment->directory && experiment->sizes) {
        errors_say("ls: --files and --directory exclude each other");
        return -1;
    }
    int missing = experiment->directory && stat(experiment->directory, &status) ? errno : 0;
    if (missing || (experiment->directory && !S_ISDIR(status.st_mode))) {
        errors_say_errno(missing ? missing : ENOTDIR, "directory: %s", experiment->directory);
        return -1;
    }
    if (!experiment->sizes) {
        experiment->size = memory_calloc(1, sizeof *experiment->size);
        experiment->size[0] = FILES_DEFAULT;
        experiment->sizes = 1;
    }
    if (!settings->variants) {
        add_variant(settings, "-l");
        add_variant(settings, "-1");
        add_variant(settings, "");
    }
    experiment->flags = calls_options_flags(&settings->calls);
    experiment->flags |= experiment->flags & COUNTERS_CALLS ? COUNTERS_CALLERS : 0;
    experiment->variant = memory_calloc(settings->variants, sizeof *experiment->variant);
    for (size_t i = 0; i < settings->variants; i++) {
        char **words = variant_words(settings->ls, settings->arguments[i]);
        if (!words)
            return -1;
        experiment->variant[experiment->variants++] = (struct variant){ words, words_text(words) };
    }
    return options_check_files(&settings->calls.common);
}

static int run(struct settings *settings)
{
    struct output output;
    interrupt_begin();
    int failure = experiment_run(&settings->experiment);
    interrupt_end();
    if (failure || interrupt_noted())
        return failure;
    if (settings->calls.common.plot && ls_plot(settings->calls.common.plot, &settings->experiment))
        failure = EXIT_OURS;
    if (output_open(&output, settings->calls.common.output, settings->calls.common.format))
        return EXIT_OURS;
    ls_report(&output, &settings->experiment);
    return output_close(&output) ? EXIT_OURS : failure;
}

int ls_mode(int argc, char **argv)
{
    static const struct argp_child children[] = { { &calls_options_argp, 0, NULL, 0 }, { 0 } };
    static const struct argp argp = { table, parse, NULL, documentation, children, NULL, NULL };
    struct settings settings = { .ls = "ls" };
    argp_err_exit_status = EXIT_OURS;
    argp_parse(&argp, argc, argv, 0, NULL, &settings);
    int failure = prepare(&settings) ? EXIT_OURS : run(&settings);
    experiment_free(&settings.experiment);
    free(settings.arguments);
    if (interrupt_noted())
        interrupt_die(interrupt_noted());
    return failure;
}
