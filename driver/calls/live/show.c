/* reckon show: the report of a command that still runs. */
#include "calls/modes.h"

#include "calls/options.h"
#include "calls/report/prometheus.h"
#include "calls/report/report.h"
#include "common/exits.h"
#include "common/memory.h"
#include "live.h"

#include <stdlib.h>

static const char documentation[] =
    "Show what a command that runs under reckon, countcalls or the bare library has counted so far.\v"
    "PID is any of its processes. Without it the only run that goes on is shown, or a list of several. Nothing is "
    "stopped, signalled or slowed: the counters are read where they are. Runs of others are root's to see. "
    "--format=prometheus has all of them.\n\n"
    "Examples:\n"
    "  reckon show\n"
    "  reckon show --family=open,read 4711\n"
    "  reckon show -f json -o now.json 4711";

struct settings {
    struct calls_options calls;
    int pid;                       /* 0: none was given */
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct settings *settings = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &settings->calls.common;
        state->child_inputs[1] = &settings->calls;
        return 0;
    case ARGP_KEY_ARG:
        live_argument(&settings->pid, argument, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What a run has counted so far; false where it has no table any more. */
static bool read_run(const struct settings *settings, const struct live *run, struct measurement *result)
{
    struct counters_table *table = live_copy(run);
    if (!table)
        return false;
    live_measure(run, table, result);
    free(table);
    calls_options_apply(&settings->calls, result);
    return true;
}

/* All runs, but those that have ended meanwhile: who collects metrics asks for what there is. */
static void show_metrics(struct output *output, const struct settings *settings, const struct lives *runs)
{
    struct measurement *results = memory_calloc(runs->count, sizeof *results);
    int *pids = memory_calloc(runs->count, sizeof *pids);
    size_t count = 0;
    for (size_t i = 0; i < runs->count; i++) {
        pids[count] = runs->run[i].pid;
        count += read_run(settings, &runs->run[i], &results[count]);
    }
    prometheus_print(output, results, pids, count);
    for (size_t i = 0; i < count; i++)
        measure_free(&results[i]);
    free(pids);
    free(results);
}

static int show(const struct settings *settings, const struct lives *runs)
{
    struct output output;
    struct measurement result = { 0 };
    const struct options *common = &settings->calls.common;
    bool one = runs->count == 1;
    if (one && !read_run(settings, runs->run, &result)) {
        live_say_gone(runs->run);
        return EXIT_OURS;
    }
    if (output_open(&output, common->output, common->format)) {
        measure_free(&result);
        return EXIT_OURS;
    }
    if (common->format == OUTPUT_PROMETHEUS)
        show_metrics(&output, settings, runs);
    else if (one)
        report_run(&output, &result);
    else
        live_list(&output, runs);
    measure_free(&result);
    return output_close(&output) ? EXIT_OURS : 0;
}

int show_mode(int argc, char **argv)
{
    static const struct argp_child children[] = { { &options_metrics_argp, 0, NULL, 0 },
                                                  { &calls_options_choice_argp, 0, NULL, 0 }, { 0 } };
    static const struct argp argp = { NULL, parse, "[PID]", documentation, children, NULL, NULL };
    struct settings settings = { 0 };
    struct lives runs;
    argp_err_exit_status = EXIT_OURS;
    argp_parse(&argp, argc, argv, 0, NULL, &settings);
    if (options_check_files(&settings.calls.common))
        return EXIT_OURS;
    int failure = live_find(&runs, settings.pid) ? EXIT_OURS : show(&settings, &runs);
    live_free(&runs);
    return failure;
}
