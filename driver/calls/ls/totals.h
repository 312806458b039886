/* The totals of each variant of ls in a directory, with a bar beside them where people look and there is room. */
#ifndef CALLS_LS_TOTALS_H
#define CALLS_LS_TOTALS_H

#include "calls/report/columns.h"
#include "experiment.h"

/* System calls before the program, of the program, and together; without bars, no table where only the program's are
 * known: the table of names has them. */
void ls_totals_print(struct output *output, const struct experiment *experiment, size_t size,
                     const struct column *headings);

#endif
