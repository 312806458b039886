/* Evaluate an expression in an arithmetic. Pure. */
#ifndef RUMP_ARITHMETIC_EVALUATE_H
#define RUMP_ARITHMETIC_EVALUATE_H

#include "arithmetic.h"

struct evaluation {
    const struct expression *expression;
    struct arithmetic arithmetic;
    union value *value;  /* one for each node */
    bool *known;         /* for each node: its value is there (only rationals may lack some) */
    int undefined;       /* the node that is surely undefined, where evaluation stops; -1: none is */
    int uncertain;       /* the first node whose operands' enclosures reach to where it is undefined; -1: none */
};

/* All variables must be assigned. */
struct evaluation evaluate(const struct expression *expression, struct arithmetic arithmetic);
void evaluation_free(struct evaluation *evaluation);

/* The expression with constants where an evaluation in rationals knows short values: to be freed. */
struct expression evaluation_reduce(const struct evaluation *exact);

/* What made a result no finite number, or zero where it should be none. */
enum failure { FINE, OVERFLOWS, DIVIDES_BY_ZERO, INVALID };
struct failed {
    enum failure failure;
    int node;  /* the first one that is not finite */
};

/* The result as an MPFR number, which has the format's precision; for native formats and MPFR's. */
struct failed evaluate_number(const struct expression *expression, struct arithmetic arithmetic, mpfr_ptr result);

/* Bits of the largest numerator or denominator that exact rationals can meet: check before evaluating. Exponents that
 * are not in the text are guessed. */
double evaluate_rational_bits(const struct expression *expression);

#endif
