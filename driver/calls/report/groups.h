/* Programs or processes with the calls of each, as table and JSON. */
#ifndef CALLS_REPORT_GROUPS_H
#define CALLS_REPORT_GROUPS_H

#include "calls/measure/measure.h"
#include "common/output_json.h"

/* A table: a line for each, most calls first. Nothing where they were not told apart. */
void report_groups_print(struct output *output, const struct measurement *result);

/* Add "programs" or "process_list". */
void report_groups_json(json_t *object, const struct measurement *result);

#endif
