/* Numbers on the command line of the numeric modes. What cannot be used ends the program with EXIT_USAGE and a message
 * that begins with `what`, the mode and the option: "gauss: --count". */
#ifndef COMMON_QUANTITY_H
#define COMMON_QUANTITY_H

#include <stdint.h>

/* A whole number, written 20000000 or 2e7. */
uint64_t quantity_whole(const char *what, const char *text, uint64_t least, uint64_t most);

/* A real, as strtod reads it; and one above 0 and at most `most`. */
double quantity_real(const char *what, const char *text);
double quantity_positive(const char *what, const char *text, double most);

/* "1%" or "0.01", between 0 and 1. */
double quantity_share(const char *what, const char *text);

#endif
