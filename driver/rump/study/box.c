/* The range of an expression over a box, by branch and bound with enclosures. */
#include "box.h"

#include "common/memory.h"
#include "gradient.h"
#include "rump/arithmetic/enclosure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 1500 };

/* A part of the box and the enclosure of what the expression is over it. */
struct part {
    mpfi_t *side;
    mpfi_t value;
    int uncertain;  /* an operation that may be undefined there, -1: none */
};

struct search {
    const struct expression *expression;
    struct arithmetic arithmetic;
    const struct side *side;
    size_t sides;
    union value *value;     /* of each node, scratch */
    union value **operand;
    struct part *part;
    size_t parts;
    struct range range;
};

static void evaluate_over(struct search *search, const mpfi_t *side, mpfi_ptr result, int *undefined, int *uncertain)
{
    const struct expression *expression = search->expression;
    const struct operations *operations = search->arithmetic.operations;
    *undefined = *uncertain = -1;
    for (int i = 0; i < expression->count && *undefined < 0; i++) {
        const struct node *node = expression->node + i;
        union value *value = search->value + i;
        size_t k = 0;
        for (int j = 0; j < node->operands; j++)
            search->operand[j] = search->value + node->operand[j];
        while (node->operation == VARIABLE && k < search->sides && strcmp(search->side[k].name, node->text))
            k++;
        if (node->operation == VARIABLE && k < search->sides) {
            mpfi_set(value->enclosure, side[k]);
        } else if (node->operation == CONSTANT || node->operation == VARIABLE) {
            operations->set(&search->arithmetic, value, node->value);
        } else {
            enum outcome outcome = operations->apply(&search->arithmetic, node, value, search->operand);
            *undefined = outcome == UNDEFINED ? i : -1;
            *uncertain = outcome == UNCERTAIN && *uncertain < 0 ? i : *uncertain;
        }
    }
    mpfi_set(result, search->value[expression->result].enclosure);
    if (*undefined >= 0)
        mpfi_interv_d(result, -INFINITY, INFINITY);
}

/* The expression at a point: its enclosure, and a value that is reached. False where it has none. */
static bool evaluate_at(struct search *search, const mpfi_t *point, mpfi_ptr result)
{
    mpfi_ptr reached = search->range.reached;
    int undefined, uncertain;
    evaluate_over(search, point, result, &undefined, &uncertain);
    if (undefined >= 0 || uncertain >= 0 || !mpfi_bounded_p(result))
        return false;
    /* The upper end of the least value was reached or passed, and so was the lower end of the largest. */
    if (mpfr_nan_p(&reached->left) || mpfr_less_p(&result->right, &reached->left))
        mpfr_set(&reached->left, &result->right, MPFR_RNDU);
    if (mpfr_nan_p(&reached->right) || mpfr_greater_p(&result->left, &reached->right))
        mpfr_set(&reached->right, &result->left, MPFR_RNDD);
    return true;
}

/* Scratch for a point of the box. */
static mpfi_t *new_point(const struct search *search)
{
    mpfi_t *point = memory_calloc(search->sides, sizeof *point);
    for (size_t k = 0; k < search->sides; k++)
        mpfi_init2(point[k], search->arithmetic.format.precision);
    return point;
}

static void free_point(const struct search *search, mpfi_t *point)
{
    for (size_t k = 0; k < search->sides; k++)
        mpfi_clear(point[k]);
    free(point);
}

static void set_point(mpfi_ptr coordinate, mpfr_srcptr value)
{
    mpfr_set(&coordinate->left, value, MPFR_RNDN);
    mpfr_set(&coordinate->right, value, MPFR_RNDN);
}

/* How the result changes with a side's variable, over all its occurrences: they are one node. NULL: it has none. */
static mpfi_ptr slope_by(const struct search *search, mpfi_t *gradient, size_t k)
{
    const struct expression *expression = search->expression;
    for (int i = 0; i < expression->count; i++)
        if (expression->node[i].operation == VARIABLE && !strcmp(expression->node[i].text, search->side[k].name))
            return gradient[i];
    return NULL;
}

