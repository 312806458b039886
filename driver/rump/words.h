/* Pieces of text that the reports share. All strings are new ones. */
#ifndef RUMP_WORDS_H
#define RUMP_WORDS_H

#include "study.h"

/* The exact fraction; where that is longer than a line and not `whole`, how long it is. NULL: not known. */
char *words_fraction(const struct study *study, bool whole);

/* The ends of the enclosure, rounded outwards to some digits more than are certified. */
struct bounds {
    size_t digits;  /* certified */
    char *lower, *upper;
};
struct bounds words_bounds(const struct certificate *certificate);

/* "t1 = (333.75-a2)*b6" */
char *words_operation(const struct study *study, const struct step *step);

/* The text, or its beginning and ".." where it is wider than `width`. */
char *words_shorten(const char *text, size_t width);

#endif
