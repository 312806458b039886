/* A comparison for people, programs and the eye. */
#ifndef GAUSS_PAIRS_REPORT_H
#define GAUSS_PAIRS_REPORT_H

#include "common/output_json.h"
#include "judge.h"

/* Print as output->format says; `calls` (NULL: none) are those that calls_count() has counted. */
void comparison_print(const struct comparison *comparison, json_t *calls, struct output *output);

/* The same as JSON, its warnings alone (each after "WHAT: " where `what` is not NULL), and the median wall time, in
 * seconds, of a run of A or of B. */
json_t *comparison_json(const struct comparison *comparison, json_t *calls);
void comparison_warn(const struct comparison *comparison, const char *what, struct output *output);
double comparison_wall(const struct comparison *comparison, bool b);

/* Draw the ratios. 0, or -1 after saying what is wrong. */
int comparison_plot(const struct comparison *comparison, const char *path);

#endif
