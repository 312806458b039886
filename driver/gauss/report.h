/* A histogram for people, programs and the eye. */
#ifndef GAUSS_REPORT_H
#define GAUSS_REPORT_H

#include "common/options.h"
#include "workload/workload.h"

#include <jansson.h>

/* What was computed, and how long it took. */
struct report {
    const struct workload *workload;
    const struct workload_histogram *histogram;
    double wall_s, cpu_s;                /* of the computation, as its caller saw it */
    const char *server;                  /* NULL: in this process */
    double server_wall_s, server_cpu_s;  /* the computation there */
};

/* Write it where and as the options say, and the picture; the exit status. */
int report_write(const struct report *report, const struct options *options);

/* A JSON number: an integer where the value is whole. */
json_t *report_number(double value);

#endif
