/* reckon gauss --article: the article's question, measured here and answered in words. */
#include "mode.h"

#include "article/report.h"
#include "common/errors.h"
#include "common/quantity.h"
#include "common/timing.h"
#include "options.h"
#include "pairs/collect.h"

#include <math.h>
#include <stdlib.h>

#define SECONDS 45.0

struct request {
    struct options report;
    double seconds;
    uint64_t count;   /* of the variates that a perl draws */
};

static const struct argp_option options[] = {
    { "seconds", OPTION_SECONDS, "S", 0, "Most that all of it takes, about (45)", 2 },
    { "count", 'n', "N", 0, "Variates that a run in Perl draws (500000)", 2 },
    { 0 },
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &request->report; break;
    case OPTION_SECONDS: request->seconds = quantity_positive("gauss: --seconds", text, 1e6); break;
    case 'n': request->count = quantity_whole("gauss: --count", text, 1, WORKLOAD_COUNT_MAX); break;
    case ARGP_KEY_ARG: argp_error(state, "%s: unexpected argument", text); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {
    options, parse, "",
    "An article of 2009 draws normal variates in 94 s, and in 84 s when a server on the same machine does it. Time it "
    "here: one perl on both sides, two builds of perl where there are two along PATH, this program; tell what transport "
    "costs, and what follows.\v"
    "It ends after 45 s, earlier where the ratios are known well enough. Without perl this program alone is timed.\n\n"
    "Examples:\n"
    "  reckon gauss --article\n"
    "  PATH=/opt/perl-5.8.8/bin:$PATH reckon gauss --article --seconds=120\n"
    "  reckon gauss --article --format=json --output=article.json",
    (const struct argp_child[]){ { &options_argp, 0, NULL, 0 }, { 0 } }, NULL, NULL,
};

/* Who is A and B of an experiment; false where it cannot be made here. */
static bool cast(struct answer *answer, enum experiment i, uint64_t count)
{
    struct sides *sides = &answer->sides[i];
    sides->workload = workload_default();
    if (i == EXPERIMENT_C)
        return true;
    if (!answer->perls.count || (i == EXPERIMENT_TWO_PERLS && !answer->a))
        return false;
    sides->perl = true;
    sides->workload.count = count;
    sides->perl_a = i == EXPERIMENT_ONE_PERL ? answer->perls.perl[0].path : answer->a->path;
    sides->perl_b = i == EXPERIMENT_ONE_PERL ? sides->perl_a : answer->b->path;
    return true;
}

/* Make the experiments; each has its share of the time that is left. */
static int measure(struct answer *answer, const struct request *request)
{
    double start = timing_wall();
    unsigned left = answer->a ? 3 : answer->perls.count ? 2 : 1;
    errors_say("gauss: --article: %u experiment%s, at most about %.0f s", left, left == 1 ? "" : "s", request->seconds);
    for (enum experiment i = 0; i < EXPERIMENTS; i++) {
        struct comparison *comparison = &answer->experiment[i];
        if (!cast(answer, i, request->count))
            continue;
        struct collect collect = {
            .seconds = fmax(0, request->seconds - (timing_wall() - start)) / left--,
            .count_chosen = i == EXPERIMENT_C, .label = i == EXPERIMENT_C ? "in C: " : "in Perl: ",
        };
        *comparison = (struct comparison){ .sides = &answer->sides[i], .margin = ANSWER_MARGIN,
                                           .findings = { .null_call = NAN, .same = true } };
        if (collect_pairs(&collect, &answer->sides[i], comparison))
            return -1;
        comparison_judge(comparison);
        if (i == EXPERIMENT_TWO_PERLS)
            comparison->doubts &= ~(unsigned)DOUBT_UNLIKE;  /* meant */
    }
    answer->elapsed = timing_wall() - start;
    return 0;
}

static int report(struct answer *answer, const struct request *request)
{
    struct output output;
    if (options_check_files(&request->report) || measure(answer, request) ||
        output_open(&output, request->report.output, request->report.format))
        return EXIT_OURS;
    answer_print(answer, &output);
    return output_close(&output) ? EXIT_OURS : 0;
}

int gauss_article(int argc, char **argv)
{
    struct request request = { .seconds = SECONDS, .count = SIDES_PERL_COUNT };
    argp_parse(&argp, argc, argv, 0, NULL, &request);
    struct answer answer = { .perls = perls_find() };
    perls_choose(&answer.perls, &answer.a, &answer.b);
    int status = report(&answer, &request);
    for (enum experiment i = 0; i < EXPERIMENTS; i++) {
        free(answer.experiment[i].samples);
        findings_free(&answer.experiment[i].findings);
    }
    perls_free(&answer.perls);
    return status;
}
