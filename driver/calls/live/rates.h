/* What was counted between two readings of a table, in all and in a second. Pure. */
#ifndef CALLS_LIVE_RATES_H
#define CALLS_LIVE_RATES_H

#include "calls/measure/measure.h"

/* Take away from `now` what it had in `before`, `seconds` earlier: rows, programs and processes that have made no call
 * since are gone from it. Shortest and longest times and percentiles are not known of a part; files are left out. */
void rates_between(const struct measurement *before, struct measurement *now, double seconds);

#endif
