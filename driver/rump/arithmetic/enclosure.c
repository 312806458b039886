/* Arithmetics: enclosures. MPFI computes them; here are what it lacks, the domains, and the points, which stay points as
 * long as results are exact and take one evaluation instead of two. */
#include "enclosure.h"

#include "common/memory.h"
#include "real.h"

#include <stdlib.h>

#define ONE(operation, name) [operation] = mpfi_##name,
#define TWO(operation, name)
static int (*const one[OPERATIONS])(mpfi_ptr, mpfi_srcptr) = {
#include "rump/formula/functions.def"
    [NEGATE] = mpfi_neg,
};
#undef ONE
#undef TWO

#define ONE(operation, name)
#define TWO(operation, name) [operation] = mpfi_##name,
static int (*const two[OPERATIONS])(mpfi_ptr, mpfi_srcptr, mpfi_srcptr) = {
#include "rump/formula/functions.def"
    [SUBTRACT] = mpfi_sub, [MULTIPLY] = mpfi_mul, [DIVIDE] = mpfi_div,
};
#undef ONE
#undef TWO

static void enclosure_init(const struct arithmetic *arithmetic, union value *value)
{
    mpfi_init2(value->enclosure, arithmetic->format.precision);
}

static void enclosure_clear(union value *value)
{
    mpfi_clear(value->enclosure);
}

/* The left end was rounded down, with this ternary value, from one exact number: the right end is its neighbour. */
static void close_point(mpfi_ptr value, int ternary)
{
    if (!ternary && mpfr_zero_p(&value->left))
        mpfr_set_zero(&value->left, 1);  /* zero has no sign here */
    mpfr_set(&value->right, &value->left, MPFR_RNDU);
    if (ternary)
        mpfr_nextabove(&value->right);
}

static void enclosure_set(const struct arithmetic *arithmetic, union value *value, mpq_srcptr rational)
{
    (void)arithmetic;
    close_point(value->enclosure, mpfr_set_q(&value->enclosure->left, rational, MPFR_RNDD));
}

bool enclosure_is_point(mpfi_srcptr x)
{
    return mpfr_number_p(&x->left) && mpfr_equal_p(&x->left, &x->right);
}

bool enclosure_holds_zero(mpfi_srcptr x)
{
    return mpfr_sgn(&x->left) <= 0 && mpfr_sgn(&x->right) >= 0;
}

static void set_everything(mpfi_ptr value)
{
    mpfr_set_inf(&value->left, -1);
    mpfr_set_inf(&value->right, 1);
}

void enclosure_power(mpfi_ptr result, mpfi_srcptr x, long n)
{
    bool even = n % 2 == 0, falling = n < 0;
    mpfi_t size;  /* |x| for even powers */
    mpfi_init2(size, mpfi_get_prec(x));
    (even ? mpfi_abs : mpfi_set)(size, x);
    mpfr_pow_si(&result->left, falling ? &size->right : &size->left, n, MPFR_RNDD);
    mpfr_pow_si(&result->right, falling ? &size->left : &size->right, n, MPFR_RNDU);
    mpfi_clear(size);
}

void enclosure_least(mpfi_ptr result, mpfi_srcptr x, mpfi_srcptr y)
{
    mpfr_min(&result->left, &x->left, &y->left, MPFR_RNDD);
    mpfr_min(&result->right, &x->right, &y->right, MPFR_RNDU);
}

void enclosure_most(mpfi_ptr result, mpfi_srcptr x, mpfi_srcptr y)
{
    mpfr_max(&result->left, &x->left, &y->left, MPFR_RNDD);
    mpfr_max(&result->right, &x->right, &y->right, MPFR_RNDU);
}

/* Where nothing has an extreme but the corners: x^y for x >= 0, since y ln(x) has none; atan2 beside its cut (MPFI's is
 * wrong where an operand is zero). */
static void by_corners(mpfi_ptr result, mpfi_srcptr x, mpfi_srcptr y,
                       int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t))
{
    mpfr_srcptr ends[2][2] = { { &x->left, &x->right }, { &y->left, &y->right } };
    mpfi_t corner;
    mpfi_init2(corner, mpfi_get_prec(result));
    for (int k = 0; k < 4; k++) {
        function(&corner->left, ends[0][k & 1], ends[1][k >> 1], MPFR_RNDD);
        function(&corner->right, ends[0][k & 1], ends[1][k >> 1], MPFR_RNDU);
        mpfi_union(result, k ? result : corner, corner);
    }
    mpfi_clear(corner);
}

