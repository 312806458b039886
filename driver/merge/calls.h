/* Sums of reports of calls, written as one. */
#ifndef MERGE_CALLS_H
#define MERGE_CALLS_H

#include "calls/saved/reports.h"
#include "common/output.h"

/* Write the sums, in this order of rows and, where asked for, with the calls' spread over the reports. */
void merge_calls_print(struct reports *merge, struct output *output, enum count_order order, bool spread,
                       bool by_errno);

#endif
