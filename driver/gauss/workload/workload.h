/* The Gaussian workload: draw `count` normal variates and count them in bins, as the article's sub `dev` does.
 *
 *     w = sd * width;  index = trunc((x + w/2) / w);  the bin's value is index * w
 *
 * trunc() goes toward zero, so bin 0 is twice as wide as the others. All of it is pure: no input, no output. */
#ifndef GAUSS_WORKLOAD_WORKLOAD_H
#define GAUSS_WORKLOAD_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORKLOAD_COUNT_MAX 1000000000000u  /* 10^12 variates: half an hour of the faster generator */
#define WORKLOAD_SEED_MAX 0xffffffffu
#define WORKLOAD_REACH 32767               /* most bins on each side of the mean's own */
#define WORKLOAD_BINS_MAX (2 * WORKLOAD_REACH + 1)
#define WORKLOAD_THREADS_MAX 1024

enum workload_generator {
    WORKLOAD_PERL,  /* Perl's own drand48 and the article's arithmetic (Marsaglia and Bray 1964), bit for bit */
    WORKLOAD_FAST,  /* xoshiro256+ (Blackman and Vigna 2021), Box and Muller 1958, in vectors */
};

struct workload {
    enum workload_generator generator;
    uint64_t seed, count;
    double mean, sd;     /* of the distribution; sd > 0 */
    double width;        /* of a bin, in standard deviations */
    unsigned threads;    /* the histogram does not depend on it */
    unsigned rank, ranks; /* compute share `rank` (from 0) of `ranks`; the shares' histograms add up to the whole's */
    bool share;          /* asked for as one, be it the only one */
};

/* The article's values: 20 million N(6,1) variates, width 1, seed 1, Perl's generator, one thread, one rank. */
struct workload workload_default(void);

/* "perl" or "fast"; false for anything else. */
bool workload_generator_parse(const char *text, enum workload_generator *generator);
const char *workload_generator_name(enum workload_generator generator);

/* NULL where the workload can be run, else why not, in a new string ("count: must be ..."). */
char *workload_fault(const struct workload *workload);

/* Counts of the bins lowest, lowest + 1, ..., lowest + bins - 1, and of what fell outside of them. */
struct workload_histogram {
    int64_t lowest;
    size_t bins;
    uint64_t *counts;      /* bins + 2 of them: [0] below the window, [bins + 1] above it */
    double bin_width;      /* w: sd * width */
};

/* All zero, with the window of this workload: 12 standard deviations each way, at most WORKLOAD_REACH bins. */
struct workload_histogram workload_histogram_new(const struct workload *workload);
void workload_histogram_free(struct workload_histogram *histogram);

uint64_t workload_total(const struct workload_histogram *histogram);    /* inside and outside */
uint64_t workload_outside(const struct workload_histogram *histogram);
bool workload_equal(const struct workload_histogram *a, const struct workload_histogram *b);

/* The value that the article prints for bin `slot - 1 + lowest`: index * w, to 15 significant digits. */
double workload_bin_value(const struct workload_histogram *histogram, size_t slot);

/* Probability of slot 0 ... bins + 1 of the window under N(mean, sd), by erfc at the rule's own edges. */
double workload_probability(const struct workload *workload, const struct workload_histogram *histogram, size_t slot);

/* Pearson's chi-square of the histogram against `total` times these probabilities; neighbouring slots are pooled
 * until 5 or more are expected in each (Cochran 1954). Degrees 0 and p NaN where fewer than two groups remain. */
struct workload_fit {
    double value, p;
    unsigned degrees;
};
struct workload_fit workload_fit(const struct workload *workload, const struct workload_histogram *histogram);

#endif
