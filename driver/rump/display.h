/* What was found out about an expression, as tables, JSON, CSV, plain text or a picture. */
#ifndef RUMP_DISPLAY_H
#define RUMP_DISPLAY_H

#include "request.h"
#include "study.h"

/* The study as the request wants it. */
void display_table(const struct request *request, const struct study *study, struct output *output);
void display_csv(const struct request *request, const struct study *study, struct output *output);
json_t *display_json(const struct request *request, const struct study *study);

/* One number as one line: the fraction, the only row's value, or the certified digits. */
void display_quiet(const struct request *request, const struct study *study, FILE *stream);

/* The rows' error against their precision. Returns 0, or -1 after saying what is wrong. */
int display_plot(const struct request *request, const struct study *study);

/* What follows is shared by the reports. All strings are new ones. */

/* The exact fraction; where that is longer than a line and not `whole`, how long it is. NULL: not known. */
char *display_fraction(const struct study *study, bool whole);

/* The ends of the enclosure, rounded outwards to some digits more than are certified. */
struct bounds {
    size_t digits;  /* certified */
    char *lower, *upper;
};
struct bounds display_bounds(const struct certificate *certificate);

/* "t1 = (333.75-a2)*b6" */
char *display_operation(const struct study *study, const struct step *step);

/* The text, or its beginning and ".." where it is wider than `width`. */
char *display_shorten(const char *text, size_t width);

#endif
