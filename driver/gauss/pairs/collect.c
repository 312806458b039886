/* Pairs of runs in random order, until the ratio is known well enough or the time is over. */
#include "collect.h"

#include "common/memory.h"
#include "common/progress.h"
#include "common/timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define BLOCK_PAIRS 4u
#define PAIRS_WANTED 24
#define TRIAL_PART 16          /* part of the workload that tells how long the whole takes */
#define COUNT_MIN 5000000.0    /* forty blocks or more, of which the fastest count */

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
static bool enough(const struct collect *collect, const struct comparison *comparison, double deadline)
{
    if (comparison->pairs && timing_wall() >= deadline)
        return true;
    if (collect->rounds)
        return comparison->pairs >= collect->rounds;
    struct comparison judged = *comparison;
    if (comparison->pairs < COMPARE_PAIRS)
        return false;
    comparison_judge(&judged);
    return judged.ratios[judged.basis].upper - judged.ratios[judged.basis].lower <= comparison->margin;
}

static void show_progress(struct progress *progress, const char *label, const struct comparison *comparison)
{
    struct comparison judged = *comparison;
    if (!progress->terminal || !comparison->pairs)
        return;
    comparison_judge(&judged);
    const struct statistics_interval *ratio = &judged.ratios[judged.basis];
    char *text = memory_format("%s%zu pairs, ratio %.3f [%.3f, %.3f]", label, judged.pairs, ratio->median,
                               ratio->lower, ratio->upper);
    progress_show(progress, NAN, text);
    free(text);
}

/* Of the workload as much as leaves time for PAIRS_WANTED pairs, where the machine is so busy that the whole would not:
 * a short trial tells. -1 after an error. */
static int choose_count(struct sides *sides, double seconds, struct findings *findings)
{
    struct workload *workload = &sides->workload;
    struct sample sample = { 0 };
    uint64_t whole = workload->count;
    workload->count = whole / TRIAL_PART;
    int made = sides_block(sides, "a", 1, INFINITY, &sample, findings);
    double pairs = seconds / (TRIAL_PART * (sample.a_wall + sample.b_wall) * 1.3);  /* 1.3: warm-ups, fresh servers */
    double part = made > 0 ? fmin(1, pairs / PAIRS_WANTED) : 1;
    workload->count = part < 1 ? (uint64_t)fmax(COUNT_MIN, floor(part * 100) / 100 * (double)whole) : whole;
    return made;
}

int collect_pairs(const struct collect *collect, struct sides *sides, struct comparison *comparison)
{
    double seconds = collect->seconds;
    double start = timing_wall(), deadline = start + seconds, before[2], after[2];
    if (collect->count_chosen && seconds < INFINITY && choose_count(sides, seconds, &comparison->findings) < 0)
        return -1;
    struct progress progress = progress_start();
    read_stolen(before);
    for (unsigned block = 1; !enough(collect, comparison, deadline); block++) {
        char order[BLOCK_PAIRS + 1];
        size_t pairs = BLOCK_PAIRS;
        if (collect->rounds && collect->rounds - comparison->pairs < pairs)
            pairs = collect->rounds - comparison->pairs;
        draw_order(order);
        comparison->samples = memory_realloc(comparison->samples, comparison->pairs + pairs, sizeof *comparison->samples);
        struct sample *samples = comparison->samples + comparison->pairs;
        int made = sides_block(sides, order, pairs, deadline, samples, &comparison->findings);
        if (made < 0)
            return -1;
        for (int i = 0; i < made; i++)
            samples[i].block = block;
        comparison->pairs += (size_t)made;
        comparison->elapsed = timing_wall() - start;
        show_progress(&progress, collect->label, comparison);
    }
    progress_end(&progress);
    read_stolen(after);
    comparison->stolen = (after[0] - before[0]) / (after[1] - before[1]);
    return 0;
}
