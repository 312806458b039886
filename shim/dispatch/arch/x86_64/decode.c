/* Lengths of x86-64 instructions: prefixes, opcode map, ModRM, SIB, displacement, immediate. */
#include "decode.h"

#include <stdbool.h>
#include <stddef.h>

/* What follows the opcode byte, a character each: the rows are the high half of the opcode, the columns the low one.
 *   .  nothing      m  ModRM           b  8-bit immediate      z  16 or 32-bit immediate (by operand size)
 *   B  ModRM and 8-bit immediate       Z  ModRM and z          w  16-bit immediate
 *   r  8-bit jump   R  32-bit jump     v  z, or 64 bits with REX.W        a  address-size offset
 *   e  16-bit and 8-bit immediate      t  ModRM, and an immediate where its reg field is 0 or 1
 *   !  not valid in 64-bit mode, or a prefix that is handled before */
static const char one_byte[16][17] = {
    "mmmmbz!!mmmmbz!!", "mmmmbz!!mmmmbz!!", "mmmmbz!!mmmmbz!!", "mmmmbz!!mmmmbz!!",
    "!!!!!!!!!!!!!!!!", "................", "!!!m!!!!zZbB....", "rrrrrrrrrrrrrrrr",
    "BZ!Bmmmmmmmmmmmm", "..........!.....", "aaaa....bz......", "bbbbbbbbvvvvvvvv",
    "BBw.!!BZe.w..b!.", "mmmm!!!.mmmmmmmm", "rrrrbbbbRR!r....", "!.!!..tt......mm",
};
static const char two_bytes[16][17] = {
    "mmmm!.....!.!m.B", "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm", "........!!!!!!!!",
    "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm", "BBBBmmm.mmmmmmmm",
    "RRRRRRRRRRRRRRRR", "mmmmmmmmmmmmmmmm", "...mBm!!...mBmmm", "mmmmmmmmmmBmmmmm",
    "mmBmBBBm........", "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm",
};

/* The instructions that may be moved, a character each: x yes, / only with reg field 0 or 1, others no. Leaves out
 * whatever touches the stack pointer, the flow of control or the system; endbr64 too, and (in movable) what is locked:
 * a jump may lead behind the prefix. */
static const char movable_one[16][17] = {
    "xxxxxx  xxxxxx  ", "xxxxxx  xxxxxx  ", "xxxxxx  xxxxxx  ", "xxxxxx  xxxxxx  ",
    "                ", "                ", "   x     x x    ", "                ",
    "xx xxxxxxxxx x  ", "x       xx      ", "        xx      ", "xxxxxxxxxxxxxxxx",
    "xx    //        ", "xxxx            ", "                ", "      //      //",
};
static const char movable_two[16][17] = {
    "                ", "xx             x", "        xx      ", "                ",
    "xxxxxxxxxxxxxxxx", "                ", "              xx", "              xx",
    "                ", "xxxxxxxxxxxxxxxx", "               x", "      xx      xx",
    "                ", "      x         ", "               x", "                ",
};

struct state {
    const uint8_t *code, *end;
    size_t at;
    bool operand16, address32, locked, wide, vector, broken;
    bool stack;       /* the stack pointer may be an operand that is written */
    bool scratch;     /* rcx, with its halves, or r11 may be one */
    uint8_t rex;
    uint8_t map;      /* 0: one byte; 1: 0F; 2: 0F 38; 3: 0F 3A */
    uint8_t opcode, reg;
    size_t relative;  /* where an instruction-pointer-relative displacement stands, 0: none */
};

static uint8_t take(struct state *state)
{
    if (state->code + state->at >= state->end || state->at >= 15) {
        state->broken = true;
        return 0;
    }
    return state->code[state->at++];
}

static void skip(struct state *state, size_t bytes)
{
    while (bytes--)
        take(state);
}

/* VEX, EVEX and XOP carry the opcode map, and are always followed by an opcode with ModRM (but vzeroupper). */
static void take_vector(struct state *state, uint8_t prefix)
{
    uint8_t first = take(state);
    state->vector = true;
    state->map = prefix == 0xc5 ? 1 : prefix == 0x62 ? first & 7 : first & 31;
    skip(state, prefix == 0xc5 ? 0 : prefix == 0x62 ? 2 : 1);
    state->opcode = take(state);
    if (prefix == 0x8f ? state->map > 10 : state->map < 1 || state->map > 6)
        state->broken = true;
}

/* 8F is pop where the reg field of its ModRM is 0, and else begins XOP. */
static bool begins_xop(const struct state *state)
{
    const uint8_t *next = state->code + state->at;
    return next < state->end && (*next & 31) >= 8;
}

static void take_opcode(struct state *state)
{
    uint8_t byte;
    for (;;) {
        byte = take(state);
        if (byte == 0x66)
            state->operand16 = true;
        else if (byte == 0x67)
            state->address32 = true;
        else if (byte == 0xf0)
            state->locked = true;
        else if (byte != 0xf2 && byte != 0xf3 && (byte & 0xe7) != 0x26 && (byte & 0xfe) != 0x64)
            break;
    }
    if ((byte & 0xf0) == 0x40) {
        state->rex = byte;
        state->wide = byte & 8;
        byte = take(state);
    }
    if (byte == 0xc4 || byte == 0xc5 || byte == 0x62 || (byte == 0x8f && begins_xop(state))) {
        take_vector(state, byte);
        return;
    }
    if (byte == 0x0f) {
        state->map = 1;
        byte = take(state);
        if (byte == 0x38 || byte == 0x3a) {
            state->map = byte == 0x38 ? 2 : 3;
            byte = take(state);
        }
    }
    state->opcode = byte;
}

