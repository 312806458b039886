/* The table of functions. */
#ifndef RUMP_FORMULA_FUNCTIONS_H
#define RUMP_FORMULA_FUNCTIONS_H

#include "expression.h"

struct function {
    const char *name;
    enum operation operation;
    int least, most;  /* operands; most 0: any number */
};

/* NULL where there is none. */
const struct function *functions_find(const char *name);
const struct function *functions_of(enum operation operation);

#endif
