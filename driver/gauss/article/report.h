/* The article's figures beside what was measured, for people and programs. */
#ifndef GAUSS_ARTICLE_REPORT_H
#define GAUSS_ARTICLE_REPORT_H

#include "common/output.h"
#include "answer.h"

void answer_print(const struct answer *answer, struct output *output);

#endif
