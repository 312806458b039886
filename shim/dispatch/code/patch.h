/* The jump at a site, and the instructions that it displaces. */
#ifndef DISPATCH_PATCH_H
#define DISPATCH_PATCH_H

#include "dispatch/code/prove.h"

#include <stddef.h>

extern bool patch_threads;     /* there are, or may be, several threads */
uint8_t *patch_move(const struct site *site, uint8_t *to, const uint8_t *limit);  /* its instructions, relocated */
void patch_expect_threads(bool tell);    /* before the first of them begins; tell: a call of our own is allowed */
/* Write the jump. Who comes to a half-written site beside threads waits for the writer; where calls are `dispatched`, the
 * handler sends him on, and a site for which that is not right is refused. */
bool patch_jump(const struct site *site, uintptr_t stub, bool dispatched);
void patch_undo(const struct site *site, const uint8_t before[PROVE_JUMP]);
void patch_skip(uint8_t *at, uint8_t bytes);                /* a jump of five bytes over so many behind it */
void patch_repair(void);       /* the writer of a jump has died */
uint8_t patch_first(const struct site *site);               /* the length of the first instruction, before it is replaced */
uintptr_t patch_moved(const struct site *site, unsigned first, unsigned offset);  /* the address that was moved there */
bool patch_writable(uintptr_t start, size_t size, bool writable);

#endif
