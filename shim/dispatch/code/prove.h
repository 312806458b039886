/* May a site be patched, and from which instruction on? */
#ifndef DISPATCH_PROVE_H
#define DISPATCH_PROVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROVE_JUMP = 5 };       /* bytes of the jump */

struct site {
    uint8_t *start;            /* the instruction that the jump replaces */
    uint8_t *call;             /* the `syscall` */
};
/* The program changes the protection of these pages: code in them is left alone from now on. */
void prove_leave(uintptr_t start, size_t size);
bool prove_site(uintptr_t back, struct site *site);

#endif
