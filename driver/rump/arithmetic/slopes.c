/* Partial derivatives of operations, by the operands' enclosures and the result's. */
#include "slopes.h"

#include "enclosure.h"

#include <math.h>

/* 1 / slope */
static void invert(mpfi_ptr slope)
{
    mpfi_ui_div(slope, 1, slope);
}

/* of x^n: n x^(n-1) */
static void of_power(mpfi_ptr slope, mpfi_srcptr x, long n)
{
    if (n - 1 < 0 && enclosure_holds_zero(x))
        mpfi_ui_div(slope, 1, x);  /* not bounded */
    else
        enclosure_power(slope, x, n - 1);
    mpfi_mul_si(slope, slope, n);
}

/* of x^y: y x^y / x and x^y ln(x) */
static void of_raise(int which, mpfi_ptr slope, mpfi_srcptr x, mpfi_srcptr y, mpfi_srcptr result)
{
    if (which) {
        mpfi_log(slope, x);
        mpfi_mul(slope, slope, result);
    } else if (enclosure_is_point(y) && mpfr_integer_p(&y->left) && mpfr_fits_sint_p(&y->left, MPFR_RNDN)) {
        of_power(slope, x, mpfr_get_si(&y->left, MPFR_RNDN));
    } else {
        mpfi_div(slope, y, x);
        mpfi_mul(slope, slope, result);
    }
}

/* of the smaller or the larger: 1 where it is surely this operand, 0 where surely the other */
static void of_choice(mpfi_ptr slope, mpfi_srcptr chosen, mpfi_srcptr other)
{
    mpfi_set_si(slope, 0);
    if (mpfi_cmp(chosen, other) <= 0)
        mpfi_put_si(slope, 1);
    if (mpfi_cmp(chosen, other) < 0)
        mpfi_set_si(slope, 1);
}

/* of atan2(y, x): x / (x^2 + y^2) and -y / (x^2 + y^2) */
static void of_atan2(int which, mpfi_ptr slope, mpfi_srcptr y, mpfi_srcptr x)
{
    mpfi_t square;
    mpfi_init2(square, mpfi_get_prec(slope));
    mpfi_sqr(square, x);
    mpfi_sqr(slope, y);
    mpfi_add(square, square, slope);
    mpfi_div(slope, which ? y : x, square);
    if (which)
        mpfi_neg(slope, slope);
    mpfi_clear(square);
}

static void of_two(const struct node *node, int which, mpfi_ptr slope, mpfi_srcptr x, mpfi_srcptr y, mpfi_srcptr result)
{
    switch (node->operation) {
    case MULTIPLY: case FMA: mpfi_set(slope, which ? x : y); break;
    case DIVIDE:
        mpfi_div(slope, result, y);
        mpfi_neg(slope, slope);
        if (!which)
            mpfi_ui_div(slope, 1, y);
        break;
    case RAISE: of_raise(which, slope, x, y, result); break;
    case ATAN2: of_atan2(which, slope, x, y); break;
    case HYPOT: mpfi_div(slope, which ? y : x, result); break;
    case MIN: of_choice(slope, which ? y : x, which ? x : y); break;
    case MAX: of_choice(slope, which ? x : y, which ? y : x); break;  /* 1 where the other one is smaller */
    default: mpfi_set_si(slope, which && node->operation == SUBTRACT ? -1 : 1);
    }
}

static void of_one(const struct node *node, mpfi_ptr slope, mpfi_srcptr x, mpfi_srcptr result)
{
    switch (node->operation) {
    case NEGATE: mpfi_set_si(slope, -1); break;
    case POWER: of_power(slope, x, node->power); break;
    case SQRT: mpfi_mul_ui(slope, result, 2); invert(slope); break;
    case CBRT: mpfi_sqr(slope, result); mpfi_mul_ui(slope, slope, 3); invert(slope); break;
    case EXP: mpfi_set(slope, result); break;
    case EXPM1: mpfi_add_ui(slope, result, 1); break;
    case LOG: mpfi_ui_div(slope, 1, x); break;
    case LOG1P: mpfi_add_ui(slope, x, 1); invert(slope); break;
    case LOG2: mpfi_const_log2(slope); mpfi_mul(slope, slope, x); invert(slope); break;
    case LOG10: mpfi_set_ui(slope, 10); mpfi_log(slope, slope); mpfi_mul(slope, slope, x); invert(slope); break;
    case SIN: enclosure_cosine(slope, x); break;
    case COS: enclosure_sine(slope, x); mpfi_neg(slope, slope); break;
    case TAN: mpfi_sqr(slope, result); mpfi_add_ui(slope, slope, 1); break;
    case ASIN: case ACOS:
        mpfi_sqr(slope, x);
        mpfi_ui_sub(slope, 1, slope);
        mpfi_sqrt(slope, slope);
        invert(slope);
        if (node->operation == ACOS)
            mpfi_neg(slope, slope);
        break;
    case ATAN: mpfi_sqr(slope, x); mpfi_add_ui(slope, slope, 1); invert(slope); break;
    case SINH: mpfi_cosh(slope, x); break;
    case COSH: mpfi_sinh(slope, x); break;
    case TANH: mpfi_sqr(slope, result); mpfi_ui_sub(slope, 1, slope); break;
    case ABS:
        mpfi_interv_si(slope, mpfr_sgn(&x->left) < 0 ? -1 : 1, mpfr_sgn(&x->right) > 0 ? 1 : -1);
        break;
    default: mpfi_set_si(slope, 1);
    }
}

void slopes_of(const struct node *node, int which, mpfi_ptr slope, union value *const *x, mpfi_srcptr result)
{
    if (!mpfi_bounded_p(result)) {  /* a pole may be between two points */
        mpfi_interv_d(slope, -INFINITY, INFINITY);
        return;
    }
    if (node->operands == 1 || node->operation == SUM || which > 1)
        of_one(node, slope, x[0]->enclosure, result);
    else
        of_two(node, which, slope, x[0]->enclosure, x[1]->enclosure, result);
    if (mpfr_nan_p(&slope->left) || mpfr_nan_p(&slope->right)) {
        mpfr_set_inf(&slope->left, -1);
        mpfr_set_inf(&slope->right, 1);
    }
}
