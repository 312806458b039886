/* Arithmetics: exact rationals; of functions those values that are rational by construction, as the root of 4. */
#include "rational.h"

#include <math.h>
#include <stdlib.h>

/* Larger powers would take minutes. */
enum { POWER_BITS = 1 << 24 };

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

static enum outcome power(mpq_ptr r, mpq_srcptr base, long exponent)
{
    if (exponent < 0 && !mpq_sgn(base))
        return UNDEFINED;
    mpz_pow_ui(mpq_numref(r), mpq_numref(base), (unsigned long)labs(exponent));
    mpz_pow_ui(mpq_denref(r), mpq_denref(base), (unsigned long)labs(exponent));
    if (exponent < 0)
        mpq_inv(r, r);
    return DONE;
}

/* The positive or real root of the n-th degree, where it is rational. */
static enum outcome root(mpq_ptr r, mpq_srcptr x, unsigned long n)
{
    if (n % 2 == 0 && mpq_sgn(x) < 0)
        return UNDEFINED;
    bool exact = mpz_root(mpq_numref(r), mpq_numref(x), n);
    return mpz_root(mpq_denref(r), mpq_denref(x), n) && exact ? DONE : UNKNOWN;
}

/* x^(p/q). Negative numbers have integer powers only, as in IEEE 754. */
static enum outcome raise(mpq_ptr r, mpq_srcptr x, mpq_srcptr exponent)
{
    bool integer = !mpz_cmp_ui(mpq_denref(exponent), 1);
    size_t bits = mpz_sizeinbase(mpq_numref(x), 2) + mpz_sizeinbase(mpq_denref(x), 2);
    if (mpq_sgn(x) < 0 && !integer)
        return UNDEFINED;
    if (!mpq_sgn(x) && mpq_sgn(exponent) < 0)
        return UNDEFINED;
    if (!mpq_cmp_ui(x, 1, 1) || !mpq_sgn(exponent) || !mpq_sgn(x)) {
        mpq_set_ui(r, mpq_sgn(x) || !mpq_sgn(exponent), 1);
        return DONE;
    }
    if (!mpz_fits_slong_p(mpq_numref(exponent)) || !mpz_fits_ulong_p(mpq_denref(exponent)))
        return UNKNOWN;
    long p = mpz_get_si(mpq_numref(exponent));
    enum outcome outcome = root(r, x, mpz_get_ui(mpq_denref(exponent)));
    if (outcome != DONE || (double)bits * fabs((double)p) > POWER_BITS)
        return outcome == DONE ? UNKNOWN : outcome;
    return power(r, r, p);
}

/* The logarithm of x to a base, where it is an integer. */
static enum outcome logarithm(mpq_ptr r, mpq_srcptr x, unsigned long base)
{
    bool falling = mpz_cmp(mpq_numref(x), mpq_denref(x)) < 0;
    mpz_t rest, factor;
    if (mpq_sgn(x) <= 0)
        return UNDEFINED;
    mpz_init(rest);
    mpz_init_set_ui(factor, base);
    mpz_srcptr part = falling ? mpq_denref(x) : mpq_numref(x), other = falling ? mpq_numref(x) : mpq_denref(x);
    long exponent = (long)mpz_remove(rest, part, factor);
    bool exact = !mpz_cmp_ui(rest, 1) && !mpz_cmp_ui(other, 1);
    mpq_set_si(r, falling ? -exponent : exponent, 1);
    mpz_clears(rest, factor, NULL);
    return exact ? DONE : UNKNOWN;
}

/* A function whose only rational value at a rational number is f(x0) = value; `defined`: x is in its domain. */
static enum outcome only(mpq_ptr r, mpq_srcptr x, long x0, long value, bool defined)
{
    if (!defined)
        return UNDEFINED;
    if (mpq_cmp_si(x, x0, 1))
        return UNKNOWN;
    mpq_set_si(r, value, 1);
    return DONE;
}

static enum outcome hypotenuse(mpq_ptr r, mpq_srcptr x, mpq_srcptr y)
{
    mpq_t square;
    mpq_init(square);
    mpq_mul(r, x, x);
    mpq_mul(square, y, y);
    mpq_add(square, square, r);
    enum outcome outcome = root(r, square, 2);
    mpq_clear(square);
    return outcome;
}

static enum outcome function(const struct node *node, mpq_ptr r, mpq_srcptr x, mpq_srcptr y)
{
    bool within_one = mpq_cmp_si(x, -1, 1) >= 0 && mpq_cmp_si(x, 1, 1) <= 0;
    switch (node->operation) {
    case SQRT: return root(r, x, 2);
    case CBRT: return root(r, x, 3);
    case ABS: mpq_abs(r, x); return DONE;
    case EXP: case COS: case COSH: return only(r, x, 0, 1, true);
    case EXPM1: case SIN: case TAN: case ATAN: case SINH: case TANH: return only(r, x, 0, 0, true);
    case LOG: return only(r, x, 1, 0, mpq_sgn(x) > 0);
    case LOG1P: return only(r, x, 0, 0, mpq_cmp_si(x, -1, 1) > 0);
    case LOG2: return logarithm(r, x, 2);
    case LOG10: return logarithm(r, x, 10);
    case ASIN: return only(r, x, 0, 0, within_one);
    case ACOS: return only(r, x, 1, 0, within_one);
    case ATAN2: return mpq_sgn(y) < 0 ? UNKNOWN : only(r, x, 0, 0, true);
    case HYPOT: return hypotenuse(r, x, y);
    case RAISE: return raise(r, x, y);
    case MIN: mpq_set(r, mpq_cmp(x, y) < 0 ? x : y); return DONE;
    case MAX: mpq_set(r, mpq_cmp(x, y) > 0 ? x : y); return DONE;
    default: return UNKNOWN;
    }
}

static enum outcome rational_apply(const struct arithmetic *arithmetic, const struct node *node, union value *result,
                                   union value *const *x)
{
    (void)arithmetic;
    mpq_ptr r = result->rational;
    switch (node->operation) {
    case PI: return UNKNOWN;
    case NEGATE: mpq_neg(r, x[0]->rational); break;
    case ADD: mpq_add(r, x[0]->rational, x[1]->rational); break;
    case SUBTRACT: mpq_sub(r, x[0]->rational, x[1]->rational); break;
    case MULTIPLY: mpq_mul(r, x[0]->rational, x[1]->rational); break;
    case DIVIDE:
        if (!mpq_sgn(x[1]->rational))
            return UNDEFINED;
        mpq_div(r, x[0]->rational, x[1]->rational);
        break;
    case POWER: return power(r, x[0]->rational, node->power);
    case SUM:
        mpq_set(r, x[0]->rational);
        for (int i = 1; i < node->operands; i++)
            mpq_add(r, r, x[i]->rational);
        break;
    case FMA:
        mpq_mul(r, x[0]->rational, x[1]->rational);
        mpq_add(r, r, x[2]->rational);
        break;
    default: return function(node, r, x[0]->rational, x[node->operands - 1]->rational);
    }
    return DONE;
}

const struct operations rational_operations = { rational_init, rational_clear, rational_set, rational_apply, NULL };
