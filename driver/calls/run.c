/* reckon run: count one command and its children, and compare it with what it made before. */
#include "modes.h"

#include "calls/measure/interrupt.h"
#include "calls/report/latency.h"
#include "calls/report/report.h"
#include "calls/saved/against.h"
#include "calls/saved/reports.h"
#include "common/errors.h"
#include "common/memory.h"
#include "options.h"
#include "strace.h"

#include <stdlib.h>
#include <sys/wait.h>

static const char documentation[] =
    "Count the library calls and system calls of COMMAND and of its children.\v"
    "COMMAND has our standard input, output and error. The report comes when it ends, on standard error, or "
    "where -o says; processes that then still run are named in it, and not waited for.\n\n"
    "With --against the report tells what is not as it was, and is counted as that was. The same command makes the "
    "same calls, so a test can watch over them.\n\n"
    "The exit status is COMMAND's; a signal that kills COMMAND kills reckon too. 3: a row or a total has grown by more "
    "than --fail-over, 125: reckon failed, 126: COMMAND cannot be executed, 127: there is no such COMMAND.\n\n"
    "Examples:\n"
    "  reckon run ls -l\n"
    "  reckon run -o calls.json --format=json --plot=calls.svg -- make -j2\n"
    "  reckon run --against=calls.json --fail-over=5% -- make -j2";

enum key { KEY_AGAINST = 0x800, KEY_FAIL_OVER, KEY_REPEAT, KEY_IGNORE };
enum { REPEAT_MOST = 1000 };

static const struct argp_option table[] = {
    { "against", KEY_AGAINST, "FILE", 0, "tell what is not as in FILE, a JSON report from before", 2 },
    { "fail-over", KEY_FAIL_OVER, "N|N%", 0, "end with status 3 where a row or a total grew by more", 2 },
    { "repeat", KEY_REPEAT, "N", 0, "run it N times, and tell which rows vary by themselves; the least counts", 2 },
    { "ignore", KEY_IGNORE, "LIST", 0, "leave these calls and families out of it, separated by commas", 2 },
    STRACE_ROWS,
    { 0 },
};

struct settings {
    struct calls_options calls;
    const char *against, *ignored;
    struct against_limit limit;
    size_t repeat;
};

/* Metrics are sums under labels, of which there are to be few. */
static void check_metrics(const struct settings *settings, const struct argp_state *state)
{
    if (settings->against)
        argp_error(state, "--format: prometheus: has no place for changes; --against takes the others");
    if (settings->calls.flags & COUNTERS_PER_FILE)
        argp_error(state, "--format: prometheus: paths are no labels; json and csv have the files");
    if (settings->calls.flags & COUNTERS_BY_PROCESS)
        argp_error(state, "--format: prometheus: processes are no labels; programs are: --by=program");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct settings *settings = state->input;
    char *unknown = NULL;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &settings->calls;
        state->child_inputs[1] = &settings->calls.common;
        return 0;
    case KEY_AGAINST:
        settings->against = argument;
        return 0;
    case KEY_FAIL_OVER:
        if (!against_limit_parse(argument, &settings->limit))
            argp_error(state, "--fail-over: %s: neither a whole number of calls nor a percentage", argument);
        return 0;
    case KEY_REPEAT:
        settings->repeat = strtoul(argument, &unknown, 10);
        if (*argument < '0' || *argument > '9' || *unknown || !settings->repeat || settings->repeat > REPEAT_MOST)
            argp_error(state, "--repeat: %s: not a whole number from 1 to %d", argument, REPEAT_MOST);
        return 0;
    case KEY_IGNORE:
        if (!against_names_known(argument, &unknown))
            argp_error(state, "--ignore: %s: neither a call nor a family", unknown);
        settings->ignored = argument;
        return 0;
    case ARGP_KEY_END:
        if (!settings->against && (settings->limit.given || settings->repeat || settings->ignored))
            argp_error(state, "--fail-over, --repeat and --ignore belong to --against=FILE");
        if (settings->calls.common.format == OUTPUT_PROMETHEUS)
            check_metrics(settings, state);
        return 0;
    default:
        return strace_parse(key, argument, state);
    }
}

