/* Statistics of small samples. */
#include "statistics.h"

#include "errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct statistics_spread statistics_spread(const double *values, size_t count)
{
    if (!count)
        return (struct statistics_spread){ NAN, NAN, NAN };
    double *sorted = errors_calloc(count, sizeof *sorted);
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, ascending);
    struct statistics_spread spread = { sorted[count / 2], sorted[0], sorted[count - 1] };
    if (count % 2 == 0)
        spread.median = (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
    free(sorted);
    return spread;
}
