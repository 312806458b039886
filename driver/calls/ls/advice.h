/* What reckon ls has seen, in words. Pure: no input or output. */
#ifndef CALLS_LS_ADVICE_H
#define CALLS_LS_ADVICE_H

#include "experiment.h"

/* A sentence about the system calls that variants make more than the cheapest of them, per file or, where they don't
 * differ in that, at all; and one about times that differ by more than chance. A new string, empty where nothing
 * differs or system calls were not counted. Commands stand in it as they are, in `...`. */
char *advice(const struct experiment *experiment);

#endif
