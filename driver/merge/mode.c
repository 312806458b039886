/* reckon merge: add up the JSON reports of many processes and hosts. */
#include "mode.h"

#include "calls/options.h"
#include "common/errors.h"
#include "gauss.h"
#include "calls.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char documentation[] =
    "Add up JSON reports of `reckon run` and of the bare library: calls and errors by name, processes, and what was "
    "not counted. Or the shares of a Gaussian workload, from `reckon gauss local --stream=I/N`.\v"
    "FILE may hold several reports one after the other; `-` is standard input. Reports add up that were counted in "
    "the same way: same level, all or none of them timed, all or none whole runs. JSON has the shape of run's and "
    "can be merged again. Nothing is written where a report cannot be used (exit status 125).\n\n"
    "Examples:\n"
    "  reckon merge --spread node*.json\n"
    "  reckon merge --format=json -o all.json monday.json tuesday.json\n"
    "  seq 4 | xargs -I{} reckon run -o - -f json true {} | reckon merge -";

enum key { KEY_SORT = 0x400, KEY_SPREAD, KEY_ERRORS };

static const struct argp_option table[] = {
    CALLS_OPTIONS_SORT_ROW(KEY_SORT),
    CALLS_OPTIONS_ERRORS_ROW(KEY_ERRORS),
    { "spread", KEY_SPREAD, NULL, 0, "the least, median and most calls of a report, too", 1 },
    { 0 },
};

struct settings {
    struct options common;
    enum count_order order;
    bool spread, by_errno;
    char **files;
    size_t count;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct settings *settings = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &settings->common;
        return 0;
    case KEY_SORT:
        settings->order = options_word(state, "--sort", CALLS_OPTIONS_ORDERS, argument);
        return 0;
    case KEY_ERRORS:
        settings->by_errno = true;
        return 0;
    case KEY_SPREAD:
        settings->spread = true;
        return 0;
    case ARGP_KEY_ARGS:
        settings->files = state->argv + state->next;
        settings->count = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no files");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What was read: one kind of report or the other. */
struct merge {
    struct reports calls;
    struct merge_gauss gauss;
};

static int add_report(struct merge *sum, const char *path, const json_t *report)
{
    if (reports_version("merge", path, report))
        return -1;
    bool gauss = json_object_get(report, "histogram");
    const char *other = gauss ? sum->calls.first : sum->gauss.first;
    if (other) {
        errors_say("merge: %s: a report of %s, and %s is one of %s", path, gauss ? "reckon gauss" : "calls", other,
                   gauss ? "calls" : "reckon gauss");
        return -1;
    }
    return gauss ? merge_gauss_add(&sum->gauss, path, report) : reports_add(&sum->calls, path, report);
}

/* Whether something other than white space follows. */
static bool more(FILE *stream)
{
    int c;
    do {
        c = getc(stream);
    } while (isspace(c));
    return c != EOF && ungetc(c, stream) != EOF;
}

static int read_stream(struct merge *sum, const char *path, FILE *stream)
{
    int failure = 0;
    if (!more(stream) && !ferror(stream)) {
        errors_say("merge: %s: empty", path);
        return -1;
    }
    do {
        json_error_t error;
        json_t *report = json_loadf(stream, JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &error);
        if (!report && !ferror(stream))
            reports_say_no_json("merge", path, &error);
        failure = report ? add_report(sum, path, report) : -1;
        json_decref(report);
    } while (!failure && more(stream));
    if (ferror(stream)) {
        errors_say_errno(errno, "merge: %s", path);
        failure = -1;
    }
    return failure;
}

static int read_file(struct merge *sum, const char *path)
{
    if (!strcmp(path, "-"))
        return read_stream(sum, "standard input", stdin);
    FILE *stream = fopen(path, "re");
    if (!stream) {
        errors_say_errno(errno, "merge: %s", path);
        return -1;
    }
    int failure = read_stream(sum, path, stream);
    fclose(stream);
    return failure;
}

static int write_sum(struct merge *sum, const struct settings *settings)
{
    struct output output;
    if (sum->gauss.first && merge_gauss_check(&sum->gauss))
        return -1;
    if (sum->gauss.first && (settings->spread || settings->by_errno)) {
        errors_say("merge: %s: %s has no calls", settings->spread ? "--spread" : "--errors", sum->gauss.first);
        return -1;
    }
    if (sum->gauss.first)
        return merge_gauss_write(&sum->gauss, settings->common.output, settings->common.format);
    if (output_open(&output, settings->common.output, settings->common.format))
        return -1;
    merge_calls_print(&sum->calls, &output, settings->order, settings->spread, settings->by_errno);
    return output_close(&output);
}

int merge_mode(int argc, char **argv)
{
    static const struct argp_child children[] = { { &options_argp, 0, NULL, 0 }, { 0 } };
    static const struct argp argp = { table, parse, "FILE...", documentation, children, NULL, NULL };
    struct settings settings = { 0 };
    struct merge sum = { .calls.who = "merge" };
    argp_err_exit_status = EXIT_OURS;
    argp_parse(&argp, argc, argv, 0, NULL, &settings);
    int failure = options_check_files(&settings.common);
    for (size_t i = 0; i < settings.count && !failure; i++)
        failure = read_file(&sum, settings.files[i]);
    if (!failure)
        failure = write_sum(&sum, &settings);
    reports_free(&sum.calls);
    merge_gauss_free(&sum.gauss);
    return failure ? EXIT_OURS : 0;
}
