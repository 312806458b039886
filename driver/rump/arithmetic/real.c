/* Arithmetics: MPFR numbers of any precision, also as emulated formats. */
#include "real.h"

#include "common/memory.h"

#include <stdlib.h>

#define ONE(operation, name) [operation] = mpfr_##name,
#define TWO(operation, name)
static int (*const one[OPERATIONS])(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t) = {
#include "rump/formula/functions.def"
    [NEGATE] = mpfr_neg,
};
#undef ONE
#undef TWO

#define ONE(operation, name)
#define TWO(operation, name) [operation] = mpfr_##name,
static int (*const two[OPERATIONS])(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t) = {
#include "rump/formula/functions.def"
    [ADD] = mpfr_add, [SUBTRACT] = mpfr_sub, [MULTIPLY] = mpfr_mul, [DIVIDE] = mpfr_div, [RAISE] = mpfr_pow,
    [MIN] = mpfr_min, [MAX] = mpfr_max,
};
#undef ONE
#undef TWO

int real_apply(const struct node *node, mpfr_ptr result, const mpfr_ptr *x, mpfr_rnd_t rounding)
{
    switch (node->operation) {
    case PI: return mpfr_const_pi(result, rounding);
    case POWER: return mpfr_pow_si(result, x[0], node->power, rounding);
    case SUM: return mpfr_sum(result, x, (unsigned long)node->operands, rounding);
    case FMA: return mpfr_fma(result, x[0], x[1], x[2], rounding);
    default: break;
    }
    if (node->operands == 1)
        return one[node->operation](result, x[0], rounding);
    return two[node->operation](result, x[0], x[1], rounding);
}

static void real_init(const struct arithmetic *arithmetic, union value *value)
{
    mpfr_init2(value->real, arithmetic->format.precision);
}

static void real_clear(union value *value)
{
    mpfr_clear(value->real);
}

static void real_set(const struct arithmetic *arithmetic, union value *value, mpq_srcptr rational)
{
    int ternary = mpfr_set_q(value->real, rational, arithmetic->rounding);
    mpfr_subnormalize(value->real, ternary, arithmetic->rounding);
}

static enum outcome real_operate(const struct arithmetic *arithmetic, const struct node *node, union value *result,
                                 union value *const *operand)
{
    mpfr_ptr few[4] = { NULL }, *x = node->operands > 4 ? memory_calloc((size_t)node->operands, sizeof *x) : few;
    for (int i = 0; i < node->operands; i++)
        x[i] = operand[i]->real;
    int ternary = real_apply(node, result->real, x, arithmetic->rounding);
    mpfr_subnormalize(result->real, ternary, arithmetic->rounding);
    if (x != few)
        free(x);
    return DONE;
}

static void real_get(mpfr_ptr result, const union value *value)
{
    mpfr_set(result, value->real, MPFR_RNDN);
}

const struct operations real_operations = { real_init, real_clear, real_set, real_operate, real_get };
