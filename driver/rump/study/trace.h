/* What each operation does to the bits: sizes, cancellation, condition. Pure. */
#ifndef RUMP_STUDY_TRACE_H
#define RUMP_STUDY_TRACE_H

#include "rump/arithmetic/evaluate.h"

/* One operation. |value| is in [2^(exponent-1), 2^exponent). */
struct step {
    int node;
    mpfr_t value;      /* rounded; its first digits are right where `known` */
    bool zero;         /* surely */
    bool known;        /* the exponent is: the value is not zero, and known well enough */
    long exponent;     /* of the value; 0 where it is zero or not known */
    long cancelled;    /* bits: how much smaller the result of an addition is than its largest operand */
    bool cancels_all;  /* nothing is left of operands that are not zero */
    long needed;       /* bits that hold the value where all on the way to it is exact, too; 0: no number of bits does */
    double condition;  /* relative change of the result for one of the operands; infinite where the result is zero */
    double amplifies;  /* relative change of the whole result for one of this value; */
};

struct trace {
    struct step *step;
    int count;
    const struct step *cancels, *worst;  /* what cancels most, and what has the largest condition; NULL: none does */
    double condition;                    /* of the whole, by its variables */
    double lost;                         /* bits that small changes of all values cost; infinite for a zero */
};

/* `exact` is an evaluation in rationals, which may lack values; `enclosed` one in enclosures that are narrow enough for
 * the result's first digits. */
struct trace trace_of(const struct evaluation *exact, const struct evaluation *enclosed);
void trace_free(struct trace *trace);

#endif
