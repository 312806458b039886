/* reckon gauss compare: pairs of runs of A and B, until the ratio is known well enough. */
#include "mode.h"

#include "common/errors.h"
#include "common/memory.h"
#include "common/progress.h"
#include "common/quantity.h"
#include "common/timing.h"
#include "options.h"
#include "pairs/calls.h"
#include "pairs/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define BLOCK_PAIRS 4u
#define SECONDS 30.0
#define PAIRS_WANTED 24
#define TRIAL_PART 16          /* part of the workload that tells how long the whole takes */
#define COUNT_MIN 5000000.0    /* forty blocks or more, of which the fastest count */
#define PERL_COUNT 500000u   /* a quarter of a second */

struct request {
    struct options_common common;
    struct sides sides;
    uint64_t rounds;             /* 0: COMPARE_PAIRS at least, then until the interval is narrow */
    double seconds, margin;      /* seconds 0: not given */
    bool count_calls;
    bool count_chosen;           /* no --count: fewer variates on a busy machine */
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
    case OPTION_ROUNDS: request->rounds = quantity_whole("gauss: --rounds", text, 1, 100000); break;
    case OPTION_SECONDS: request->seconds = quantity_positive("gauss: --seconds", text, 1e6); break;
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

/* Ticks that the hypervisor took, and all ticks, of all processors since boot. */
static void read_stolen(double ticks[2])
{
    double field[8] = { 0 };
    FILE *stream = fopen("/proc/stat", "re");
    ticks[0] = ticks[1] = NAN;
    if (!stream)
        return;
    if (fscanf(stream, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &field[0], &field[1], &field[2], &field[3], &field[4],
               &field[5], &field[6], &field[7]) == 8) {
        ticks[0] = field[7];
        ticks[1] = 0;
        for (int i = 0; i < 8; i++)
            ticks[1] += field[i];
    }
    fclose(stream);
}

/* Which side goes first, pair by pair: either abba... or baab..., by lot, so that a trend hits both sides alike. */
static void draw_order(char order[BLOCK_PAIRS + 1])
{
    unsigned char lots[BLOCK_PAIRS / 2] = { 0 };
    if (getrandom(lots, sizeof lots, 0) != sizeof lots)
        memset(lots, 0, sizeof lots);
    for (unsigned i = 0; i < BLOCK_PAIRS; i++)
        order[i] = (lots[i / 2] + i) % 2 ? 'b' : 'a';
    order[BLOCK_PAIRS] = '\0';
}

/* Enough pairs? The rule looks at the interval's width, never at the verdict. */
static bool enough(const struct request *request, const struct comparison *comparison, double deadline)
{
    if (comparison->pairs && timing_wall() >= deadline)
        return true;
    if (request->rounds)
        return comparison->pairs >= request->rounds;
    struct comparison judged = *comparison;
    if (comparison->pairs < COMPARE_PAIRS)
        return false;
    comparison_judge(&judged);
    return judged.ratios[judged.basis].upper - judged.ratios[judged.basis].lower <= comparison->margin;
}

static void show_progress(struct progress *progress, const struct comparison *comparison)
{
    struct comparison judged = *comparison;
    if (!progress->terminal || !comparison->pairs)
        return;
    comparison_judge(&judged);
    const struct statistics_interval *ratio = &judged.ratios[judged.basis];
    char *text = memory_format("%zu pairs, ratio %.3f [%.3f, %.3f]", judged.pairs, ratio->median, ratio->lower, ratio->upper);
    progress_show(progress, NAN, text);
    free(text);
}

/* Of the workload as much as leaves time for PAIRS_WANTED pairs, where the machine is so busy that the whole would not:
 * a short trial tells. -1 after an error. */
static int choose_count(struct request *request, double seconds, struct findings *findings)
{
    struct workload *workload = &request->sides.workload;
    struct sample sample = { 0 };
    uint64_t whole = workload->count;
    workload->count = whole / TRIAL_PART;
    int made = sides_block(&request->sides, "a", 1, INFINITY, &sample, findings);
    double pairs = seconds / (TRIAL_PART * (sample.a_wall + sample.b_wall) * 1.3);  /* 1.3: warm-ups, fresh servers */
    double part = made > 0 ? fmin(1, pairs / PAIRS_WANTED) : 1;
    workload->count = part < 1 ? (uint64_t)fmax(COUNT_MIN, floor(part * 100) / 100 * (double)whole) : whole;
    return made;
}

/* Make pairs; -1 after an error. */
static int collect(struct request *request, struct comparison *comparison)
{
    double seconds = request->seconds > 0 ? request->seconds : request->rounds ? INFINITY : SECONDS;
    double start = timing_wall(), deadline = start + seconds, before[2], after[2];
    if (request->count_chosen && seconds < INFINITY && choose_count(request, seconds, &comparison->findings) < 0)
        return -1;
    struct progress progress = progress_start();
    read_stolen(before);
    for (unsigned block = 1; !enough(request, comparison, deadline); block++) {
        char order[BLOCK_PAIRS + 1];
        size_t pairs = BLOCK_PAIRS;
        if (request->rounds && request->rounds - comparison->pairs < pairs)
            pairs = request->rounds - comparison->pairs;
        draw_order(order);
        comparison->samples = memory_realloc(comparison->samples, comparison->pairs + pairs, sizeof *comparison->samples);
        struct sample *samples = comparison->samples + comparison->pairs;
        int made = sides_block(&request->sides, order, pairs, deadline, samples, &comparison->findings);
        if (made < 0)
            return -1;
        for (int i = 0; i < made; i++)
            samples[i].block = block;
        comparison->pairs += (size_t)made;
        comparison->elapsed = timing_wall() - start;
        show_progress(&progress, comparison);
    }
    progress_end(&progress);
    read_stolen(after);
    comparison->stolen = (after[0] - before[0]) / (after[1] - before[1]);
    return 0;
}

static int report(struct request *request, struct comparison *comparison)
{
    struct output output;
    json_t *calls = NULL;
    if (options_check_files(&request->common.report) ||
        collect(request, comparison) || (request->count_calls && !(calls = calls_count(&request->sides))) ||
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
    struct request request = { .common.workload = workload_default(), .margin = 0.01 };
    struct sides *sides = &request.sides;
    request.common.workload.count = 0;
    argp_parse(&argp, argc, argv, 0, NULL, &request);
    sides->workload = request.common.workload;
    request.count_chosen = !sides->workload.count && !sides->perl;
    if (!sides->workload.count)
        sides->workload.count = sides->perl ? PERL_COUNT : workload_default().count;
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
