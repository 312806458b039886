/* Pieces of text that the reports share. All strings are new ones. */
#ifndef RUMP_REPORT_WORDS_H
#define RUMP_REPORT_WORDS_H

#include "rump/study/study.h"

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

/* "(t1+t2)+t3 cancels 121 bits", NULL where nothing cancels. */
char *words_cancels(const struct study *study);

/* From which precision on what can be said of results. */
char *words_claim(const struct study *study);

/* A condition number: "4.4e+36", "infinite". */
char *words_condition(double condition);

/* The text, or its beginning and ".." where it is wider than `width`. */
char *words_shorten(const char *text, size_t width);

#endif