/* Where each variable moves the result one way only, the extremes are at two corners. */
static bool by_corners(struct search *search, struct part *part, mpfi_t *gradient, mpfi_t *point)
{
    mpfi_t other;
    if (part->uncertain >= 0)
        return false;
    for (size_t k = 0; k < search->sides; k++) {
        mpfi_ptr slope = slope_by(search, gradient, k);
        if (mpfr_sgn(&slope->left) < 0 && mpfr_sgn(&slope->right) > 0)
            return false;
    }
    mpfi_init2(other, search->arithmetic.format.precision);
    bool good = true;
    for (int up = 0; up < 2 && good; up++) {
        for (size_t k = 0; k < search->sides; k++) {
            bool rising = mpfr_sgn(&slope_by(search, gradient, k)->left) >= 0;
            set_point(point[k], rising == (up != 0) ? &part->side[k]->right : &part->side[k]->left);
        }
        good = evaluate_at(search, point, up ? other : part->value);
    }
    if (good)
        mpfi_union(part->value, part->value, other);
    mpfi_clear(other);
    return good;
}

/* The mean value form: f(m) + f'(X) (X - m), quadratically near where X is small. */
static void by_mean_value(struct search *search, struct part *part, mpfi_t *gradient, mpfi_t *point)
{
    mpfi_t form, term;
    mpfi_init2(form, search->arithmetic.format.precision);
    mpfi_init2(term, search->arithmetic.format.precision);
    for (size_t k = 0; k < search->sides; k++) {
        mpfi_mid(&term->left, part->side[k]);
        set_point(point[k], &term->left);
    }
    if (evaluate_at(search, point, form)) {
        for (size_t k = 0; k < search->sides; k++) {
            mpfi_sub(term, part->side[k], point[k]);
            mpfi_mul(term, term, slope_by(search, gradient, k));
            mpfi_add(form, form, term);
        }
        if (mpfi_bounded_p(form))
            mpfi_intersect(part->value, part->value, form);
    }
    mpfi_clear(form);
    mpfi_clear(term);
}

/* A new part, evaluated; its sides are still to be set where `from` is NULL. */
static struct part *add_part(struct search *search, const struct part *from)
{
    struct part part = { .side = memory_calloc(search->sides, sizeof *part.side) };
    mpfi_init2(part.value, search->arithmetic.format.precision);
    for (size_t k = 0; k < search->sides; k++) {
        mpfi_init2(part.side[k], search->arithmetic.format.precision);
        if (from)
            mpfi_set(part.side[k], from->side[k]);
        else
            mpfi_interv_q(part.side[k], search->side[k].lower, search->side[k].upper);
    }
    search->part = memory_realloc(search->part, search->parts + 1, sizeof part);
    search->part[search->parts] = part;
    return search->part + search->parts++;
}

static void look_at(struct search *search, struct part *part)
{
    evaluate_over(search, part->side, part->value, &search->range.undefined, &part->uncertain);
    if (search->range.undefined >= 0)
        return;
    mpfi_t *gradient = gradient_of(search->expression, search->value), *point = new_point(search);
    if (!by_corners(search, part, gradient, point))
        by_mean_value(search, part, gradient, point);
    free_point(search, point);
    gradient_free(gradient, search->expression);
}

/* The part whose enclosure reaches farthest down, or up. */
static size_t farthest(const struct search *search, bool down)
{
    size_t best = 0;
    for (size_t i = 1; i < search->parts; i++) {
        mpfi_srcptr value = search->part[i].value, far = search->part[best].value;
        if (down ? mpfr_less_p(&value->left, &far->left) : mpfr_greater_p(&value->right, &far->right))
            best = i;
    }
    return best;
}

