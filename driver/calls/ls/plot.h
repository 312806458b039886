/* The picture of reckon ls: calls and time against the number of files. */
#ifndef CALLS_LS_PLOT_H
#define CALLS_LS_PLOT_H

#include "experiment.h"

/* A block for each variant, a line for each size: files, calls, median, minimum and maximum of the real time in
 * milliseconds. The calls are system calls, with those of the start where they are known for all variants, or library
 * calls where system calls were not counted. Pure; a new string. */
char *ls_plot_data(const struct experiment *experiment);

/* Returns 0, or -1 after saying what is wrong. */
int ls_plot(const char *path, const struct experiment *experiment);

#endif
