/* What the command line asked for. */
#ifndef RUMP_REQUEST_H
#define RUMP_REQUEST_H

#include "common/options.h"
#include "formula/orders.h"

#include <mpfr.h>

struct input {
    char *name, *text;
    char *upper;  /* of a range; NULL: a number */
};

struct request {
    long digits, precision, pell, from, to;  /* 0: not asked for; from and to are the sweep's */
    const struct order *order;
    char *expression;                        /* NULL: the order's */
    mpfr_rnd_t rounding;
    bool boxed;                              /* some inputs are ranges */
    bool exact, trace, peers, article, quiet, binary64;
    struct input *input;
    size_t inputs, positional;               /* of them given without a name */
    struct options report;
};

/* Parse the command line; false after saying what is wrong. Ends the program for --help and unknown options. */
bool request_parse(struct request *request, int argc, char **argv);
void request_free(struct request *request);

/* The text given for a name, NULL: none. */
const char *request_input(const struct request *request, const char *name);

/* "nearest", "zero", "up", "down" or "away". */
const char *request_rounding(mpfr_rnd_t rounding);

#endif
