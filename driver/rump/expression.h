/* Expressions as data: `name = expression; ... expression` is parsed into a list of operations. Pure. */
#ifndef RUMP_EXPRESSION_H
#define RUMP_EXPRESSION_H

#include <gmp.h>
#include <stdbool.h>

enum operation { CONSTANT, VARIABLE, NEGATE, ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, SUM, FMA };

enum { EXPRESSION_OPERANDS = 8, EXPRESSION_NODES = 1000, EXPRESSION_POWER = 1000000 };

struct node {
    enum operation operation;
    int operands, operand[EXPRESSION_OPERANDS];  /* indices of earlier nodes */
    long power;                                  /* of POWER */
    char *text;      /* the name of a variable or a binding, the spelling of a constant, else NULL */
    mpq_t value;     /* of a constant or a variable */
    bool assigned;   /* a variable has its value */
};

struct expression {
    struct node *node;  /* operands before their operations */
    int count, result;
};

/* Grammar: + - * / ^ (integer powers), parentheses, decimal and hexadecimal constants, variables, `name = ...;`,
 * sum(x, y, ...), rounded once, and fma(x, y, z) = x*y + z, rounded once. Returns NULL, or what is wrong as a new
 * string; then the expression is empty. */
char *expression_parse(struct expression *expression, const char *text);
void expression_free(struct expression *expression);

/* Give the variable its value; false where the expression has no such variable. */
bool expression_assign(struct expression *expression, const char *name, const mpq_t value);

/* A node as text, bindings by their names: a new string. With `whole` the node itself is spelt out. */
char *expression_text(const struct expression *expression, int node, bool whole);

#endif
