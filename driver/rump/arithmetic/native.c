/* Arithmetics: the processor's and the compiler's own formats. The four operations work on run-time values and are
 * compiled without contraction, so that no compiler folds or fuses what a reader thinks is computed. All others are
 * MPFR's, correctly rounded: what a processor or a libm has of them is not. */
#if defined __clang__ && !defined _Float128
#define _Float128 __float128  /* clang knows the type by this name only; mpfr.h wants the other */
#endif
#define MPFR_WANT_FLOAT128 1
#include "native.h"

#include "common/memory.h"
#include "real.h"

#include <stdlib.h>

static void no_init(const struct arithmetic *arithmetic, union value *value)
{
    (void)arithmetic;
    *value = (union value){ 0 };
}

static void no_clear(union value *value)
{
    (void)value;
}

/* An operation by MPFR: the operands are exact there. `result` is initialised here. */
static void by_mpfr(const struct arithmetic *arithmetic, const struct node *node, union value *result,
                    union value *const *operand)
{
    union value *real = memory_calloc((size_t)node->operands + 1, sizeof *real);
    union value **pointer = memory_calloc((size_t)node->operands + 1, sizeof *pointer);
    for (int i = 0; i < node->operands; i++) {
        pointer[i] = real + i;
        real_operations.init(arithmetic, real + i);
        arithmetic->operations->get(real[i].real, operand[i]);
    }
    real_operations.init(arithmetic, result);
    real_operations.apply(arithmetic, node, result, pointer);
    for (int i = 0; i < node->operands; i++)
        real_operations.clear(real + i);
    free(real);
    free(pointer);
}

/* The operations of one type; GET and SET convert from and to MPFR. */
#define NATIVE(member, GET, SET)                                                                                       \
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
    static enum outcome member##_apply(const struct arithmetic *arithmetic, const struct node *node,                   \
                                       union value *result, union value *const *x)                                     \
    {                                                                                                                  \
        union value real;                                                                                              \
        switch (node->operation) {                                                                                     \
        case NEGATE: result->member = -x[0]->member; break;                                                            \
        case ADD: result->member = x[0]->member + x[1]->member; break;                                                 \
        case SUBTRACT: result->member = x[0]->member - x[1]->member; break;                                            \
        case MULTIPLY: result->member = x[0]->member * x[1]->member; break;                                            \
        case DIVIDE: result->member = x[0]->member / x[1]->member; break;                                              \
        default:                                                                                                       \
            by_mpfr(arithmetic, node, &real, x);                                                                       \
            result->member = GET(real.real, MPFR_RNDN);                                                                \
            real_operations.clear(&real);                                                                              \
        }                                                                                                              \
        return DONE;                                                                                                   \
    }                                                                                                                  \
    const struct operations member##_operations = { no_init, no_clear, member##_set, member##_apply, member##_get };

NATIVE(binary32, mpfr_get_flt, mpfr_set_flt)
NATIVE(binary64, mpfr_get_d, mpfr_set_d)
NATIVE(extended, mpfr_get_ld, mpfr_set_ld)
#ifdef __SIZEOF_FLOAT128__
NATIVE(binary128, mpfr_get_float128, mpfr_set_float128)
#endif
