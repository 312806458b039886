/* What the pairs of runs say, and what makes that doubtful. Pure. */
#include "judge.h"

#include "common/memory.h"

#include <math.h>
#include <stdlib.h>

#define TWO_MODES (5.0 / 9)
#define STOLEN_MAX 0.01
#define PREEMPTED_MAX 20.0   /* times a second of computing */
#define USED_MIN 0.95        /* share of the wall time in which the one thread ran */
#define MIGRATED_MAX 0.1     /* share of the runs */

static double *ratios(const struct comparison *comparison, bool cpu)
{
    double *ratio = memory_calloc(comparison->pairs, sizeof *ratio);
    for (size_t i = 0; i < comparison->pairs; i++) {
        const struct sample *sample = &comparison->samples[i];
        ratio[i] = cpu ? sample->b_cpu / sample->a_cpu : sample->b_wall / sample->a_wall;
    }
    return ratio;
}

static double transport(const struct comparison *comparison)
{
    double *seconds = memory_calloc(comparison->pairs, sizeof *seconds);
    for (size_t i = 0; i < comparison->pairs; i++)
        seconds[i] = comparison->samples[i].b_wall - comparison->samples[i].b_worker_wall;
    double median = comparison->sides->self_test ? NAN : statistics_spread(seconds, comparison->pairs).median;
    free(seconds);
    return median;
}

static unsigned doubts(const struct comparison *comparison, const double *ratio)
{
    size_t pairs = comparison->pairs, half = pairs / 2;
    double computed = 0, used = 0, preempted = 0, migrated = 0;
    unsigned found = comparison->findings.same ? 0 : DOUBT_UNLIKE;
    for (size_t i = 0; i < pairs; i++) {
        computed += comparison->samples[i].a_wall + comparison->samples[i].b_wall;
        used += comparison->samples[i].a_cpu + comparison->samples[i].b_cpu;
        preempted += (double)comparison->samples[i].preemptions;
        migrated += comparison->samples[i].migrations;
    }
    if (pairs < COMPARE_PAIRS)
        found |= DOUBT_FEW;
    if (half > 1 && fabs(statistics_spread(ratio, half).median - statistics_spread(ratio + half, pairs - half).median) >
                    comparison->margin)
        found |= DOUBT_DRIFT;
    if (pairs >= COMPARE_PAIRS && statistics_bimodality(ratio, pairs) > TWO_MODES)
        found |= DOUBT_MODES;
    if (preempted > PREEMPTED_MAX * computed ||
        (comparison->sides->workload.threads == 1 && used < USED_MIN * computed))
        found |= DOUBT_PREEMPTED;
    if (migrated > MIGRATED_MAX * 2 * (double)pairs)
        found |= DOUBT_MIGRATED;
    if (comparison->stolen > STOLEN_MAX)
        found |= DOUBT_STOLEN;
    return found;
}

void comparison_judge(struct comparison *comparison)
{
    double *ratio = ratios(comparison, false), *cpu_ratio = ratios(comparison, true);
    comparison->cpu_ratio = statistics_median_interval(cpu_ratio, comparison->pairs, 0.95);
    free(cpu_ratio);
    comparison->ratio = statistics_median_interval(ratio, comparison->pairs, 0.95);
    comparison->sign_p = statistics_sign_p(ratio, comparison->pairs, 1);
    comparison->verdict = statistics_verdict(comparison->ratio, comparison->margin);
    comparison->needed = comparison->verdict == STATISTICS_INCONCLUSIVE
        ? statistics_needed(comparison->ratio, comparison->pairs, comparison->margin) : 0;
    comparison->transport = transport(comparison);
    comparison->doubts = doubts(comparison, ratio);
    free(ratio);
}

char *comparison_sentence(const struct comparison *comparison)
{
    static const char *const verdicts[] = { "B is faster than A", "B is slower than A", "B is equivalent to A",
                                            "A and B cannot be told apart yet" };
    const struct statistics_interval *ratio = &comparison->ratio;
    char *interval = isnan(ratio->lower) ? memory_strdup("") : memory_format(" [%.3f, %.3f]", ratio->lower, ratio->upper);
    char *more = memory_strdup("");
    if (comparison->verdict == STATISTICS_INCONCLUSIVE && comparison->needed) {
        free(more);
        more = memory_format(", %zu more pairs might do", comparison->needed - comparison->pairs);
    }
    char *cost = isnan(comparison->transport) ? memory_strdup("")
        : memory_format(comparison->transport >= 1e-4 ? "; transport costs %.1f ms a call" : "; transport costs %.1g ms a call",
                        comparison->transport * 1e3);
    char *sentence = memory_format("%s: ratio %.3f%s%s%s", verdicts[comparison->verdict], ratio->median, interval, more,
                                   cost);
    free(interval);
    free(more);
    free(cost);
    return sentence;
}

const char *comparison_doubt_name(unsigned doubt)
{
    switch (doubt) {
    case DOUBT_FEW: return "few_pairs";
    case DOUBT_DRIFT: return "drift";
    case DOUBT_MODES: return "bimodal";
    case DOUBT_PREEMPTED: return "preemptions";
    case DOUBT_MIGRATED: return "migrations";
    case DOUBT_STOLEN: return "steal";
    default: return "different_code";
    }
}

char *comparison_doubt_text(const struct comparison *comparison, unsigned doubt)
{
    switch (doubt) {
    case DOUBT_FEW:
        return memory_format("only %zu pairs: fewer than %d", comparison->pairs, COMPARE_PAIRS);
    case DOUBT_DRIFT:
        return memory_strdup("the ratio drifted between the first half of the pairs and the second");
    case DOUBT_MODES:
        return memory_strdup("the ratios have two modes: look at them (--plot)");
    case DOUBT_PREEMPTED:
        return memory_strdup("other programs took the processor away often: close them");
    case DOUBT_MIGRATED:
        return memory_strdup("many runs ended on another processor than they began on");
    case DOUBT_STOLEN:
        return memory_format("the hypervisor took %.1f %% of the processors' time", comparison->stolen * 100);
    default:
        return memory_strdup("A and B did not run the same code: the ratio compares that too");
    }
}
