/* Lengths of x86-64 instructions, and which of them may be moved: pure, no input or output. */
#ifndef DISPATCH_DECODE_H
#define DISPATCH_DECODE_H

#include <stdbool.h>
#include <stdint.h>

enum decode_kind {
    DECODE_FIXED,        /* must stay where it is: control flow, the stack pointer, anything out of the ordinary */
    DECODE_MOVABLE,      /* does the same at any address */
    DECODE_RELATIVE,     /* movable when the 32-bit displacement at `offset`, relative to its end, is corrected */
    DECODE_CONDITIONAL,  /* a conditional jump */
};

struct decoded {
    uint8_t length;      /* bytes; 0: not an instruction that is known here */
    uint8_t offset;      /* DECODE_RELATIVE: where its displacement stands */
    uint8_t condition;   /* DECODE_CONDITIONAL: 0 to 15, the low half of the opcode */
    enum decode_kind kind;
    bool scratch;        /* rcx or r11, which a system call destroys, may be among its operands */
    const uint8_t *target;  /* of a jump or call by a displacement, else NULL */
};

/* The instruction at `code`. Reads no byte at or behind `end`: an instruction that is cut off there has length 0.
 * Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapter 2 and appendix A. */
struct decoded decode(const uint8_t *code, const uint8_t *end);

/* The little-endian 32-bit number at `at`. */
static inline int32_t decode_number(const uint8_t *at)
{
    return (int32_t)((uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24);
}

#endif