static int report(const struct settings *settings, const struct measurement *result, const struct against *against)
{
    struct output output;
    const struct options *common = &settings->calls.common;
    int failure = common->plot ? latency_plot(common->plot, result, 1) : 0;
    if (output_open_beside(&output, common->output, common->format))
        return -1;
    if (!against) {
        report_run(&output, result);
    } else if (output.format == OUTPUT_JSON) {
        json_t *object = report_json(result, true);
        json_object_set_new(object, "against", against_json(against));
        output_json(&output, object);
    } else {
        against_print(&output, against, settings->limit);
        for (size_t i = 0; output.format == OUTPUT_TABLE && i < result->uncounted_count; i++)
            report_uncounted(&output, NULL, result->uncounted[i]);
    }
    return output_close(&output) ? -1 : failure;
}

/* Read the report from before; what was not asked for is counted as it was there. */
static int read_before(struct settings *settings, struct reports *before)
{
    before->who = "against";
    return reports_read_one(before, settings->against) ||
           reports_settle(before, settings->against, false, &settings->calls.flags) ? -1 : 0;
}

/* Count it as often as that is wanted, at least once, and while it succeeds. */
static int count(const struct settings *settings, struct measurement *results, size_t *runs)
{
    size_t wanted = settings->repeat ? settings->repeat : 1;
    int failure = 0;
    interrupt_begin();
    for (*runs = 0; *runs < wanted && !failure && !interrupt_noted() && (!*runs || !results[*runs - 1].status);) {
        failure = measure(&(struct launch){ .argv = settings->calls.arguments }, calls_options_flags(&settings->calls),
                          &results[*runs]);
        calls_options_apply(&settings->calls, &results[*runs]);
        ++*runs;
    }
    interrupt_end();
    return failure;
}

/* The status for what was counted: ours, or the command's as waitpid has it, in *status. */
static int conclude(struct settings *settings, struct reports *before, const struct measurement *results, size_t runs,
                    int *status)
{
    struct against against = { 0 };
    if (settings->calls.common.output)
        measure_warn(results);
    *status = results[runs - 1].status;
    if (settings->against) {
        calls_options_apply(&settings->calls, &before->sum);
        against = against_compare(settings->against, &before->sum, results, runs, settings->ignored, settings->limit);
    }
    int failure = report(settings, results, settings->against ? &against : NULL) ? EXIT_OURS : 0;
    if (!failure && against.failed && !WIFSIGNALED(*status))
        failure = EXIT_GREW;
    against_free(&against);
    return failure;
}

int run_mode(int argc, char **argv)
{
    static const struct argp_child children[] = { { &calls_options_rows_argp, 0, NULL, 0 },
                                                  { &options_metrics_argp, 0, NULL, 0 }, { 0 } };
    static const struct argp argp = { table, parse, "[--] COMMAND [ARG...]", documentation, children, NULL, NULL };
    struct settings settings = { 0 };
    struct reports before = { 0 };
    size_t runs = 0;
    int status = 0;
    argp_err_exit_status = EXIT_OURS;
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &settings);
    if (options_check_files(&settings.calls.common) || (settings.against && read_before(&settings, &before))) {
        reports_free(&before);
        return EXIT_OURS;
    }
    struct measurement *results = memory_calloc(settings.repeat ? settings.repeat : 1, sizeof *results);
    int failure = count(&settings, results, &runs);
    if (!failure)
        failure = conclude(&settings, &before, results, runs, &status);
    for (size_t i = 0; i < runs; i++)
        measure_free(&results[i]);
    free(results);
    reports_free(&before);
    if (failure)
        return failure;
    if (WIFSIGNALED(status))
        interrupt_die(WTERMSIG(status));
    return launch_exit_status(status);
}
