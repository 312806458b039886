/* reckon show: the report of a command that still runs. */
#include "calls/modes.h"

#include "calls/options.h"
#include "calls/report/report.h"
#include "calls/words.h"
#include "common/errors.h"
#include "common/memory.h"
#include "live.h"

static const char documentation[] =
    "Show what a command that runs under reckon, countcalls or the bare library has counted so far.\v"
    "PID is any of its processes. Without it the only run that goes on is shown, or a list of several. Nothing is "
    "stopped, signalled or slowed: the counters are read where they are. Runs of others are root's to see.\n\n"
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
        if (settings->pid)
            argp_error(state, "one process, or none");
        settings->pid = live_pid(argument);
        if (settings->pid < 0)
            argp_error(state, "%s: not a process number", argument);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Several runs: which process is to be named for each. */
static void list(struct output *output, const struct lives *runs)
{
    static const struct output_column columns[] = { { "process", true }, { "command", false } };
    struct output_table *table = output_table_new(columns, sizeof columns / sizeof *columns);
    json_t *array = json_array();
    for (size_t i = 0; i < runs->count; i++) {
        json_array_append_new(array, json_pack("{s:i, s:o}", "pid", runs->run[i].pid, "command",
                                               output_json_texts(runs->run[i].command)));
        char *cells[] = { memory_format("%d", runs->run[i].pid), words_text(runs->run[i].command) };
        output_table_take(table, cells);
    }
    if (output->format == OUTPUT_JSON)
        output_json(output, json_pack("{s:i, s:O}", "version", 1, "runs", array));
    else
        output_table_print(table, output);
    json_decref(array);
    output_table_free(table);
}

static int show(const struct settings *settings, const struct lives *runs)
{
    struct output output;
    struct measurement result = { 0 };
    const struct options *common = &settings->calls.common;
    if (runs->count == 1 && live_read(runs->run, &result))
        return EXIT_OURS;
    if (output_open(&output, common->output, common->format)) {
        measure_free(&result);
        return EXIT_OURS;
    }
    if (runs->count == 1) {
        calls_options_apply(&settings->calls, &result);
        report_run(&output, &result);
    } else {
        list(&output, runs);
    }
    measure_free(&result);
    return output_close(&output) ? EXIT_OURS : 0;
}

int show_mode(int argc, char **argv)
{
    static const struct argp_child children[] = { { &options_argp, 0, NULL, 0 },
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
