/* The machine code of stubs. */
#ifndef DISPATCH_STUB_H
#define DISPATCH_STUB_H

#include "dispatch/code/prove.h"

#include <stddef.h>

enum {
    STUB_OTHERS = 48,          /* of a stub of numbers: where what has no stub goes */
    STUB_GUARD = 9,            /* bytes of a guard; behind it, what other numbers do */
};

/* What is to be known of a slot's code, beside its slot_info. */
struct stub {
    uintptr_t back;            /* the instruction behind the site's `syscall` */
    long number;
    uintptr_t others;          /* where other numbers than that go on */
    struct site site;          /* start NULL: it has no moved instructions */
    uint8_t before[PROVE_JUMP];  /* what the jump replaced */
    const uint8_t *island;     /* where they stand, NULL: at the beginning of the slot */
    uint8_t first;             /* length of the instruction that the jump replaced */
    uint8_t moved;             /* bytes of the moved instructions */
    bool i386;                 /* of an int $0x80, which stands at the beginning */
    uint8_t guard, add, call;  /* offsets in the slot: behind the moved instructions, of `add $127, %al`, of `syscall` */
};

/* A jump by number: high byte, then low byte. */
struct stub_numbers {
    uintptr_t *high[256], low[3][256];
};

/* Write a slot for stub->back and stub->number, beginning with the moved instructions of `site` unless that is NULL.
 * False: it does not fit. */
bool stub_write(struct stub *stub, uint8_t *slot, const struct site *site);
bool stub_write_numbers(struct stub *stub, uint8_t *slot, struct stub_numbers *numbers);

/* The stub of an int $0x80 that makes calls of one number, whose row is `row`. */
bool stub_write_i386(struct stub *stub, uint8_t *slot, size_t row);

/* The moved instructions of a site that is far from the slots, and jmp *guard. Returns the end of the instructions. */
uint8_t *stub_write_island(uint8_t *room, size_t size, const struct site *site, uintptr_t guard);

/* A place in a stub, as the program would know it. */
struct stub_place {
    uintptr_t shown;           /* the address in the site */
    long number;
    unsigned below;            /* bytes between the stack pointer and the program's */
    int flags_moved;           /* rax is not the number: 1, and the flags are right; 2: ah and al are the flags, 3: ah */
};
void stub_place(const struct stub *stub, unsigned offset, struct stub_place *place);

#endif
