/* The vector code of the generators against the portable one, on blocks of random seeds: the same bits, the same counts.
 * What they agree on is looked at, too: tails to six standard deviations and correlations at lags 1 to 32, within five
 * standard errors. Arguments: seconds, the first seed. Exit status 1 and the seed where something is wrong. */
#include "common/timing.h"
#include "gauss/workload/fast.h"
#include "gauss/workload/perl.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAGS 32
#define TAILS 7
#define LIMIT 5.0  /* standard errors */
#define SAMPLE 64  /* blocks to each one of the polar method and of the portable code, which are slow */

static double narrow[FAST_BLOCK], wide[FAST_BLOCK + LAGS];
static const struct kernels *portable, *vectors[2];
static size_t widths;

struct seen {
    double count, tails[TAILS], lags[LAGS + 1], squares[LAGS + 1];
};

/* The variates of one block by all kernels, against the portable one or else the narrowest; NULL, or what differs. */
static const char *compare_variates(uint64_t seed, uint64_t block, bool slow)
{
    const struct kernels *first = slow ? portable : vectors[0];
    fast_variates(seed, block, narrow, FAST_BLOCK, first);
    for (size_t i = slow ? 0 : 1; i < widths; i++) {
        fast_variates(seed, block, wide, FAST_BLOCK, vectors[i]);
        if (memcmp(narrow, wide, sizeof narrow))
            return vectors[i]->name;
    }
    return NULL;
}

static struct workload_histogram count(const struct workload *workload, uint64_t block, const struct kernels *kernels)
{
    struct workload_histogram histogram = workload_histogram_new(workload);
    struct tally tally = tally_new(workload, &histogram, kernels);
    if (workload->generator == WORKLOAD_FAST)
        fast_block(workload->seed, block, FAST_BLOCK - 7, &tally);
    else
        perl_attempts(workload, block * 1000003, 100003, &tally);
    tally_finish(&tally, &histogram);
    return histogram;
}

/* The same for a histogram of either generator, with a mean and a width that depend on the block. */
static const char *compare_counts(enum workload_generator generator, uint64_t seed, uint64_t block)
{
    static const double widths_of_bins[] = { 1, 0.5, 0.1, 0.01, 0.0003, 3 };
    const char *differs = NULL;
    struct workload workload = workload_default();
    workload.generator = generator;
    workload.seed = seed & WORKLOAD_SEED_MAX;
    workload.mean = (double)(block % 1000) / 7 - 50;
    workload.width = widths_of_bins[block % (sizeof widths_of_bins / sizeof *widths_of_bins)];
    struct workload_histogram expected = count(&workload, block, portable);
    for (size_t i = 0; i < widths && !differs; i++) {
        struct workload_histogram got = count(&workload, block, vectors[i]);
        if (!workload_equal(&expected, &got))
            differs = vectors[i]->name;
        workload_histogram_free(&got);
    }
    workload_histogram_free(&expected);
    return differs;
}

/* Add the block that was compared last. */
static void look(struct seen *seen, const double *restrict z)
{
    for (int tail = 0; tail < TAILS; tail++) {
        uint64_t beyond = 0;
        for (size_t i = 0; i < FAST_BLOCK; i++)
            beyond += fabs(z[i]) >= tail;
        seen->tails[tail] += (double)beyond;
    }
    for (size_t lag = 1; lag <= LAGS; lag++) {
        double product = 0, square = 0;
        for (size_t i = 0; i < FAST_BLOCK - LAGS; i++) {
            double both = z[i] * z[i + lag];
            product += both;
            square += both * both - z[i] * z[i] - z[i + lag] * z[i + lag] + 1;  /* (x^2 - 1)(y^2 - 1) */
        }
        seen->lags[lag] += product;
        seen->squares[lag] += square / 2;
    }
    seen->count += FAST_BLOCK;
}

static int judge(const struct seen *seen)
{
    double pairs = seen->count / FAST_BLOCK * (FAST_BLOCK - LAGS), worst = 0;
    for (int tail = 1; tail < TAILS; tail++) {
        double expected = seen->count * erfc(tail * M_SQRT1_2);
        double off = (seen->tails[tail] - expected) / sqrt(expected + 1);
        printf("beyond %d sd: %.0f, expected %.1f: %+.2f standard errors\n", tail, seen->tails[tail], expected, off);
        worst = fmax(worst, fabs(off));
    }
    double lags = 0;
    for (size_t lag = 1; lag <= LAGS; lag++)
        lags = fmax(lags, fmax(fabs(seen->lags[lag]), fabs(seen->squares[lag])) / sqrt(pairs));
    printf("lags 1 to %d, of the variates and of their squares: at most %.2f standard errors\n", LAGS, lags);
    return fmax(worst, lags) <= LIMIT ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const char *const names[] = { "avx2", "avx512" };
    double until = timing_wall() + (argc > 1 ? atof(argv[1]) : 10);
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, block = 0;
    struct seen seen = { 0 };
    portable = kernels_named("generic");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if ((vectors[widths] = kernels_named(names[i])))
            widths++;
    if (!widths) {
        printf("no vectors on this processor\n");
        return 0;
    }
    for (; timing_wall() < until; block++) {
        bool slow = widths == 1 || block % SAMPLE == 0;
        const char *differs = compare_variates(seed, block, slow);
        if (!differs && slow && !(differs = compare_counts(WORKLOAD_FAST, seed, block)))
            differs = compare_counts(WORKLOAD_PERL, seed, block);
        if (differs) {
            printf("seed %llu, block %llu: %s differs\n", (unsigned long long)seed, (unsigned long long)block, differs);
            return 1;
        }
        look(&seen, narrow);
    }
    printf("%.3g variates of seed %llu: %s%s%s the same\n", seen.count, (unsigned long long)seed, vectors[0]->name,
           widths > 1 ? ", " : "", widths > 1 ? vectors[1]->name : "");
    return judge(&seen);
}
