/* Measurements as metrics in Prometheus's text format, version 0.0.4: what a node exporter's textfile collector takes. */
#ifndef CALLS_REPORT_PROMETHEUS_H
#define CALLS_REPORT_PROMETHEUS_H

#include "calls/measure/measure.h"
#include "common/output.h"

/* Every metric of all results, each series labelled with the command and, where `pids` is not NULL, with one process of
 * it, which keeps apart what runs twice. Not in it: files and single processes, which are no labels (a label's values
 * are to be few, and the same the next time). */
void prometheus_print(struct output *output, const struct measurement *results, const int *pids, size_t count);

#endif
