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

/* Two-sided interval of the median by order statistics: no assumption but that the values are independent (Conover,
 * Practical Nonparametric Statistics, 3rd ed., 3.2). It covers at least `confidence`; with too few values for that
 * (fewer than 6 for 0.95) lower and upper are NaN. */
struct statistics_interval {
    double median, lower, upper;
};
struct statistics_interval statistics_median_interval(const double *values, size_t count, double confidence);

/* Two-sided p of the sign test that the median is `null`: exact binomial, values equal to it are left out
 * (Conover, 3.4). 1 for no values. */
double statistics_sign_p(const double *values, size_t count, double null);

/* P(chi-square with `degrees` >= 1 degrees of freedom >= value): the closed forms for whole degrees, Abramowitz and
 * Stegun 26.4.4 and 26.4.5. */
double statistics_chi_square_p(double value, unsigned degrees);

/* Two-sided interval of the shift from one sample to another (Hodges and Lehmann 1963; Conover, 5.4): the median of all
 * differences y - x, and those of them that Mann and Whitney's test does not exclude, by the normal approximation. NaN
 * limits where the samples are too small. */
struct statistics_interval statistics_shift_interval(const double *x, size_t x_count, const double *y, size_t y_count,
                                                     double confidence);

/* What an interval of a ratio B/A says when ratios within 1 - margin ... 1 + margin do not matter. Times are compared:
 * FASTER means that B takes less. */
enum statistics_verdict {
    STATISTICS_FASTER,        /* wholly below 1 - margin */
    STATISTICS_SLOWER,        /* wholly above 1 + margin */
    STATISTICS_EQUIVALENT,    /* wholly inside */
    STATISTICS_INCONCLUSIVE,
};
enum statistics_verdict statistics_verdict(struct statistics_interval ratio, double margin);
const char *statistics_verdict_name(enum statistics_verdict verdict);

/* How many values in all, about, would make an inconclusive interval of `count` values conclusive, were the median to
 * stay: its width shrinks as 1 / sqrt(count). 0 where nobody can say: the median is so near a limit that its own error
 * decides. */
size_t statistics_needed(struct statistics_interval ratio, size_t count, double margin);

/* Sarle's bimodality coefficient with the small-sample corrections (SAS; Pfister et al. 2013): above 5/9, the uniform
 * distribution's, two modes are likely. NaN for fewer than 4 values or where all are equal. */
double statistics_bimodality(const double *values, size_t count);

#endif
