/* The calls of A, B and C, counted by this project's own counter. */
#ifndef GAUSS_PAIRS_CALLS_H
#define GAUSS_PAIRS_CALLS_H

#include "common/output_json.h"
#include "sides.h"

/* Run each once under `reckon run`: {"a": REPORT, "b": REPORT, "c": REPORT}. NULL after saying what is wrong. */
json_t *calls_count(const struct sides *sides);

/* System calls and library calls as two tables. */
void calls_print(const json_t *calls, struct output *output);

#endif
