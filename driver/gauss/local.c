/* reckon gauss local: the workload in this process. */
#include "mode.h"

#include "common/errors.h"
#include "common/memory.h"
#include "common/progress.h"
#include "common/quantity.h"
#include "common/timing.h"
#include "options.h"
#include "report.h"
#include "workload/parallel.h"

#include <stdlib.h>
#include <string.h>

static const struct argp_option options[] = {
    { "stream", OPTION_STREAM, "I/N", 0, "Compute share I of N; the shares add up to the whole", 2 },
    { 0 },
};

static void parse_stream(const char *text, struct workload *workload)
{
    char *number = memory_strdup(text), *slash = strchr(number, '/');
    if (!slash) {
        errors_say("gauss: --stream: '%s' is not I/N", text);
        exit(EXIT_USAGE);
    }
    *slash = '\0';
    workload->share = true;
    workload->ranks = (unsigned)quantity_whole("gauss: --stream", slash + 1, 1, 1000000);
    workload->rank = (unsigned)quantity_whole("gauss: --stream", number, 1, workload->ranks) - 1;
    free(number);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct options_common *common = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = common; break;
    case OPTION_STREAM: parse_stream(text, &common->workload); break;
    case ARGP_KEY_ARG: argp_error(state, "%s: unexpected argument", text); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {
    options, parse, "",
    "Draw normal variates and count them in bins, as the article's program A does.\v"
    "A bin's value is trunc((x + w/2) / w) * w with w = SD * WIDTH: toward zero, so the bin 0 is twice as wide.\n\n"
    "Examples:\n"
    "  reckon gauss local\n"
    "  reckon gauss local --generator=fast --count=1e9 --threads=2 --width=0.1\n"
    "  reckon gauss local --mean=0 --seed=7 --format=json --plot=normal.svg",
    (const struct argp_child[]){ { &options_common, 0, NULL, 0 }, { 0 } }, NULL, NULL,
};

static bool watch(void *progress, double done)
{
    progress_show(progress, done, NULL);
    return true;
}

static void compute(const struct workload *workload, struct workload_histogram *histogram, struct report *report)
{
    struct progress progress = progress_start();
    double wall = timing_wall(), cpu = timing_process_cpu();
    parallel_run(workload, histogram, watch, &progress);
    report->wall_s = timing_wall() - wall;
    report->cpu_s = timing_process_cpu() - cpu;
    progress_end(&progress);
}

int gauss_local(int argc, char **argv)
{
    struct options_common common = { .workload = workload_default() };
    argp_parse(&argp, argc, argv, 0, NULL, &common);
    options_check(&common.workload);
    if (options_check_files(&common.report))
        return EXIT_OURS;
    struct workload_histogram histogram = workload_histogram_new(&common.workload);
    struct report report = { .workload = &common.workload, .histogram = &histogram };
    compute(&common.workload, &histogram, &report);
    int status = report_write(&report, &common.report);
    workload_histogram_free(&histogram);
    return status;
}
