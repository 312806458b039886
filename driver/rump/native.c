/* Arithmetics: the processor's and the compiler's own formats. Each operation works on run-time values and is
 * compiled without contraction, so that no compiler folds or fuses what a reader thinks is computed. */
#if defined __clang__ && !defined _Float128
#define _Float128 __float128  /* clang knows the type by this name only; mpfr.h wants the other */
#endif
#define MPFR_WANT_FLOAT128 1
#include "native.h"

#include "real.h"

#include <math.h>

static void no_init(const struct arithmetic *arithmetic, union value *value)
{
    (void)arithmetic;
    *value = (union value){ 0 };
}

static void no_clear(union value *value)
{
    (void)value;
}

/* A correctly rounded sum: by MPFR, the operands are exact there. */
static void sum_terms(const struct arithmetic *arithmetic, const struct node *node, mpfr_ptr result,
                      union value *const *operand)
{
    mpfr_t terms[EXPRESSION_OPERANDS];
    mpfr_ptr pointers[EXPRESSION_OPERANDS];
    for (int i = 0; i < node->operands; i++) {
        mpfr_init2(terms[i], arithmetic->format.precision);
        arithmetic->operations->get(terms[i], operand[i]);
        pointers[i] = terms[i];
    }
    int ternary = real_apply(node, result, pointers, arithmetic->rounding);
    mpfr_subnormalize(result, ternary, arithmetic->rounding);
    for (int i = 0; i < node->operands; i++)
        mpfr_clear(terms[i]);
}

/* The operations of one type: FMA and POW are libm's functions, GET and SET convert from and to MPFR. */
#define NATIVE(member, type, FMA_, POW, GET, SET)                                                                      \
    static void member##_set(const struct arithmetic *arithmetic, union value *value, mpq_srcptr rational)             \
    {                                                                                                                  \
        union value real;                                                                                              \
        real_operations.init(arithmetic, &real);                                                                       \
        real_operations.set(arithmetic, &real, rational);                                                              \
        value->member = GET(real.real, MPFR_RNDN);                                                                     \
        real_operations.clear(&real);                                                                                  \
    }                                                                                                                  \
    static void member##_get(mpfr_ptr result, const union value *value)                                                \
    {                                                                                                                  \
        SET(result, value->member, MPFR_RNDN);                                                                         \
    }                                                                                                                  \
    static bool member##_apply(const struct arithmetic *arithmetic, const struct node *node, union value *result,      \
                               union value *const *x)                                                                  \
    {                                                                                                                  \
        union value sum;                                                                                               \
        switch (node->operation) {                                                                                     \
        case NEGATE: result->member = -x[0]->member; break;                                                            \
        case ADD: result->member = x[0]->member + x[1]->member; break;                                                 \
        case SUBTRACT: result->member = x[0]->member - x[1]->member; break;                                            \
        case MULTIPLY: result->member = x[0]->member * x[1]->member; break;                                            \
        case DIVIDE: result->member = x[0]->member / x[1]->member; break;                                              \
        case POWER: result->member = POW(x[0]->member, (type)node->power); break;                                      \
        case FMA: result->member = FMA_(x[0]->member, x[1]->member, x[2]->member); break;                              \
        default:                                                                                                       \
            real_operations.init(arithmetic, &sum);                                                                    \
            sum_terms(arithmetic, node, sum.real, x);                                                                  \
            result->member = GET(sum.real, MPFR_RNDN);                                                                 \
            real_operations.clear(&sum);                                                                               \
        }                                                                                                              \
        return true;                                                                                                   \
    }                                                                                                                  \
    const struct operations member##_operations = { no_init, no_clear, member##_set, member##_apply, member##_get };

NATIVE(binary32, float, fmaf, powf, mpfr_get_flt, mpfr_set_flt)
NATIVE(binary64, double, fma, pow, mpfr_get_d, mpfr_set_d)
NATIVE(extended, long double, fmal, powl, mpfr_get_ld, mpfr_set_ld)
#ifdef __SIZEOF_FLOAT128__
binary128 fmaf128(binary128, binary128, binary128);  /* glibc has them for clang too, its headers do not */
binary128 powf128(binary128, binary128);
NATIVE(binary128, binary128, fmaf128, powf128, mpfr_get_float128, mpfr_set_float128)
#endif
