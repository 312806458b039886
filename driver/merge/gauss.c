/* Shares of the Gaussian workload, read and added up. */
#include "gauss.h"

#include "common/errors.h"
#include "common/memory.h"
#include "gauss/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static int refuse(const char *path, const char *why)
{
    errors_say("merge: %s: %s", path, why);
    return -1;
}

static const char no_share[] = "not a share that reckon gauss local --stream=I/N has written";

/* The workload of a report, its share and the variates in it that lie below all bins. */
static bool read_workload(const json_t *report, struct workload *workload, json_int_t *below)
{
    const char *generator;
    json_int_t seed, threads, index, of, count;
    json_t *mean, *sd, *width;
    if (json_unpack((json_t *)report, "{s:s, s:I, s:o, s:o, s:o, s:I, s:{s:I, s:I, s:I, s:I}}", "generator", &generator,
                    "seed", &seed, "mean", &mean, "sd", &sd, "width", &width, "threads", &threads, "stream", "index",
                    &index, "of", &of, "total_count", &count, "below", below) ||
        !workload_generator_parse(generator, &workload->generator) || seed < 0 || count < 0 || of < 1 || of > 1000000 ||
        index < 1 || index > of || threads < 1 || threads > WORKLOAD_THREADS_MAX)
        return false;
    workload->seed = (uint64_t)seed;
    workload->count = (uint64_t)count;
    workload->mean = json_number_value(mean);
    workload->sd = json_number_value(sd);
    workload->width = json_number_value(width);
    workload->threads = (unsigned)threads;
    workload->rank = (unsigned)index - 1;
    workload->ranks = (unsigned)of;
    char *fault = workload_fault(workload);
    free(fault);
    return !fault;
}

static bool same(const struct workload *a, const struct workload *b)
{
    return a->generator == b->generator && a->seed == b->seed && a->count == b->count && a->mean == b->mean &&
           a->sd == b->sd && a->width == b->width && a->ranks == b->ranks;
}

/* Add `count` variates to a slot; never more than the workload has, so that no sum is too large. */
static bool add(struct merge_gauss *sum, size_t slot, json_int_t count)
{
    if (count < 0 || (uint64_t)count > sum->workload.count)
        return false;
    sum->histogram.counts[slot] += (uint64_t)count;
    return sum->histogram.counts[slot] <= sum->workload.count;
}

static bool add_bin(struct merge_gauss *sum, const json_t *bin)
{
    const struct workload_histogram *histogram = &sum->histogram;
    json_int_t count = 0;
    double value = json_number_value(json_object_get(bin, "bin"));
    double slot = round(value / histogram->bin_width) - (double)histogram->lowest + 1;
    return !json_unpack((json_t *)bin, "{s:I}", "count", &count) && slot >= 1 && slot <= (double)histogram->bins &&
           workload_bin_value(histogram, (size_t)slot) == value && add(sum, (size_t)slot, count);
}

static bool add_histogram(struct merge_gauss *sum, const json_t *report, json_int_t below)
{
    size_t i;
    json_t *bin, *bins;
    json_int_t outside, count;
    uint64_t before = workload_total(&sum->histogram);
    if (json_unpack((json_t *)report, "{s:o, s:I, s:I}", "histogram", &bins, "outside", &outside, "count", &count) ||
        !json_is_array(bins) || !add(sum, 0, below) || !add(sum, sum->histogram.bins + 1, outside - below))
        return false;
    json_array_foreach(bins, i, bin)
        if (!add_bin(sum, bin))
            return false;
    return workload_total(&sum->histogram) - before == (uint64_t)count;
}

int merge_gauss_add(struct merge_gauss *sum, const char *path, const json_t *report)
{
    struct workload workload;
    json_int_t below;
    if (!read_workload(report, &workload, &below))
        return refuse(path, no_share);
    if (!sum->first) {
        sum->first = path;
        sum->workload = workload;
        sum->workload.threads = 0;
        sum->histogram = workload_histogram_new(&workload);
        sum->seen = memory_calloc(workload.ranks, sizeof *sum->seen);
    }
    if (!same(&sum->workload, &workload)) {
        errors_say("merge: %s: a share of another workload than %s", path, sum->first);
        return -1;
    }
    if (sum->seen[workload.rank]) {
        errors_say("merge: %s: share %u of %u for the second time", path, workload.rank + 1, workload.ranks);
        return -1;
    }
    if (!add_histogram(sum, report, below))
        return refuse(path, no_share);
    sum->seen[workload.rank] = true;
    sum->workload.threads += workload.threads;
    sum->wall_s = fmax(sum->wall_s, json_number_value(json_object_get(report, "wall_s")));
    sum->cpu_s += json_number_value(json_object_get(report, "cpu_s"));
    return 0;
}

int merge_gauss_check(const struct merge_gauss *sum)
{
    for (unsigned rank = 0; rank < sum->workload.ranks; rank++) {
        if (!sum->seen[rank]) {
            errors_say("merge: share %u of %u is missing", rank + 1, sum->workload.ranks);
            return -1;
        }
    }
    if (workload_total(&sum->histogram) == sum->workload.count)
        return 0;
    errors_say("merge: the shares have %" PRIu64 " variates, and the workload has %" PRIu64,
               workload_total(&sum->histogram), sum->workload.count);
    return -1;
}

int merge_gauss_write(const struct merge_gauss *sum, const char *output, enum output_format format)
{
    struct workload whole = sum->workload;
    whole.rank = 0;
    whole.ranks = 1;
    whole.share = false;
    return report_write(&(struct report){ .workload = &whole, .histogram = &sum->histogram, .wall_s = sum->wall_s,
                                          .cpu_s = sum->cpu_s },
                        &(struct options){ .output = output, .format = format });
}

void merge_gauss_free(struct merge_gauss *sum)
{
    workload_histogram_free(&sum->histogram);
    free(sum->seen);
}
