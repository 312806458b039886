/* Arithmetics: MPFR numbers of any precision, also as emulated formats. */
#include "real.h"

int real_apply(const struct node *node, mpfr_ptr result, const mpfr_ptr *operand, mpfr_rnd_t rounding)
{
    const mpfr_ptr *x = operand;
    switch (node->operation) {
    case NEGATE: return mpfr_neg(result, x[0], rounding);
    case ADD: return mpfr_add(result, x[0], x[1], rounding);
    case SUBTRACT: return mpfr_sub(result, x[0], x[1], rounding);
    case MULTIPLY: return mpfr_mul(result, x[0], x[1], rounding);
    case DIVIDE: return mpfr_div(result, x[0], x[1], rounding);
    case POWER: return mpfr_pow_si(result, x[0], node->power, rounding);
    case SUM: return mpfr_sum(result, x, (unsigned long)node->operands, rounding);
    case FMA: return mpfr_fma(result, x[0], x[1], x[2], rounding);
    default: return 0;
    }
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

static bool real_operate(const struct arithmetic *arithmetic, const struct node *node, union value *result,
                         union value *const *operand)
{
    mpfr_ptr x[EXPRESSION_OPERANDS];
    for (int i = 0; i < node->operands; i++)
        x[i] = operand[i]->real;
    int ternary = real_apply(node, result->real, x, arithmetic->rounding);
    mpfr_subnormalize(result->real, ternary, arithmetic->rounding);
    return true;
}

static void real_get(mpfr_ptr result, const union value *value)
{
    mpfr_set(result, value->real, MPFR_RNDN);
}

const struct operations real_operations = { real_init, real_clear, real_set, real_operate, real_get };
