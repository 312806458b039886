/* The jump at a site, and the instructions that it displaces. */
#ifndef DISPATCH_PATCH_H
#define DISPATCH_PATCH_H

#include "dispatch/code/prove.h"

#include <stddef.h>

extern bool patch_threads;     /* there are, or may be, several threads */
uint8_t *patch_move(const struct site *site, uint8_t *to, const uint8_t *limit);  /* its instructions, relocated */
void patch_expect_threads(bool tell);    /* before the first of them begins; tell: a call of our own is allowed */
bool patch_jump(const struct site *site, uintptr_t stub);   /* write the jump */
bool patch_writable(uintptr_t start, size_t size, bool writable);

#endif
