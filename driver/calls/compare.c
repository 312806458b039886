/* reckon compare: count several commands and set them side by side. */
#include "modes.h"

#include "common/errors.h"
#include "interrupt.h"
#include "options.h"
#include "report.h"
#include "words.h"

#include <stdlib.h>

static const char documentation[] =
    "Count several commands, one after the other, and set them side by side.\v"
    "Each COMMAND is one argument and is split into words as a shell would do it; one that holds any of |;&<>(){} or "
    "sets a variable is run, and counted, as sh -c COMMAND. Standard input and output of the commands are /dev/null. "
    "`-` stands for no call, the ratio is to the first command.\n\n"
    "Examples:\n"
    "  reckon compare 'ls -l' 'ls -1'\n"
    "  reckon compare --family=getxattr,lstat 'ls -l' 'ls -lZ' 'stat *'\n"
    "  reckon compare --format=csv -o grep.csv 'grep -r x .' 'git grep x'";

struct settings {
    struct calls_options common;
    char **texts;
    size_t count;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct settings *settings = state->input;
    (void)argument;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->child_inputs[1] = &settings->common;
        return 0;
    case ARGP_KEY_ARGS:
        settings->texts = state->argv + state->next;
        settings->count = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no commands");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void tables(struct output *output, const struct settings *settings, const struct measurement *results)
{
    enum { NAMES = 40 };   /* the columns of names and families */
    struct report_column *columns = errors_calloc(settings->count, sizeof *columns);
    for (size_t i = 0; i < settings->count; i++)
        columns[i].result = &results[i];
    report_headings(output, columns, (const char *const *)settings->texts, settings->count, NAMES);
    for (int kind = LIBRARY_KIND; kind <= SYSTEM_KIND; kind++) {
        struct report_layout layout = { kind, settings->common.order, true, false };
        report_columns(output, layout, columns, settings->count);
        layout.times = true;
        if (settings->common.flags & COUNTERS_TIME)
            report_columns(output, layout, columns, settings->count);
    }
    report_uncounted(output, columns, settings->count);
    report_free_headings(columns, settings->count);
    free(columns);
}

static json_t *objects(const struct measurement *results, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, report_json(&results[i], false));
    return json_pack("{s:i, s:o}", "version", 1, "commands", array);
}

static int report(const struct settings *settings, const struct measurement *results)
{
    struct output output;
    if (output_open(&output, settings->common.output, settings->common.format))
        return EXIT_OURS;
    if (output.format == OUTPUT_JSON)
        output_json(&output, objects(results, settings->count));
    else if (output.format == OUTPUT_CSV)
        report_csv(&output, results, NULL, settings->count);
    else
        tables(&output, settings, results);
    return output_close(&output) ? EXIT_OURS : 0;
}

/* Count one of the commands; its words live as long as its result. */
static int count_one(const struct settings *settings, const char *text, struct measurement *result)
{
    char **words = words_command(text);
    if (!words) {
        errors_say("compare: an empty command");
        return EXIT_OURS;
    }
    int failure = measure(&(struct launch){ .argv = words, .quiet = true }, calls_options_flags(&settings->common), result);
    result->command = words;
    calls_options_apply(&settings->common, result);
    return failure;
}

int compare_mode(int argc, char **argv)
{
    static const struct argp_child children[] = { { &calls_output_argp, 0, NULL, 0 }, { &calls_rows_argp, 0, NULL, 0 },
                                                  { 0 } };
    static const struct argp argp = { NULL, parse, "'COMMAND A' 'COMMAND B' ...", documentation, children, NULL, NULL };
    struct settings settings = { 0 };
    argp_err_exit_status = EXIT_OURS;
    argp_parse(&argp, argc, argv, 0, NULL, &settings);
    if (output_check(settings.common.output))
        return EXIT_OURS;
    struct measurement *results = errors_calloc(settings.count, sizeof *results);
    int failure = 0;
    interrupt_begin();
    for (size_t i = 0; i < settings.count && !failure && !interrupt_noted(); i++)
        failure = count_one(&settings, settings.texts[i], &results[i]);
    interrupt_end();
    int signal = interrupt_noted();
    if (!failure && !signal)
        failure = report(&settings, results);
    for (size_t i = 0; i < settings.count; i++) {
        words_free(results[i].command);
        measure_free(&results[i]);
    }
    free(results);
    if (signal)
        interrupt_die(signal);
    return failure;
}
