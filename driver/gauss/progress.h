/* A line on a terminal that says how far long work has come. */
#ifndef GAUSS_PROGRESS_H
#define GAUSS_PROGRESS_H

#include <stdbool.h>

struct progress {
    bool terminal;          /* standard error is one */
    double started, shown;  /* clock, seconds */
};

struct progress progress_start(void);

/* Show the share `done` (0 to 1), or `text` where it isn't NULL; nothing in the first second, five times a second then. */
void progress_show(struct progress *progress, double done, const char *text);

/* Wipe the line. */
void progress_end(struct progress *progress);

#endif
