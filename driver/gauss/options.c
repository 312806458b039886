/* The options that the parts of reckon gauss share. */
#include "options.h"

#include "common/errors.h"
#include "common/plot.h"
#include "common/quantity.h"

#include <stdlib.h>

void options_check(const struct workload *workload)
{
    char *fault = workload_fault(workload);
    if (!fault)
        return;
    errors_say("gauss: %s", fault);
    free(fault);
    exit(EXIT_USAGE);
}

static const struct argp_option workload_options[] = {
    { "count", 'n', "N", 0, "Variates to draw (20000000)", 1 },
    { "mean", OPTION_MEAN, "X", 0, "Mean of the distribution (6)", 1 },
    { "sd", OPTION_SD, "X", 0, "Its standard deviation (1)", 1 },
    { "width", OPTION_WIDTH, "X", 0, "Width of a bin in standard deviations (1)", 1 },
    { "seed", OPTION_SEED, "N", 0, "0 to 4294967295 (1)", 1 },
    { "generator", OPTION_GENERATOR, "perl|fast", 0, "The article's numbers, bit for bit, or vectors (perl)", 1 },
    { "threads", 't', "N", 0, "Threads; the histogram stays the same (1)", 1 },
    { 0 },
};

static error_t parse_workload(int key, char *text, struct argp_state *state)
{
    struct workload *workload = state->input;
    switch (key) {
    case 'n': workload->count = quantity_whole("gauss: --count", text, 1, WORKLOAD_COUNT_MAX); break;
    case OPTION_MEAN: workload->mean = quantity_real("gauss: --mean", text); break;
    case OPTION_SD: workload->sd = quantity_real("gauss: --sd", text); break;
    case OPTION_WIDTH: workload->width = quantity_real("gauss: --width", text); break;
    case OPTION_SEED: workload->seed = quantity_whole("gauss: --seed", text, 0, WORKLOAD_SEED_MAX); break;
    case 't': workload->threads = (unsigned)quantity_whole("gauss: --threads", text, 1, WORKLOAD_THREADS_MAX); break;
    case OPTION_GENERATOR: workload->generator = options_word(state, "--generator", "perl|fast", text); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp options_workload = { workload_options, parse_workload, NULL, NULL, NULL, NULL, NULL };

static const struct argp_option common_options[] = { OPTIONS_PLOT_ROW("draw a picture, too"), { 0 } };

static error_t parse_common(int key, char *text, struct argp_state *state)
{
    struct options_common *common = state->input;
    if (key == ARGP_KEY_INIT) {
        state->child_inputs[0] = &common->workload;
        state->child_inputs[1] = &common->report;
    }
    if (key == OPTIONS_PLOT && !plot_suffix(text))
        exit(EXIT_USAGE);
    return options_parse(key, text, state, &common->report);
}

static const struct argp_child common_children[] = {
    { &options_workload, 0, NULL, 0 }, { &options_argp, 0, NULL, 0 }, { 0 },
};
const struct argp options_common = { common_options, parse_common, NULL, NULL, common_children, NULL, NULL };
