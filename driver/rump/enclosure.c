/* Arithmetics: enclosures by directed rounding. The lower end is rounded down and the upper end up in every
 * operation, so the exact result of the expression is never outside. */
#include "enclosure.h"

#include "real.h"

static void enclosure_init(const struct arithmetic *arithmetic, union value *value)
{
    mpfr_init2(value->enclosure.lower, arithmetic->format.precision);
    mpfr_init2(value->enclosure.upper, arithmetic->format.precision);
}

static void enclosure_clear(union value *value)
{
    mpfr_clear(value->enclosure.lower);
    mpfr_clear(value->enclosure.upper);
}

/* A lower end was rounded down, with this ternary value, from one exact number: the upper end is its neighbour. */
static void close_point(union value *value, int ternary)
{
    mpfr_set(value->enclosure.upper, value->enclosure.lower, MPFR_RNDU);
    if (ternary)
        mpfr_nextabove(value->enclosure.upper);
}

static void enclosure_set(const struct arithmetic *arithmetic, union value *value, mpq_srcptr rational)
{
    (void)arithmetic;
    close_point(value, mpfr_set_q(value->enclosure.lower, rational, MPFR_RNDD));
}

static bool is_point(const union value *value)
{
    return mpfr_equal_p(value->enclosure.lower, value->enclosure.upper) && mpfr_number_p(value->enclosure.lower);
}

static bool holds_zero(const union value *value)
{
    return mpfr_sgn(value->enclosure.lower) <= 0 && mpfr_sgn(value->enclosure.upper) >= 0;
}

/* Nothing is known: all real numbers. */
static void set_everything(union value *value)
{
    mpfr_set_inf(value->enclosure.lower, -1);
    mpfr_set_inf(value->enclosure.upper, 1);
}

/* x*y or x/y, monotone in both as long as neither changes its sign: each end has its own corner. */
static void by_corners(const struct node *node, union value *r, union value *x, union value *y)
{
    mpfr_ptr ends[2][2] = { { x->enclosure.lower, x->enclosure.upper }, { y->enclosure.lower, y->enclosure.upper } };
    bool divide = node->operation == DIVIDE;
    if (!holds_zero(x) && !holds_zero(y)) {
        int i = mpfr_sgn(ends[1][0]) < 0, j = (mpfr_sgn(ends[0][0]) < 0) != divide;
        real_apply(node, r->enclosure.lower, (mpfr_ptr[]){ ends[0][i], ends[1][j] }, MPFR_RNDD);
        real_apply(node, r->enclosure.upper, (mpfr_ptr[]){ ends[0][!i], ends[1][!j] }, MPFR_RNDU);
        return;
    }
    mpfr_t corner;
    mpfr_init2(corner, mpfr_get_prec(r->enclosure.lower));
    mpfr_set_inf(r->enclosure.lower, 1);
    mpfr_set_inf(r->enclosure.upper, -1);
    for (int k = 0; k < 4; k++) {
        mpfr_ptr operand[] = { ends[0][k & 1], ends[1][k >> 1] };
        real_apply(node, corner, operand, MPFR_RNDD);
        if (mpfr_nan_p(corner)) {  /* 0 * infinity */
            set_everything(r);
            break;
        }
        mpfr_min(r->enclosure.lower, r->enclosure.lower, corner, MPFR_RNDD);
        real_apply(node, corner, operand, MPFR_RNDU);
        mpfr_max(r->enclosure.upper, r->enclosure.upper, corner, MPFR_RNDU);
    }
    mpfr_clear(corner);
}

/* x^n: even powers have their least value at zero, negative ones none there. */
static void power(const struct node *node, union value *r, union value *x)
{
    mpfr_ptr lower = x->enclosure.lower, upper = x->enclosure.upper;
    bool falling = node->power < 0;
    if (falling && holds_zero(x)) {
        set_everything(r);
        return;
    }
    if (node->power % 2 == 0 && mpfr_sgn(lower) < 0) {
        bool straddles = mpfr_sgn(upper) > 0;
        falling = !falling;
        if (straddles) {
            real_apply(node, r->enclosure.lower, &lower, MPFR_RNDU);
            real_apply(node, r->enclosure.upper, &upper, MPFR_RNDU);
            mpfr_max(r->enclosure.upper, r->enclosure.upper, r->enclosure.lower, MPFR_RNDU);
            mpfr_set_zero(r->enclosure.lower, 1);
            return;
        }
    }
    real_apply(node, r->enclosure.lower, falling ? &upper : &lower, MPFR_RNDD);
    real_apply(node, r->enclosure.upper, falling ? &lower : &upper, MPFR_RNDU);
}

static void monotone(const struct node *node, union value *r, union value *const *x)
{
    mpfr_ptr down[EXPRESSION_OPERANDS], up[EXPRESSION_OPERANDS];
    for (int i = 0; i < node->operands; i++) {
        bool reversed = node->operation == NEGATE || (node->operation == SUBTRACT && i == 1);
        down[i] = reversed ? x[i]->enclosure.upper : x[i]->enclosure.lower;
        up[i] = reversed ? x[i]->enclosure.lower : x[i]->enclosure.upper;
    }
    real_apply(node, r->enclosure.lower, down, MPFR_RNDD);
    real_apply(node, r->enclosure.upper, up, MPFR_RNDU);
}

static bool enclosure_apply(const struct arithmetic *arithmetic, const struct node *node, union value *r,
                            union value *const *x)
{
    (void)arithmetic;
    static const struct node square = { .operation = POWER, .operands = 1, .power = 2 },
                             product = { .operation = MULTIPLY, .operands = 2 };
    bool points = true, inverse = node->operation == DIVIDE || (node->operation == POWER && node->power < 0);
    mpfr_ptr lower[EXPRESSION_OPERANDS];
    for (int i = 0; i < node->operands; i++) {
        points = points && is_point(x[i]);
        lower[i] = x[i]->enclosure.lower;
    }
    union value *divisor = x[node->operands - 1];
    if (inverse && is_point(divisor) && holds_zero(divisor))
        return false;
    if (points) {
        close_point(r, real_apply(node, r->enclosure.lower, lower, MPFR_RNDD));
    } else if (inverse && holds_zero(divisor)) {
        set_everything(r);
    } else if (node->operation == POWER) {
        power(node, r, x[0]);
    } else if (node->operation == MULTIPLY && x[0] == x[1]) {
        power(&square, r, x[0]);
    } else if (node->operation == MULTIPLY || node->operation == DIVIDE) {
        by_corners(node, r, x[0], x[1]);
    } else if (node->operation == FMA) {
        by_corners(&product, r, x[0], x[1]);
        mpfr_add(r->enclosure.lower, r->enclosure.lower, x[2]->enclosure.lower, MPFR_RNDD);
        mpfr_add(r->enclosure.upper, r->enclosure.upper, x[2]->enclosure.upper, MPFR_RNDU);
    } else {
        monotone(node, r, x);
    }
    if (mpfr_nan_p(r->enclosure.lower) || mpfr_nan_p(r->enclosure.upper))
        set_everything(r);
    return true;
}

const struct operations enclosure_operations = {
    enclosure_init, enclosure_clear, enclosure_set, enclosure_apply, NULL,
};
