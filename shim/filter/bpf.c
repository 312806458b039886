/* Runs a seccomp filter on a call that is not made: loads of whole words, the scratch memory, arithmetic, jumps. */
#include "filter/bpf.h"

#include <stdbool.h>
#include <stdint.h>

struct machine {
    uint32_t a, x, memory[BPF_MEMWORDS];
    bool broken;
};

static uint32_t word(struct machine *machine, uint32_t offset, const struct seccomp_data *data)
{
    if (offset % 4 || offset >= sizeof *data) {
        machine->broken = true;
        return 0;
    }
    return ((const uint32_t *)data)[offset / 4];
}

static uint32_t cell(struct machine *machine, uint32_t index)
{
    machine->broken |= index >= BPF_MEMWORDS;
    return machine->memory[index % BPF_MEMWORDS];
}

static uint32_t load(struct machine *machine, const struct sock_filter *code, const struct seccomp_data *data)
{
    switch (BPF_MODE(code->code)) {
    case BPF_IMM: return code->k;
    case BPF_ABS: return word(machine, code->k, data);
    case BPF_MEM: return cell(machine, code->k);
    case BPF_LEN: return sizeof *data;
    }
    machine->broken = true;
    return 0;
}

static void calculate(struct machine *machine, uint16_t code, uint32_t b)
{
    switch (BPF_OP(code)) {
    case BPF_ADD: machine->a += b; return;
    case BPF_SUB: machine->a -= b; return;
    case BPF_MUL: machine->a *= b; return;
    case BPF_DIV: machine->broken |= !b; machine->a = b ? machine->a / b : 0; return;
    case BPF_OR: machine->a |= b; return;
    case BPF_AND: machine->a &= b; return;
    case BPF_XOR: machine->a ^= b; return;
    case BPF_LSH: machine->a <<= b & 31; return;
    case BPF_RSH: machine->a >>= b & 31; return;
    case BPF_NEG: machine->a = -machine->a; return;
    }
    machine->broken = true;
}

/* How many instructions a jump leaves out. */
static size_t jump(struct machine *machine, const struct sock_filter *code)
{
    uint32_t a = machine->a, b = BPF_SRC(code->code) == BPF_X ? machine->x : code->k;
    switch (BPF_OP(code->code)) {
    case BPF_JA: return code->k;
    case BPF_JEQ: return a == b ? code->jt : code->jf;
    case BPF_JGT: return a > b ? code->jt : code->jf;
    case BPF_JGE: return a >= b ? code->jt : code->jf;
    case BPF_JSET: return a & b ? code->jt : code->jf;
    }
    machine->broken = true;
    return 0;
}

uint32_t bpf_run(const struct sock_filter *program, size_t length, const struct seccomp_data *data)
{
    struct machine machine = { 0 };
    for (size_t at = 0; at < length && !machine.broken; at++) {
        const struct sock_filter *code = &program[at];
        switch (BPF_CLASS(code->code)) {
        case BPF_LD: machine.a = load(&machine, code, data); break;
        case BPF_LDX: machine.x = load(&machine, code, data); break;
        case BPF_ST: case BPF_STX:
            cell(&machine, code->k);
            machine.memory[code->k % BPF_MEMWORDS] = BPF_CLASS(code->code) == BPF_ST ? machine.a : machine.x;
            break;
        case BPF_ALU: calculate(&machine, code->code, BPF_SRC(code->code) == BPF_X ? machine.x : code->k); break;
        case BPF_JMP: at += jump(&machine, code); break;
        case BPF_RET: return BPF_RVAL(code->code) == BPF_A ? machine.a : code->k;
        case BPF_MISC:
            if (BPF_MISCOP(code->code) == BPF_TAX)
                machine.x = machine.a;
            else
                machine.a = machine.x;
        }
    }
    return SECCOMP_RET_KILL_THREAD;
}
