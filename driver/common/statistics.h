/* Statistics of small samples: pure, no input or output. */
#ifndef COMMON_STATISTICS_H
#define COMMON_STATISTICS_H

#include <stddef.h>

struct statistics_spread {
    double median, minimum, maximum;
};

/* Median, minimum and maximum of `count` values, in the values' own unit; the mean of the two middle values where
 * the count is even. All NaN for no values. The values stay in their order. */
struct statistics_spread statistics_spread(const double *values, size_t count);

#endif
