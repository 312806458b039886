/* All that is found out about one expression at one point. */
#ifndef RUMP_STUDY_STUDY_H
#define RUMP_STUDY_STUDY_H

#include "certify.h"
#include "claim.h"
#include "judge.h"
#include "trace.h"

/* The expression in one format. */
struct row {
    char *name, *value, *hexadecimal;
    struct format format;
    mpfr_rnd_t rounding;
    mpfr_t number;
    struct judgement judgement;
    const char *class;
    char *cause;  /* "a overflows": what left the finite numbers, NULL: nothing did */
};

struct study {
    const struct expression *expression;
    struct evaluation exact;     /* in rationals, where these are not too large */
    mpq_srcptr fraction;         /* its result, NULL where it is not known */
    struct expression reduced;   /* constants for what is exact in it; without nodes where all is */
    struct trace trace;
    struct claim claim;          /* for the rounding mode that was asked for */
    struct certificate certificate;
    mpfr_t reference, plausible; /* the value to judge by, and a/(2b) alone */
    bool has_plausible;
    struct row *row;
    size_t rows;
};

/* Find fraction, trace and certified digits. Returns NULL, or why the expression has no value here, as a new string. */
char *study_open(struct study *study, const struct expression *expression, size_t digits, mpfr_rnd_t rounding);
void study_close(struct study *study);

/* Drop the rows. */
void study_clear(struct study *study);

/* Prepare to judge results of up to `precision` bits, once. Returns as study_open. */
char *study_reference(struct study *study, mpfr_prec_t precision);

/* Evaluate in a format and judge: one more row. */
void study_add(struct study *study, struct format format, mpfr_rnd_t rounding);
void study_add_precision(struct study *study, mpfr_prec_t precision, mpfr_rnd_t rounding);

/* The precision from which on all rows are right, where they are a sweep; 0: the last one is not. */
long study_right_from(const struct study *study);

/* The precision from which on results are proved right; 0: none is known. */
long study_proved_from(const struct study *study);

/* Wrong rows that agree to 5 digits with each other: marks the largest such set, returns its size (0 or at least 2). */
size_t study_agreement(const struct study *study, bool *member);

#endif
