/* Known stable forms of operations that lose digits, in words. Pure. */
#ifndef RUMP_STUDY_ADVICE_H
#define RUMP_STUDY_ADVICE_H

#include "trace.h"

/* How to write the operation that loses most so that it does not: a new string, NULL where nothing is known. */
char *advice_of(const struct expression *expression, const struct trace *trace);

#endif
