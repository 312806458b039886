/* Known stable forms: what to write instead of an operation that cancels. */
#include "advice.h"

#include "common/memory.h"

#include <stdlib.h>

#define HARMLESS 16.0  /* condition below which an operation needs no advice */

enum { TEXTS = 4 };

/* The node behind names given to names. */
static const struct node *behind(const struct expression *expression, int index)
{
    const struct node *node = expression->node + index;
    while (node->operation == SUM && node->operands == 1)
        node = expression->node + node->operand[0];
    return node;
}

static bool is_one(const struct node *node)
{
    return node->operation == CONSTANT && !mpq_cmp_ui(node->value, 1, 1);
}

/* The factors of a product or a square; false: it is none. */
static bool factors(const struct node *node, int factor[2])
{
    bool square = node->operation == POWER && node->power == 2;
    if (!square && node->operation != MULTIPLY)
        return false;
    factor[0] = node->operand[0];
    factor[1] = node->operand[square ? 0 : 1];
    return true;
}

static bool is_square(const struct expression *expression, const struct node *node)
{
    int factor[2];
    return factors(node, factor) && behind(expression, factor[0]) == behind(expression, factor[1]);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* `form` with the texts of as many nodes as it asks for. */
static char *say(const struct expression *expression, const char *form, const int node[TEXTS])
{
    char *text[TEXTS];
    for (int i = 0; i < TEXTS; i++)
        text[i] = expression_text(expression, node[i], false);
    char *advice = memory_format(form, text[0], text[1], text[2], text[3]);
    for (int i = 0; i < TEXTS; i++)
        free(text[i]);
    return advice;
}

#pragma GCC diagnostic pop

static char *of_logarithm(const struct expression *expression, const struct node *node)
{
    const struct node *x = behind(expression, node->operand[0]);
    bool sum = x->operation == ADD, difference = x->operation == SUBTRACT;
    if (x->operation == DIVIDE)
        return say(expression, "log1p((u-v)/v) with u = %s, v = %s does not divide first", (int[TEXTS]){ x->operand[0], x->operand[1] });
    if (sum && is_one(behind(expression, x->operand[0])))
        return say(expression, "log1p(%s) takes no 1 that hides its operand", (int[TEXTS]){ x->operand[1] });
    if (sum && is_one(behind(expression, x->operand[1])))
        return say(expression, "log1p(%s) takes no 1 that hides its operand", (int[TEXTS]){ x->operand[0] });
    if (difference && is_one(behind(expression, x->operand[0])))
        return say(expression, "log1p(-(%s)) takes no 1 that hides its operand", (int[TEXTS]){ x->operand[1] });
    return NULL;
}

/* f(u) - f(v) of the same f, or f(u) and one. */
static char *of_functions(const struct expression *expression, const struct node *x, const struct node *y)
{
    const int both[TEXTS] = { x->operands ? x->operand[0] : 0, y->operands ? y->operand[0] : 0 };
    const int second[TEXTS] = { both[1] };
    if (x->operation == EXP && is_one(y))
        return say(expression, "expm1(%s) is the same without cancellation", both);
    if (is_one(x) && y->operation == EXP)
        return say(expression, "-expm1(%s) is the same without cancellation", second);
    if (is_one(x) && y->operation == COS)
        return say(expression, "2*sin(u/2)^2 with u = %s is the same without cancellation", second);
    if (x->operation == COS && is_one(y))
        return say(expression, "-2*sin(u/2)^2 with u = %s is the same without cancellation", both);
    if (x->operation != y->operation)
        return NULL;
    switch (x->operation) {
    case SQRT: return say(expression, "(u-v)/(sqrt(u)+sqrt(v)) with u = %s, v = %s does not cancel", both);
    case EXP: return say(expression, "exp(v)*expm1(u-v) with u = %s, v = %s does not cancel", both);
    case LOG: return say(expression, "log1p((u-v)/v) with u = %s, v = %s does not cancel", both);
    case SIN: return say(expression, "2*cos((u+v)/2)*sin((u-v)/2) with u = %s, v = %s does not cancel", both);
    case COS: return say(expression, "-2*sin((u+v)/2)*sin((u-v)/2) with u = %s, v = %s does not cancel", both);
    default: return NULL;
    }
}

/* Whether u +- sqrt(v) has the form of a quadratic's root: v = u^2 +- w. */
static bool is_quadratic(const struct expression *expression, const struct node *u, const struct node *root)
{
    const struct node *v = behind(expression, root->operand[0]);
    int factor[2];
    if (u->operation == NEGATE)
        u = behind(expression, u->operand[0]);
    return (v->operation == SUBTRACT || v->operation == ADD) && is_square(expression, behind(expression, v->operand[0])) &&
           factors(behind(expression, v->operand[0]), factor) && behind(expression, factor[0]) == u;
}

/* x + y or x - y, one of which is a square root. */
static char *of_root(const struct expression *expression, const struct node *node, const struct node *x, const struct node *y)
{
    bool first = x->operation == SQRT, subtracts = node->operation == SUBTRACT;
    const struct node *root = first ? x : y;
    const int texts[TEXTS] = { node->operand[first], root->operand[0] };
    if (is_quadratic(expression, first ? y : x, root))
        return memory_strdup("of a quadratic's roots take the one that adds, q = -(b + sign(b)*sqrt(b^2-4*a*c))/2: the roots "
                             "are q/a and c/q");
    if (!subtracts)
        return say(expression, "(u^2-v)/(u-sqrt(v)) with u = %s, v = %s, and u^2-v simplified by hand", texts);
    if (first)
        return say(expression, "(v-u^2)/(sqrt(v)+u) with u = %s, v = %s, and v-u^2 simplified by hand", texts);
    return say(expression, "(u^2-v)/(u+sqrt(v)) with u = %s, v = %s, and u^2-v simplified by hand", texts);
}

/* x - y, or x + y with signs that differ. */
static char *of_difference(const struct expression *expression, const struct node *node)
{
    const struct node *x = behind(expression, node->operand[0]), *y = behind(expression, node->operand[1]);
    bool subtracts = node->operation == SUBTRACT;
    int f[TEXTS];
    char *advice = subtracts ? of_functions(expression, x, y) : NULL;
    if (advice)
        return advice;
    if ((x->operation == SQRT) != (y->operation == SQRT))
        return of_root(expression, node, x, y);
    if (!subtracts || !factors(x, f) || !factors(y, f + 2))
        return NULL;
    if (is_square(expression, x) && is_square(expression, y))
        return say(expression, "(u-v)*(u+v) with u = %s, v = %s rounds no squares", (const int[TEXTS]){ f[0], f[2] });
    return say(expression, "w = r*s; fma(p, q, -w)+fma(-r, s, w) with p = %s, q = %s, r = %s, s = %s, Kahan's difference of "
               "products, is right to 1.5 ulps", f);
}

char *advice_of(const struct expression *expression, const struct trace *trace)
{
    if (!trace->worst || !(trace->worst->condition > HARMLESS))
        return NULL;
    const struct node *node = expression->node + trace->worst->node;
    switch (node->operation) {
    case ADD: case SUBTRACT: return of_difference(expression, node);
    case LOG: return of_logarithm(expression, node);
    default: return NULL;
    }
}
