/* Arithmetics: MPFR numbers (also as emulated formats), exact rationals, and the table of formats. */
#include "arithmetic.h"

#include <stdlib.h>

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

#if defined __x86_64__ && defined __SIZEOF_FLOAT128__
#define X86_ONLY(operations) &operations
#else
#define X86_ONLY(operations) NULL
#endif

const struct format arithmetic_formats[] = {
    { "binary16", 11, -23, 16, NULL },
    { "binary32", 24, -148, 128, &binary32_operations },
    { "binary64", 53, -1073, 1024, &binary64_operations },
    { "x87 extended", 64, -16444, 16384, X86_ONLY(extended_operations) },
    { "binary128", 113, -16493, 16384, X86_ONLY(binary128_operations) },
    { NULL, 0, 0, 0, NULL },
};

struct arithmetic arithmetic_emulated(struct format format, mpfr_rnd_t rounding)
{
    return (struct arithmetic){ &real_operations, format, rounding };
}

struct arithmetic arithmetic_of(struct format format, mpfr_rnd_t rounding)
{
    struct arithmetic arithmetic = arithmetic_emulated(format, rounding);
    if (format.native && rounding != MPFR_RNDA)  /* no processor rounds away from zero */
        arithmetic.operations = format.native;
    return arithmetic;
}

struct arithmetic arithmetic_real(mpfr_prec_t precision, mpfr_rnd_t rounding)
{
    struct format whole = { "MPFR", precision, mpfr_get_emin(), mpfr_get_emax(), NULL };
    return arithmetic_emulated(whole, rounding);
}

struct arithmetic arithmetic_enclosure(mpfr_prec_t precision)
{
    struct arithmetic arithmetic = arithmetic_real(precision, MPFR_RNDD);
    arithmetic.operations = &enclosure_operations;
    return arithmetic;
}

struct arithmetic arithmetic_rational(void)
{
    struct arithmetic arithmetic = arithmetic_real(MPFR_PREC_MIN, MPFR_RNDN);
    arithmetic.operations = &rational_operations;
    return arithmetic;
}
