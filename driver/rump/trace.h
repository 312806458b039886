/* What each operation does to the bits: a trace in exact rationals. Pure. */
#ifndef RUMP_TRACE_H
#define RUMP_TRACE_H

#include "evaluate.h"

/* One operation. |value| is in [2^(exponent-1), 2^exponent). */
struct step {
    int node;
    bool zero;
    long exponent;   /* of the exact value; 0 where that is zero */
    long cancelled;  /* bits: how much smaller the result of an addition is than its largest operand */
    long needed;     /* bits that hold the exact value; 0: no number of bits does */
    long amplified;  /* bits by which the rounding error of an inexact operand grows */
};

struct trace {
    struct step *step;
    int count;
    const struct step *cancels, *needs, *amplifies;  /* the worst operation of each kind; NULL: none cancels, ... */
    long exact_from;  /* from this precision all that can be exact is, and little else is lost; 0: no such precision */
    long lost;        /* bits between the largest value on the way and the result, and a few for the roundings */
};

/* From an evaluation in exact rationals without an undefined operation. */
struct trace trace_of(const struct evaluation *exact);
void trace_free(struct trace *trace);

#endif
