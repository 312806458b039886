/* A line on a terminal that says how far long work has come. */
#ifndef COMMON_PROGRESS_H
#define COMMON_PROGRESS_H

#include <stdbool.h>

struct progress {
    bool terminal;          /* standard error is one */
    double started, shown;  /* clock, seconds */
};

struct progress progress_start(void);

/* Whether progress_show() would show something now: not in the first second, then five times a second. */
bool progress_due(const struct progress *progress);

/* Show `text`, and the share `done` (0 to 1) and the time left where it isn't NAN; nothing when it isn't due. */
void progress_show(struct progress *progress, double done, const char *text);

/* Wipe the line. */
void progress_end(struct progress *progress);

#endif