/* Halve a part across its widest side, measured by the box. False where its sides are points. */
static bool split(struct search *search, size_t index)
{
    size_t widest = 0;
    double most = 0;
    mpq_t whole;
    mpfr_t width;
    mpq_init(whole);
    mpfr_init2(width, 64);
    for (size_t k = 0; k < search->sides; k++) {
        mpq_sub(whole, search->side[k].upper, search->side[k].lower);
        mpfi_diam_abs(width, search->part[index].side[k]);
        if (!mpq_sgn(whole))
            continue;
        mpfr_div_q(width, width, whole, MPFR_RNDN);
        if (mpfr_get_d(width, MPFR_RNDN) > most) {
            most = mpfr_get_d(width, MPFR_RNDN);
            widest = k;
        }
    }
    mpq_clear(whole);
    mpfr_clear(width);
    if (most < 0x1p-40)
        return false;
    struct part *half = add_part(search, search->part + index), *other = search->part + index;
    mpfi_mid(&half->side[widest]->left, other->side[widest]);
    mpfr_set(&other->side[widest]->right, &half->side[widest]->left, MPFR_RNDN);
    look_at(search, other);
    if (search->range.undefined < 0)
        look_at(search, half);
    return search->range.undefined < 0;
}

/* Whether an end of the enclosure is as good as reached: to 2^-40 of the range. */
static bool is_tight(const struct search *search, mpfr_srcptr end, mpfr_srcptr reached)
{
    mpfr_t gap, range;
    mpfr_inits2(64, gap, range, (mpfr_ptr)0);
    mpfr_sub(gap, end, reached, MPFR_RNDA);
    mpfr_sub(range, &search->range.reached->right, &search->range.reached->left, MPFR_RNDN);
    mpfr_mul_2si(range, range, -40, MPFR_RNDN);
    bool tight = mpfr_number_p(gap) && mpfr_cmpabs(gap, range) <= 0;
    mpfr_clears(gap, range, (mpfr_ptr)0);
    return tight;
}

struct range box_range(const struct expression *expression, const struct side *side, size_t sides, mpfr_prec_t precision)
{
    struct search search = { expression, arithmetic_enclosure(precision), side, sides, NULL, NULL, NULL, 0,
                             { .uncertain = -1, .undefined = -1 } };
    mpfi_init2(search.range.within, precision);
    mpfi_init2(search.range.reached, precision);
    search.operand = memory_calloc((size_t)expression->count, sizeof *search.operand);
    search.value = memory_calloc((size_t)expression->count, sizeof *search.value);
    for (int i = 0; i < expression->count; i++)
        mpfi_init2(search.value[i].enclosure, precision);
    look_at(&search, add_part(&search, NULL));

    bool down = true, can_split = search.range.undefined < 0;
    for (int stuck = 0; can_split && stuck < 2 && search.parts < MOST_PARTS; down = !down) {
        size_t index = farthest(&search, down);
        mpfi_srcptr value = search.part[index].value, reached = search.range.reached;
        bool tight = is_tight(&search, down ? &value->left : &value->right, down ? &reached->left : &reached->right);
        stuck = tight || !split(&search, index) ? stuck + 1 : 0;
        can_split = search.range.undefined < 0;
    }

    search.range.uncertain = -1;
    for (size_t i = 0; i < search.parts && search.range.undefined < 0; i++) {
        search.range.uncertain = search.part[i].uncertain >= 0 ? search.part[i].uncertain : search.range.uncertain;
        mpfi_union(search.range.within, i ? search.range.within : search.part[i].value, search.part[i].value);
    }
    for (size_t i = 0; i < search.parts; i++) {
        for (size_t k = 0; k < sides; k++)
            mpfi_clear(search.part[i].side[k]);
        free(search.part[i].side);
        mpfi_clear(search.part[i].value);
    }
    for (int i = 0; i < expression->count; i++)
        mpfi_clear(search.value[i].enclosure);
    free(search.part);
    free(search.value);
    free(search.operand);
    return search.range;
}

void range_free(struct range *range)
{
    mpfi_clear(range->within);
    mpfi_clear(range->reached);
}
