/* Expressions as data: a list of operations. Pure. */
#ifndef RUMP_FORMULA_EXPRESSION_H
#define RUMP_FORMULA_EXPRESSION_H

#include "functions.h"

#include <gmp.h>
#include <stdbool.h>

enum { EXPRESSION_NODES = 1000000, EXPRESSION_POWER = 1000000 };

struct node {
    enum operation operation;
    int operands, *operand;  /* indices of earlier nodes */
    long power;              /* of POWER */
    char *text;              /* the name of a variable or a binding, the spelling of a constant, else NULL */
    mpq_t value;             /* of a constant or a variable */
    bool assigned;           /* a variable has its value */
};

struct expression {
    struct node *node;  /* operands before their operations */
    int count, result;
};

void expression_free(struct expression *expression);

/* Give the variable its value; false where the expression has no such variable. */
bool expression_assign(struct expression *expression, const char *name, const mpq_t value);

/* Whether all nodes are those of fractions: no function, no power but by an integer of the text. */
bool expression_is_rational(const struct expression *expression);

/* A node as text, bindings by their names: a new string. With `whole` the node itself is spelt out. What is nested too
 * deep is two dots. */
char *expression_text(const struct expression *expression, int node, bool whole);

#endif
