/* The directory that ls lists: N empty files sample.1, sample.2 ... as in the article, in a temporary directory. */
#ifndef CALLS_LS_SAMPLE_H
#define CALLS_LS_SAMPLE_H

#include "common/progress.h"

#include <stddef.h>

struct sample {
    char *path;
    size_t files;
};

/* Make the directory in $TMPDIR or /tmp. Returns 0, or -1 after saying what is wrong; -1 without a word when
 * interrupt_noted() while it worked. In both cases nothing is left behind. */
int sample_create(struct sample *sample, size_t files, struct progress *progress);

/* Remove the files and the directory. */
void sample_remove(struct sample *sample);

/* How many names `ls` shows of an existing directory. Returns 0, or -1 after saying what is wrong. */
int sample_count(const char *directory, size_t *files);

#endif
