/* The article of June 2006 that reckon ls repeats: its system calls beside today's, joined by family. */
#ifndef CALLS_LS_ARTICLE_H
#define CALLS_LS_ARTICLE_H

#include "common/output_json.h"
#include "experiment.h"

/* The table, and what its own counts show. The measurements are those of the smallest directory. */
void article_print(struct output *output, const struct experiment *experiment);

/* An array: for each family the article's counts of ls -l, ls -1 and ls, and those of each variant today. */
json_t *article_json(const struct experiment *experiment);

#endif
