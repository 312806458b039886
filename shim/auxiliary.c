/* The auxiliary vector stands behind the environment with which the program began. */
#include "auxiliary.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <unistd.h>

/* Not there where a part of the library is linked into a test. */
__attribute__((weak)) void *real_symbol(const char *name);

static const ElfW(auxv_t) *vector;

void auxiliary_begin(char *const *environment)
{
    while (environment && *environment)
        environment++;
    vector = environment ? (const ElfW(auxv_t) *)(environment + 1) : NULL;
}

unsigned long auxiliary_value(unsigned long type)
{
    if (!vector && &real_symbol) {  /* loaded later, by dlopen: the environment may be elsewhere by now */
        unsigned long (*get)(unsigned long) = (unsigned long (*)(unsigned long))real_symbol("getauxval");
        return get ? get(type) : 0;
    }
    if (!vector)
        auxiliary_begin(environ);
    for (const ElfW(auxv_t) *at = vector; at && at->a_type != AT_NULL; at++)
        if (at->a_type == type)
            return at->a_un.a_val;
    return 0;
}
