/* What the pairs of runs say, and what makes that doubtful. Pure. */
#include "judge.h"

#include "common/memory.h"

#include <math.h>
#include <stdlib.h>

#define TWO_MODES (5.0 / 9)
#define DRIFT_PAIRS 1000  /* more are thinned out */
#define STOLEN_MAX 0.01
#define PREEMPTED_MAX 20.0   /* times a second of computing */
#define USED_MIN 0.95        /* share of the wall time in which the one thread ran */
#define MIGRATED_MAX 0.1     /* share of the runs */

static double ratio_of(const struct sample *sample, enum clock clock)
{
    switch (clock) {
    case CLOCK_WALL: return sample->b_wall / sample->a_wall;
    case CLOCK_CPU: return sample->b_cpu / sample->a_cpu;
    default: return sample->b_fastest / sample->a_fastest;
    }
}

/* The pairs' ratios by a clock; NULL where it has none. */
static double *ratios(const struct comparison *comparison, enum clock clock)
{
    double *ratio = memory_calloc(comparison->pairs + 1, sizeof *ratio);
    for (size_t i = 0; i < comparison->pairs; i++) {
        ratio[i] = ratio_of(&comparison->samples[i], clock);
        if (!isfinite(ratio[i])) {
            free(ratio);
            return NULL;
        }
    }
    return ratio;
}

static double width(const struct statistics_interval *interval)
{
    return isnan(interval->lower) ? INFINITY : interval->upper - interval->lower;
}

/* The first clock that is as exact as the margin asks for, else the most exact one. Only widths are looked at, never
 * which side is faster: so the choice cannot favour a verdict. */
static enum clock choose(const struct comparison *comparison)
{
    enum clock best = CLOCK_WALL;
    for (enum clock clock = CLOCK_WALL; clock < CLOCKS; clock++) {
        if (width(&comparison->ratios[clock]) <= comparison->margin)
            return clock;
        if (width(&comparison->ratios[clock]) < width(&comparison->ratios[best]))
            best = clock;
    }
    return best;
}

/* The shift of the ratio between the halves of the pairs, 99 % interval. Of many pairs every so-manieth is looked at. */
static struct statistics_interval find_drift(const double *ratio, size_t pairs)
{
    size_t step = (pairs + DRIFT_PAIRS - 1) / DRIFT_PAIRS, count = step ? pairs / step : 0, half = count / 2;
    struct statistics_interval none = { NAN, NAN, NAN };
    if (half < 2)
        return none;
    double *some = memory_calloc(count, sizeof *some);
    for (size_t i = 0; i < count; i++)
        some[i] = ratio[i * step];
    struct statistics_interval drift = statistics_shift_interval(some, half, some + half, count - half, 0.99);
    free(some);
    return drift;
}

/* Another clock that has a verdict, and not the basis's; CLOCKS: there is none. */
static enum clock contradiction(const struct comparison *comparison)
{
    for (enum clock clock = CLOCK_WALL; clock < CLOCKS; clock++) {
        enum statistics_verdict verdict = statistics_verdict(comparison->ratios[clock], comparison->margin);
        if ((verdict == STATISTICS_FASTER || verdict == STATISTICS_SLOWER) && verdict != comparison->verdict)
            return clock;
    }
    return CLOCKS;
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
    size_t pairs = comparison->pairs;
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
    if (fabs(comparison->drift.median) > comparison->margin && (comparison->drift.lower > 0 || comparison->drift.upper < 0))
        found |= DOUBT_DRIFT;
    if (contradiction(comparison) < CLOCKS)
        found |= DOUBT_CLOCKS;
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
    size_t pairs = comparison->pairs;
    double *ratio[CLOCKS];
    for (enum clock clock = CLOCK_WALL; clock < CLOCKS; clock++) {
        ratio[clock] = ratios(comparison, clock);
        comparison->ratios[clock] = statistics_median_interval(ratio[clock], ratio[clock] ? pairs : 0, 0.95);
    }
    comparison->basis = choose(comparison);
    const double *basis = ratio[comparison->basis];
    const struct statistics_interval *interval = &comparison->ratios[comparison->basis];
    comparison->sign_p = statistics_sign_p(basis, pairs, 1);
    comparison->wall_sign_p = statistics_sign_p(ratio[CLOCK_WALL], pairs, 1);
    comparison->verdict = statistics_verdict(*interval, comparison->margin);
    comparison->drift = find_drift(basis, pairs);
    comparison->transport = transport(comparison);
    comparison->doubts = doubts(comparison, basis);
    comparison->needed = comparison->verdict == STATISTICS_INCONCLUSIVE && !(comparison->doubts & DOUBT_DRIFT)
        ? statistics_needed(*interval, pairs, comparison->margin) : 0;
    comparison->needed_s = comparison->needed && pairs
        ? (double)(comparison->needed - pairs) * comparison->elapsed / (double)pairs : NAN;
    for (enum clock clock = CLOCK_WALL; clock < CLOCKS; clock++)
        free(ratio[clock]);
}