static bool holds_integer(mpfi_srcptr x)
{
    mpfr_t next;
    mpfr_init2(next, mpfi_get_prec(x));
    mpfr_rint_ceil(next, &x->left, MPFR_RNDD);
    bool holds = mpfr_lessequal_p(next, &x->right);
    mpfr_clear(next);
    return holds;
}

/* Whether the operation is defined for all of the operands, for none, or for some. */
static enum outcome domain(const struct node *node, union value *const *operand)
{
    mpfi_srcptr x = operand[0]->enclosure, last = operand[node->operands - 1]->enclosure;
    bool integer = enclosure_is_point(last) && mpfr_integer_p(&last->left);
    switch (node->operation) {
    case POWER:
        if (node->power >= 0)
            return DONE;
        /* fall through */
    case DIVIDE: return !enclosure_holds_zero(last) ? DONE : enclosure_is_point(last) ? UNDEFINED : UNCERTAIN;
    case RAISE:
        if (integer)
            return mpfr_sgn(&last->left) < 0 && enclosure_holds_zero(x) ? UNCERTAIN : DONE;
        if ((mpfr_sgn(&x->left) == 0 && mpfr_sgn(&last->left) <= 0) || (mpfr_sgn(&x->left) < 0 && holds_integer(last)))
            return UNCERTAIN;
        /* fall through */
    case SQRT: return mpfr_sgn(&x->right) < 0 ? UNDEFINED : mpfr_sgn(&x->left) < 0 ? UNCERTAIN : DONE;
    case LOG: case LOG2: case LOG10:
        return mpfr_sgn(&x->right) <= 0 ? UNDEFINED : mpfr_sgn(&x->left) <= 0 ? UNCERTAIN : DONE;
    case LOG1P:
        return mpfr_cmp_si(&x->right, -1) <= 0 ? UNDEFINED : mpfr_cmp_si(&x->left, -1) <= 0 ? UNCERTAIN : DONE;
    case ASIN: case ACOS:
        if (mpfr_cmp_si(&x->right, -1) < 0 || mpfr_cmp_si(&x->left, 1) > 0)
            return UNDEFINED;
        return mpfr_cmp_si(&x->left, -1) < 0 || mpfr_cmp_si(&x->right, 1) > 0 ? UNCERTAIN : DONE;
    case ATAN2:  /* the cut: on it and above the value is pi, below -pi */
        return mpfr_sgn(&x->left) < 0 && mpfr_sgn(&x->right) >= 0 && mpfr_sgn(&last->left) < 0 ? UNCERTAIN : DONE;
    default: return DONE;
    }
}

/* A correctly rounded operation on one end of each operand, which the result rises with; MPFR's ternary value. */
static int at_ends(const struct node *node, mpfr_ptr result, union value *const *operand, bool right)
{
    mpfr_ptr few[4] = { NULL }, *x = node->operands > 4 ? memory_calloc((size_t)node->operands, sizeof *x) : few;
    for (int i = 0; i < node->operands; i++)
        x[i] = right ? &operand[i]->enclosure->right : &operand[i]->enclosure->left;
    int ternary = real_apply(node, result, x, right ? MPFR_RNDU : MPFR_RNDD);
    if (x != few)
        free(x);
    return ternary;
}

/* All operands are points: MPFR knows where the operation is undefined. */
static enum outcome at_point(const struct node *node, mpfi_ptr result, union value *const *operand)
{
    mpfr_clear_flags();
    close_point(result, at_ends(node, &result->left, operand, false));
    return mpfr_nanflag_p() || mpfr_divby0_p() ? UNDEFINED : DONE;
}

/* MPFI would look at length for the quadrants of what is wider than a period. */
static bool wider_than_period(mpfi_srcptr x)
{
    mpfr_t width;
    mpfr_init2(width, 64);
    mpfi_diam_abs(width, x);
    bool wide = mpfr_cmp_ui(width, 7) >= 0;
    mpfr_clear(width);
    return wide;
}

