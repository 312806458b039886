/* Statistics of small samples. */
#include "statistics.h"

#include "memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_MAX 4  /* a median nearer to the limit than a quarter of its own error could lie on either side of it */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A sorted copy. */
static double *sort(const double *values, size_t count)
{
    double *sorted = memory_calloc(count, sizeof *sorted);
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, ascending);
    return sorted;
}

struct statistics_spread statistics_spread(const double *values, size_t count)
{
    if (!count)
        return (struct statistics_spread){ NAN, NAN, NAN };
    double *sorted = sort(values, count);
    struct statistics_spread spread = { sorted[count / 2], sorted[0], sorted[count - 1] };
    if (count % 2 == 0)
        spread.median = (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
    free(sorted);
    return spread;
}

/* P(X <= k) for X binomial with `count` trials and probability 1/2. */
static double binomial_half(size_t count, size_t k)
{
    double sum = 0, n = (double)count;
    for (size_t i = 0; i <= k; i++)
        sum += exp(lgamma(n + 1) - lgamma((double)i + 1) - lgamma(n - (double)i + 1) - n * M_LN2);
    return fmin(sum, 1);
}

struct statistics_interval statistics_median_interval(const double *values, size_t count, double confidence)
{
    double tail = (1 - confidence) / 2;
    struct statistics_interval interval = { statistics_spread(values, count).median, NAN, NAN };
    if (!count || binomial_half(count, 0) > tail)
        return interval;
    size_t rank = 0;  /* values left out at each end */
    while (binomial_half(count, rank + 1) <= tail)
        rank++;
    double *sorted = sort(values, count);
    interval.lower = sorted[rank];
    interval.upper = sorted[count - 1 - rank];
    free(sorted);
    return interval;
}

double statistics_sign_p(const double *values, size_t count, double null)
{
    size_t below = 0, above = 0;
    for (size_t i = 0; i < count; i++) {
        below += values[i] < null;
        above += values[i] > null;
    }
    if (!(below + above))
        return 1;
    return fmin(1, 2 * binomial_half(below + above, below < above ? below : above));
}

double statistics_chi_square_p(double value, unsigned degrees)
{
    double y = value / 2, sum = degrees % 2 ? erfc(sqrt(y)) : 0;
    if (!(value > 0))
        return 1;
    for (double k = degrees % 2 ? 0.5 : 0; k < degrees / 2.0 - 0.25; k++)  /* Poisson terms e^-y y^k / k! */
        sum += exp(k * log(y) - y - lgamma(k + 1));
    return fmin(sum, 1);
}

/* The standard normal value that is exceeded with probability `tail`, by bisection of erfc. */
static double normal_quantile(double tail)
{
    double low = 0, high = 40;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        *(0.5 * erfc(middle * M_SQRT1_2) > tail ? &low : &high) = middle;
    }
    return low;
}

struct statistics_interval statistics_shift_interval(const double *x, size_t x_count, const double *y, size_t y_count,
                                                     double confidence)
{
    double n = (double)x_count, m = (double)y_count;
    size_t count = x_count * y_count;
    double *differences = memory_calloc(count, sizeof *differences);
    for (size_t i = 0; i < count; i++)
        differences[i] = y[i % y_count] - x[i / y_count];
    double *sorted = sort(differences, count);
    struct statistics_interval interval = { statistics_spread(sorted, count).median, NAN, NAN };
    double rank = floor(n * m / 2 - normal_quantile((1 - confidence) / 2) * sqrt(n * m * (n + m + 1) / 12));
    if (rank >= 1) {
        interval.lower = sorted[(size_t)rank - 1];
        interval.upper = sorted[count - (size_t)rank];
    }
    free(sorted);
    free(differences);
    return interval;
}

enum statistics_verdict statistics_verdict(struct statistics_interval ratio, double margin)
{
    if (ratio.upper < 1 - margin)
        return STATISTICS_FASTER;
    if (ratio.lower > 1 + margin)
        return STATISTICS_SLOWER;
    if (ratio.lower > 1 - margin && ratio.upper < 1 + margin)
        return STATISTICS_EQUIVALENT;
    return STATISTICS_INCONCLUSIVE;
}

const char *statistics_verdict_name(enum statistics_verdict verdict)
{
    static const char *const names[] = { "faster", "slower", "equivalent", "inconclusive" };
    return names[verdict];
}

size_t statistics_needed(struct statistics_interval ratio, size_t count, double margin)
{
    if (isnan(ratio.lower))
        return count < 6 ? 6 : 0;
    double half = fmax(ratio.upper - ratio.median, ratio.median - ratio.lower);
    double room = fabs(fabs(ratio.median - 1) - margin);  /* to the nearer limit */
    if (!(room >= half / ROOM_MAX * (1 - 1e-9)))
        return 0;
    return (size_t)fmax(ceil((double)count * (half / room) * (half / room) - 1e-6), (double)count + 1);
}

double statistics_bimodality(const double *values, size_t count)
{
    double n = (double)count, mean = 0, m2 = 0, m3 = 0, m4 = 0;
    if (count < 4)
        return NAN;
    for (size_t i = 0; i < count; i++)
        mean += values[i] / n;
    for (size_t i = 0; i < count; i++) {
        double d = values[i] - mean, square = d * d;
        m2 += square / n;
        m3 += square * d / n;
        m4 += square * square / n;
    }
    if (!(m2 > 0))
        return NAN;
    double skew = m3 / pow(m2, 1.5) * sqrt(n * (n - 1)) / (n - 2);
    double kurtosis = (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * (m4 / (m2 * m2) - 3) + 6);
    return (skew * skew + 1) / (kurtosis + 3 * (n - 1) * (n - 1) / ((n - 2) * (n - 3)));
}
