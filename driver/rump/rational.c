/* Arithmetics: exact rationals. */
#include "rational.h"

#include <stdlib.h>

static void rational_init(const struct arithmetic *arithmetic, union value *value)
{
    (void)arithmetic;
    mpq_init(value->rational);
}

static void rational_clear(union value *value)
{
    mpq_clear(value->rational);
}

static void rational_set(const struct arithmetic *arithmetic, union value *value, mpq_srcptr rational)
{
    (void)arithmetic;
    mpq_set(value->rational, rational);
}

static bool rational_power(mpq_ptr result, mpq_srcptr base, long power)
{
    if (power < 0 && !mpq_sgn(base))
        return false;
    mpz_pow_ui(mpq_numref(result), mpq_numref(base), (unsigned long)labs(power));
    mpz_pow_ui(mpq_denref(result), mpq_denref(base), (unsigned long)labs(power));
    if (power < 0)
        mpq_inv(result, result);
    return true;
}

static bool rational_operate(const struct arithmetic *arithmetic, const struct node *node, union value *result,
                             union value *const *x)
{
    (void)arithmetic;
    mpq_ptr r = result->rational;
    switch (node->operation) {
    case NEGATE: mpq_neg(r, x[0]->rational); break;
    case ADD: mpq_add(r, x[0]->rational, x[1]->rational); break;
    case SUBTRACT: mpq_sub(r, x[0]->rational, x[1]->rational); break;
    case MULTIPLY: mpq_mul(r, x[0]->rational, x[1]->rational); break;
    case DIVIDE:
        if (!mpq_sgn(x[1]->rational))
            return false;
        mpq_div(r, x[0]->rational, x[1]->rational);
        break;
    case POWER: return rational_power(r, x[0]->rational, node->power);
    case SUM:
        mpq_set(r, x[0]->rational);
        for (int i = 1; i < node->operands; i++)
            mpq_add(r, r, x[i]->rational);
        break;
    case FMA:
        mpq_mul(r, x[0]->rational, x[1]->rational);
        mpq_add(r, r, x[2]->rational);
        break;
    default: break;
    }
    return true;
}

const struct operations rational_operations = { rational_init, rational_clear, rational_set, rational_operate, NULL };
