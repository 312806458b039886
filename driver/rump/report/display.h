/* What was found out about an expression, as tables, CSV, plain text or a picture. */
#ifndef RUMP_REPORT_DISPLAY_H
#define RUMP_REPORT_DISPLAY_H

#include "rump/request.h"
#include "rump/study/study.h"

/* The study as the request wants it. */
void display_table(const struct request *request, const struct study *study, struct output *output);
void display_csv(const struct request *request, const struct study *study, struct output *output);

/* One number as one line: the fraction, the only row's value, or the certified digits. */
void display_quiet(const struct request *request, const struct study *study, FILE *stream);

/* The rows' error against their precision. Returns 0, or -1 after saying what is wrong. */
int display_plot(const struct request *request, const struct study *study);

#endif
