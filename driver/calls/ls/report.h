/* The results of reckon ls as tables, JSON and CSV. */
#ifndef CALLS_LS_REPORT_H
#define CALLS_LS_REPORT_H

#include "common/output.h"
#include "experiment.h"

void ls_report(struct output *output, const struct experiment *experiment);

#endif