/* "40 s", "3 minutes"; a new string. */
static char *duration(double seconds)
{
    if (seconds < 100)
        return memory_format("%.0f s", fmax(1, ceil(seconds)));
    return seconds < 6000 ? memory_format("%.0f minutes", seconds / 60) : memory_format("%.1f hours", seconds / 3600);
}

char *comparison_sentence(const struct comparison *comparison)
{
    static const char *const verdicts[] = { "B is faster than A", "B is slower than A", "B is equivalent to A",
                                            "A and B cannot be told apart yet" };
    const struct statistics_interval *ratio = &comparison->ratios[comparison->basis];
    char *interval = isnan(ratio->lower) ? memory_strdup("") : memory_format(" [%.3f, %.3f]", ratio->lower, ratio->upper);
    char *time = isnan(comparison->needed_s) ? NULL : duration(comparison->needed_s);
    char *more = time ? memory_format(", about %s more might do", time) : memory_strdup("");
    char *cost = isnan(comparison->transport) ? memory_strdup("")
        : memory_format(comparison->transport >= 1e-4 ? "; transport costs %.1f ms a call" : "; transport costs %.1g ms a call",
                        comparison->transport * 1e3);
    char *sentence = memory_format("%s by %s: ratio %.3f%s%s%s", verdicts[comparison->verdict],
                                   comparison_clock_text(comparison->basis), ratio->median, interval, more, cost);
    free(interval);
    free(time);
    free(more);
    free(cost);
    return sentence;
}

const char *comparison_clock_name(enum clock clock)
{
    static const char *const names[] = { "wall", "cpu", "fastest_block" };
    return names[clock];
}

const char *comparison_clock_text(enum clock clock)
{
    static const char *const names[] = { "wall time", "CPU time", "undisturbed CPU time" };
    return names[clock];
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
    case DOUBT_CLOCKS: return "clocks";
    default: return "different_code";
    }
}

char *comparison_doubt_text(const struct comparison *comparison, unsigned doubt)
{
    switch (doubt) {
    case DOUBT_FEW:
        return memory_format("only %zu pairs: fewer than %d", comparison->pairs, COMPARE_PAIRS);
    case DOUBT_DRIFT:
        return memory_format("the ratio drifted by %+.1f %% [%+.1f, %+.1f] from the first half of the pairs to the second",
                             100 * comparison->drift.median, 100 * comparison->drift.lower, 100 * comparison->drift.upper);
    case DOUBT_MODES:
        return memory_strdup("the ratios have two modes: look at them (compare --plot)");
    case DOUBT_PREEMPTED:
        return memory_strdup("other programs took the processor away often: close them");
    case DOUBT_MIGRATED:
        return memory_strdup("many runs ended on another processor than they began on");
    case DOUBT_STOLEN:
        return memory_format("the hypervisor took %.1f %% of the processors' time", comparison->stolen * 100);
    case DOUBT_CLOCKS: {
        enum clock clock = contradiction(comparison);
        const struct statistics_interval *ratio = &comparison->ratios[clock];
        return memory_format("by %s B is %s, ratio %.3f [%.3f, %.3f]: %s", comparison_clock_text(clock),
                             ratio->lower > 1 ? "slower" : "faster", ratio->median, ratio->lower, ratio->upper,
                             clock == CLOCK_WALL ? "one side waits more, for the processor or for something else"
                                                 : "it is not computing throughout that differs");
    }
    default:
        return memory_strdup("A and B did not run the same code: the ratio compares that too");
    }
}