/* The slope of a sine or cosine changes by no more than the operand is wide: where it keeps its sign the ends are those
 * of the operand. Else MPFI finds the extremes. */
static void wave(mpfi_ptr result, mpfi_srcptr x, bool sine)
{
    mpfr_t slope, width;
    mpfr_inits2(64, slope, width, (mpfr_ptr)0);
    (sine ? mpfr_cos : mpfr_sin)(slope, &x->left, MPFR_RNDN);
    bool rises = (mpfr_sgn(slope) > 0) == sine;
    mpfr_abs(slope, slope, MPFR_RNDN);
    mpfi_diam_abs(width, x);
    mpfr_add_d(width, width, 0x1p-60, MPFR_RNDU);  /* the slope was rounded */
    if (wider_than_period(x)) {
        mpfi_interv_si(result, -1, 1);
    } else if (mpfr_greater_p(slope, width)) {
        int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t) = sine ? mpfr_sin : mpfr_cos;
        function(&result->left, rises ? &x->left : &x->right, MPFR_RNDD);
        function(&result->right, rises ? &x->right : &x->left, MPFR_RNDU);
    } else {
        (sine ? mpfi_sin : mpfi_cos)(result, x);
    }
    mpfr_clears(slope, width, (mpfr_ptr)0);
}

void enclosure_sine(mpfi_ptr result, mpfi_srcptr x)
{
    wave(result, x, true);
}

void enclosure_cosine(mpfi_ptr result, mpfi_srcptr x)
{
    wave(result, x, false);
}

static void over_ranges(const struct node *node, mpfi_ptr r, union value *const *x)
{
    mpfi_srcptr first = x[0]->enclosure, second = node->operands > 1 ? x[1]->enclosure : NULL;
    switch (node->operation) {
    case POWER: enclosure_power(r, first, node->power); break;
    case RAISE:
        if (enclosure_is_point(second) && mpfr_integer_p(&second->left) && mpfr_fits_slong_p(&second->left, MPFR_RNDN))
            enclosure_power(r, first, mpfr_get_si(&second->left, MPFR_RNDN));
        else
            by_corners(r, first, second, mpfr_pow);
        break;
    case ATAN2: by_corners(r, first, second, mpfr_atan2); break;
    case SIN: enclosure_sine(r, first); break;
    case COS: enclosure_cosine(r, first); break;
    case TAN:
        if (wider_than_period(first))
            set_everything(r);
        else
            mpfi_tan(r, first);
        break;
    case MIN: enclosure_least(r, first, second); break;
    case MAX: enclosure_most(r, first, second); break;
    case FMA:
        mpfi_mul(r, first, second);
        mpfi_add(r, r, x[2]->enclosure);
        break;
    case SUM: case ADD:
        at_ends(node, &r->left, x, false);
        at_ends(node, &r->right, x, true);
        break;
    case MULTIPLY:
        if (x[0] == x[1])
            mpfi_sqr(r, first);
        else
            mpfi_mul(r, first, second);
        break;
    default:
        if (second)
            two[node->operation](r, first, second);
        else
            one[node->operation](r, first);
    }
}

static enum outcome enclosure_apply(const struct arithmetic *arithmetic, const struct node *node, union value *result,
                                    union value *const *operand)
{
    (void)arithmetic;
    mpfi_ptr r = result->enclosure;
    bool points = true;
    for (int i = 0; i < node->operands; i++)
        points = points && enclosure_is_point(operand[i]->enclosure);
    if (points)
        return at_point(node, r, operand);
    enum outcome outcome = domain(node, operand);
    if (outcome == DONE)
        over_ranges(node, r, operand);
    if (node->operation == TAN && !mpfi_bounded_p(r) && mpfi_bounded_p(operand[0]->enclosure))
        outcome = UNCERTAIN;  /* a pole, perhaps */
    if (outcome != DONE || mpfr_nan_p(&r->left) || mpfr_nan_p(&r->right))
        set_everything(r);
    return outcome;
}

const struct operations enclosure_operations = {
    enclosure_init, enclosure_clear, enclosure_set, enclosure_apply, NULL,
};
