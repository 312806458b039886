/* A histogram for people, programs and the eye. */
#ifndef GAUSS_REPORT_H
#define GAUSS_REPORT_H

#include "common/output.h"
#include "workload.h"

/* What was computed, and how long it took. */
struct report {
    const struct workload *workload;
    const struct workload_histogram *histogram;
    double wall_s, cpu_s;                /* of the computation, as its caller saw it */
    const char *server;                  /* NULL: in this process */
    double server_wall_s, server_cpu_s;  /* the computation there */
};

/* Print as output->format says. */
void report_print(const struct report *report, struct output *output);

/* Bars for the counts, a line for what was expected. 0, or -1 after saying what is wrong. */
int report_plot(const struct report *report, const char *path);

/* A JSON number: an integer where the value is whole. */
json_t *report_number(double value);

#endif
