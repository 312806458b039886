/* The range of an expression over a box, as table, JSON or CSV. */
#ifndef RUMP_REPORT_BOX_H
#define RUMP_REPORT_BOX_H

#include "rump/request.h"
#include "rump/study/box.h"

void box_report(const struct request *request, const struct range *range, struct output *output);

#endif