/* Three bits of an instruction, and the bit of REX that goes with them, name a register: rcx, r11, or ch. */
static void name_register(struct state *state, unsigned low, unsigned rex_bit)
{
    unsigned number = low | (state->rex & rex_bit ? 8 : 0);
    bool of_a_byte = !state->rex && (state->map || !(state->opcode & 1) || (state->opcode & 0xf0) == 0xb0);
    state->scratch |= number == 1 || number == 11 || (number == 5 && of_a_byte);
}

static void take_modrm(struct state *state)
{
    uint8_t byte = take(state), mod = byte >> 6, rm = byte & 7;
    state->reg = byte >> 3 & 7;
    name_register(state, state->reg, 4);
    name_register(state, rm, 1);
    bool group = state->map == 0 && (state->opcode >= 0xc0 || (state->opcode & 0xfc) == 0x80);
    state->stack = (mod == 3 && rm == 4 && !(state->rex & 1)) || (!group && state->reg == 4 && !(state->rex & 4));
    if (mod == 3)
        return;
    if (rm == 4) {
        uint8_t sib = take(state);
        name_register(state, sib & 7, 1);
        name_register(state, sib >> 3 & 7, 2);
        if (mod == 0 && (sib & 7) == 5)
            skip(state, 4);
    } else if (mod == 0 && rm == 5) {
        state->relative = state->at;
        skip(state, 4);
    }
    skip(state, mod == 1 ? 1 : mod == 2 ? 4 : 0);
}

static char operands(const struct state *state)
{
    if (state->map >= 4)
        return state->map == 8 ? 'B' : state->map == 10 ? 'Z' : 'm';
    if (state->map >= 2)
        return state->map == 3 ? 'B' : 'm';
    return (state->map ? two_bytes : one_byte)[state->opcode >> 4][state->opcode & 15];
}

static void take_operands(struct state *state)
{
    char what = operands(state);
    size_t z = state->operand16 && !state->wide ? 2 : 4;
    switch (what) {
    case '.': break;
    case 'm': take_modrm(state); break;
    case 'b': case 'r': skip(state, 1); break;
    case 'z': skip(state, z); break;
    case 'R': skip(state, 4); break;
    case 'w': skip(state, 2); break;
    case 'e': skip(state, 3); break;
    case 'v': skip(state, state->wide ? 8 : z); break;
    case 'a': skip(state, state->address32 ? 4 : 8); break;
    case 'B': take_modrm(state); skip(state, 1); break;
    case 'Z': take_modrm(state); skip(state, z); break;
    case 't':
        take_modrm(state);
        if (state->reg < 2)
            skip(state, state->opcode & 1 ? z : 1);
        break;
    default: state->broken = true;
    }
}

static bool movable(const struct state *state)
{
    if (state->vector || state->map > 1 || state->address32 || state->stack || state->locked)
        return false;
    if (state->map == 0 && (state->opcode & 0xf7) == 0xb4 && !(state->rex & 1))
        return false;  /* mov to the stack pointer */
    char may = (state->map ? movable_two : movable_one)[state->opcode >> 4][state->opcode & 15];
    return may == 'x' || (may == '/' && state->reg < 2);
}

static int32_t displacement(const uint8_t *at, size_t bytes)
{
    if (bytes == 1)
        return (int8_t)at[0];
    return (int32_t)((uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24);
}

struct decoded decode(const uint8_t *code, const uint8_t *end)
{
    struct state state = { .code = code, .end = end };
    struct decoded decoded = { .kind = DECODE_FIXED };
    take_opcode(&state);
    if (!state.broken)
        take_operands(&state);
    if (state.broken)
        return decoded;
    if (!state.map && ((state.opcode & 0xf0) == 0xb0 || (state.opcode & 0xf8) == 0x90))
        name_register(&state, state.opcode & 7, 1);
    decoded.scratch = state.scratch || state.vector || (!state.map && (state.opcode & 0xfe) == 0xd2 /* by cl */);
    decoded.length = (uint8_t)state.at;
    char what = state.vector ? '.' : operands(&state);
    if ((what == 'r' || what == 'R') && !state.operand16) {
        size_t bytes = what == 'r' ? 1 : 4;
        decoded.target = code + state.at + displacement(code + state.at - bytes, bytes);
        if ((state.opcode & 0xf0) == (state.map ? 0x80 : 0x70)) {
            decoded.kind = DECODE_CONDITIONAL;
            decoded.condition = state.opcode & 15;
        }
    } else if (movable(&state)) {
        decoded.kind = state.relative ? DECODE_RELATIVE : DECODE_MOVABLE;
        decoded.offset = (uint8_t)state.relative;
    }
    return decoded;
}
