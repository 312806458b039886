/* The workload's parameters, bins and expectations. */
#include "workload.h"

#include "common/memory.h"
#include "common/statistics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REACH_SD 12          /* beyond what either generator can return (11.4 and 8.5) */
#define INDEX_MAX 1e9        /* bin indexes fit an int32_t */
#define EXPECTED_MIN 5       /* Cochran's rule for the chi-square */

static const char *const generators[] = { "perl", "fast" };

struct workload workload_default(void)
{
    return (struct workload){ .generator = WORKLOAD_PERL, .seed = 1, .count = 20000000, .mean = 6, .sd = 1, .width = 1,
                              .threads = 1, .ranks = 1 };
}

bool workload_generator_parse(const char *text, enum workload_generator *generator)
{
    for (size_t i = 0; i < sizeof generators / sizeof *generators; i++) {
        if (!strcmp(text, generators[i])) {
            *generator = (enum workload_generator)i;
            return true;
        }
    }
    return false;
}

const char *workload_generator_name(enum workload_generator generator)
{
    return generators[generator];
}

char *workload_fault(const struct workload *workload)
{
    double w = workload->sd * workload->width, mean = workload->mean;
    if (workload->generator != WORKLOAD_PERL && workload->generator != WORKLOAD_FAST)
        return memory_strdup("generator: must be perl or fast");
    if (workload->count < 1 || workload->count > WORKLOAD_COUNT_MAX)
        return memory_format("count: must be from 1 to %" PRIu64, (uint64_t)WORKLOAD_COUNT_MAX);
    if (workload->seed > WORKLOAD_SEED_MAX)
        return memory_format("seed: must be from 0 to %u", WORKLOAD_SEED_MAX);
    if (!isfinite(mean))
        return memory_strdup("mean: must be a finite number");
    if (!(workload->sd > 0) || !isfinite(workload->sd))
        return memory_strdup("sd: must be a positive, finite number");
    if (!(workload->width > 0) || !isfinite(workload->width))
        return memory_strdup("width: must be a positive, finite number");
    if (!isnormal(w) || !isfinite(fabs(mean) + REACH_SD * workload->sd + w) || !isnormal(workload->sd))
        return memory_strdup("width: bins of this width and sd are beyond the range of a double");
    if (fabs(mean) / w > INDEX_MAX || 1 / workload->width > INDEX_MAX)
        return memory_format("width: more than %g bins between 0 and the mean, or in a standard deviation", INDEX_MAX);
    if (workload->threads < 1 || workload->threads > WORKLOAD_THREADS_MAX)
        return memory_format("threads: must be from 1 to %d", WORKLOAD_THREADS_MAX);
    if (workload->ranks < 1 || workload->rank >= workload->ranks)
        return memory_strdup("stream: must be I/N with I from 1 to N");
    return NULL;
}

struct workload_histogram workload_histogram_new(const struct workload *workload)
{
    double w = workload->sd * workload->width, reach = ceil(REACH_SD / workload->width) + 1;
    int64_t half = reach < WORKLOAD_REACH ? (int64_t)reach : WORKLOAD_REACH;
    struct workload_histogram histogram = {
        .lowest = (int64_t)((workload->mean + w / 2) / w) - half,
        .bins = (size_t)(2 * half + 1),
        .bin_width = w,
    };
    histogram.counts = memory_calloc(histogram.bins + 2, sizeof *histogram.counts);
    return histogram;
}

void workload_histogram_free(struct workload_histogram *histogram)
{
    free(histogram->counts);
    *histogram = (struct workload_histogram){ 0 };
}

uint64_t workload_total(const struct workload_histogram *histogram)
{
    uint64_t total = 0;
    for (size_t slot = 0; slot < histogram->bins + 2; slot++)
        total += histogram->counts[slot];
    return total;
}

uint64_t workload_outside(const struct workload_histogram *histogram)
{
    return histogram->counts[0] + histogram->counts[histogram->bins + 1];
}

bool workload_equal(const struct workload_histogram *a, const struct workload_histogram *b)
{
    return a->lowest == b->lowest && a->bins == b->bins &&
           !memcmp(a->counts, b->counts, (a->bins + 2) * sizeof *a->counts);
}

double workload_bin_value(const struct workload_histogram *histogram, size_t slot)
{
    char text[32];
    int64_t index = histogram->lowest + (int64_t)slot - 1;
    snprintf(text, sizeof text, "%.15g", (double)index * histogram->bin_width);
    return strtod(text, NULL);
}

/* Lower edge, in standard deviations from the mean, of the values whose index is `index` or more. The rule's index 0
 * begins above t = -1, index i < 0 above i - 1, index i > 0 at i, with t = (x + w/2) / w. */
static double lower_edge(const struct workload *workload, double w, int64_t index)
{
    double t = index > 0 ? (double)index : (double)index - 1;
    return (t * w - w / 2 - workload->mean) / workload->sd;
}

/* Normal probability of [a, b), from the tail where nothing cancels. */
static double between(double a, double b)
{
    if (a > 0)
        return 0.5 * (erfc(a * M_SQRT1_2) - erfc(b * M_SQRT1_2));
    if (b < 0)
        return 0.5 * (erfc(-b * M_SQRT1_2) - erfc(-a * M_SQRT1_2));
    return 1 - 0.5 * (erfc(-a * M_SQRT1_2) + erfc(b * M_SQRT1_2));
}

double workload_probability(const struct workload *workload, const struct workload_histogram *histogram, size_t slot)
{
    int64_t index = histogram->lowest + (int64_t)slot - 1;
    double w = histogram->bin_width;
    double from = slot == 0 ? -INFINITY : lower_edge(workload, w, index);
    double to = slot == histogram->bins + 1 ? INFINITY : lower_edge(workload, w, index + 1);
    return between(from, to);
}

struct workload_fit workload_fit(const struct workload *workload, const struct workload_histogram *histogram)
{
    double total = (double)workload_total(histogram), expected = 0, counted = 0, value = 0;
    double last_expected = 0, last_counted = 0;
    unsigned groups = 0;
    for (size_t slot = 0; slot < histogram->bins + 2; slot++) {
        expected += total * workload_probability(workload, histogram, slot);
        counted += (double)histogram->counts[slot];
        if (expected < EXPECTED_MIN)
            continue;
        if (groups++)
            value += (last_counted - last_expected) * (last_counted - last_expected) / last_expected;
        last_expected = expected, last_counted = counted;
        expected = counted = 0;
    }
    last_expected += expected, last_counted += counted;  /* the upper tail joins the last group */
    if (groups < 2)
        return (struct workload_fit){ 0, NAN, 0 };
    value += (last_counted - last_expected) * (last_counted - last_expected) / last_expected;
    return (struct workload_fit){ value, statistics_chi_square_p(value, groups - 1), groups - 1 };
}
