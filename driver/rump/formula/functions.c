/* The functions that an expression may call. */
#include "functions.h"

#include "common/memory.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define ONE(operation, name) { #name, operation, 1, 1 },
#define TWO(operation, name) { #name, operation, 2, 2 },
static const struct function functions[] = {
#include "functions.def"
    { "min", MIN, 2, 2 }, { "max", MAX, 2, 2 }, { "fma", FMA, 3, 3 }, { "sum", SUM, 1, 0 },
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

const struct function *functions_find(const char *name)
{
    for (int i = 0; i < FUNCTIONS; i++)
        if (!strcmp(functions[i].name, name))
            return functions + i;
    return NULL;
}

const struct function *functions_of(enum operation operation)
{
    for (int i = 0; i < FUNCTIONS; i++)
        if (functions[i].operation == operation)
            return functions + i;
    return NULL;
}

char *functions_names(void)
{
    char *names = memory_strdup(functions[0].name);
    for (int i = 1; i < FUNCTIONS; i++) {
        char *longer = memory_format("%s, %s", names, functions[i].name);
        free(names);
        names = longer;
    }
    return names;
}
