/* reckon gauss compare: pairs of runs of A and B, until the ratio is known well enough. */
#include "mode.h"

#include "common/errors.h"
#include "common/quantity.h"
#include "options.h"
#include "pairs/calls.h"
#include "pairs/collect.h"
#include "pairs/report.h"

#include <math.h>
#include <stdlib.h>

#define SECONDS 30.0

struct request {
    struct options_common common;
    struct sides sides;
    struct collect collect;      /* seconds 0: not given */
    double margin;
    bool count_calls;
};

static const struct argp_option options[] = {
    { "rounds", OPTION_ROUNDS, "N", 0, "Pairs of runs (at least 10, until the interval is as narrow as the margin)", 2 },
    { "seconds", OPTION_SECONDS, "S", 0, "Stop after that time (30 without --rounds)", 2 },
    { "margin", OPTION_MARGIN, "M", 0, "Ratios within 1 - M to 1 + M don't matter (1%)", 2 },
    { "self-test", OPTION_SELF_TEST, NULL, 0, "Compare A with itself: it must not differ", 3 },
    { "reckon-b", OPTION_RECKON_B, "PATH", 0, "Another reckon as the server of B", 3 },
    { "count-calls", OPTION_COUNT_CALLS, NULL, 0, "Count the calls of A, B and C, too", 3 },
    { "perl", OPTION_PERL, NULL, 0, "The article's own programs A, B and C, in Perl", 4 },
    { "perl-a", OPTION_PERL_A, "PATH", 0, "The perl that runs A (perl)", 4 },
    { "perl-b", OPTION_PERL_B, "PATH", 0, "The perl that runs B and C (that of A)", 4 },
    { 0 },
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct request *request = state->input;
    struct sides *sides = &request->sides;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &request->common; break;
    case OPTION_ROUNDS: request->collect.rounds = quantity_whole("gauss: --rounds", text, 1, 100000); break;
    case OPTION_SECONDS: request->collect.seconds = quantity_positive("gauss: --seconds", text, 1e6); break;
    case OPTION_MARGIN: request->margin = quantity_share("gauss: --margin", text); break;
    case OPTION_SELF_TEST: sides->self_test = true; break;
    case OPTION_RECKON_B: sides->reckon_b = text; break;
    case OPTION_COUNT_CALLS: request->count_calls = true; break;
    case OPTION_PERL: sides->perl = true; break;
    case OPTION_PERL_A: sides->perl = true; sides->perl_a = text; break;
    case OPTION_PERL_B: sides->perl = true; sides->perl_b = text; break;
    case ARGP_KEY_ARG: argp_error(state, "%s: unexpected argument", text); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {
    options, parse, "",
    "Time A (the workload in this process) against B with C (the same by a server on this machine), in pairs, and say "
    "whether they differ.\v"
    "B may be faster than A, slower, equivalent (the 95% interval of the ratio lies within the margin), or the pairs "
    "are too few to say.\n\n"
    "Examples:\n"
    "  reckon gauss compare\n"
    "  reckon gauss compare --generator=fast --margin=0.5% --plot=ab.svg\n"
    "  reckon gauss compare --perl-a=/usr/bin/perl --perl-b=/opt/perl/bin/perl",
    (const struct argp_child[]){ { &options_common, 0, NULL, 0 }, { 0 } }, NULL, NULL,
};

static int report(struct request *request, struct comparison *comparison)
{
    struct output output;
    json_t *calls = NULL;
    if (options_check_files(&request->common.report) ||
        collect_pairs(&request->collect, &request->sides, comparison) || (request->count_calls && !(calls = calls_count(&request->sides))) ||
        output_open(&output, request->common.report.output, request->common.report.format))
        return EXIT_OURS;
    comparison_judge(comparison);
    comparison_print(comparison, calls, &output);
    json_decref(calls);
    if (output_close(&output))
        return EXIT_OURS;
    return request->common.report.plot && comparison_plot(comparison, request->common.report.plot) ? EXIT_OURS : 0;
}

int gauss_compare(int argc, char **argv)
{
    struct request request = { .common.workload = workload_default(), .margin = 0.01, .collect.label = "" };
    struct sides *sides = &request.sides;
    request.common.workload.count = 0;
    argp_parse(&argp, argc, argv, 0, NULL, &request);
    sides->workload = request.common.workload;
    request.collect.count_chosen = !sides->workload.count && !sides->perl;
    if (!sides->workload.count)
        sides->workload.count = sides->perl ? SIDES_PERL_COUNT : workload_default().count;
    if (!(request.collect.seconds > 0))
        request.collect.seconds = request.collect.rounds ? INFINITY : SECONDS;
    options_check(&sides->workload);
    if (sides->perl && (sides->workload.generator != WORKLOAD_PERL || sides->workload.threads > 1 || sides->reckon_b)) {
        errors_say("gauss: --perl: goes with neither --generator=fast, --threads nor --reckon-b");
        return EXIT_USAGE;
    }
    if (request.count_calls && (sides->perl || sides->self_test)) {
        errors_say("gauss: --count-calls: goes with neither --perl nor --self-test");
        return EXIT_USAGE;
    }
    sides->perl_a = sides->perl_a ? sides->perl_a : "perl";
    sides->perl_b = sides->perl_b ? sides->perl_b : sides->perl_a;
    struct comparison comparison = {
        .sides = sides, .margin = request.margin, .findings = { .null_call = NAN, .same = true },
    };
    int status = report(&request, &comparison);
    free(comparison.samples);
    findings_free(&comparison.findings);
    return status;
}
