/* A comparison for people, programs and the eye. */
#ifndef GAUSS_PAIRS_REPORT_H
#define GAUSS_PAIRS_REPORT_H

#include "common/output.h"
#include "judge.h"

/* Print as output->format says; `calls` (NULL: none) are those that calls_count() has counted. */
void comparison_print(const struct comparison *comparison, json_t *calls, struct output *output);

/* Draw the ratios. 0, or -1 after saying what is wrong. */
int comparison_plot(const struct comparison *comparison, const char *path);

#endif
