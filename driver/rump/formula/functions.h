/* The operations of an expression, and the table of functions. */
#ifndef RUMP_FORMULA_FUNCTIONS_H
#define RUMP_FORMULA_FUNCTIONS_H

#define ONE(operation, name) operation,
#define TWO(operation, name) operation,
enum operation {
    CONSTANT, VARIABLE, PI,  /* these have no operands */
    NEGATE, ADD, SUBTRACT, MULTIPLY, DIVIDE,
    POWER,                   /* by an integer that the text has */
    RAISE,                   /* by any other exponent */
    SUM, FMA, MIN, MAX,
#include "functions.def"
    OPERATIONS
};
#undef ONE
#undef TWO

struct function {
    const char *name;
    enum operation operation;
    int least, most;  /* operands; most 0: any number */
};

/* NULL where there is none. */
const struct function *functions_find(const char *name);
const struct function *functions_of(enum operation operation);

/* All names, in one line: a new string. */
char *functions_names(void);

#endif
