/* The picture of timed runs: for the calls that took most time, how long one takes. */
#ifndef CALLS_REPORT_LATENCY_H
#define CALLS_REPORT_LATENCY_H

#include "calls/measure/measure.h"

/* The names that cost most in all results together, at most `limit`, the dearest first; those whose time is unknown are
 * left out. Pure; to be freed with counts_free(). */
struct count_list latency_plot_names(const struct measurement *results, size_t count, bool system, size_t limit);

/* A line for each of these names that a result has: its place from 1 on, then p50, p99 and maximum in seconds, and the
 * name. Pure; a new string. */
char *latency_plot_data(const struct count_list *names, const struct measurement *result, bool system);

/* Library calls and system calls, a panel for each kind that was timed. Returns 0, or -1 after saying what is wrong. */
int latency_plot(const char *path, const struct measurement *results, size_t count);

#endif
