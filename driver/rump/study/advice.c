/* Known stable forms: what to write instead of an operation that cancels. */
#include "advice.h"

#include "common/memory.h"

#include <stdlib.h>

#define HARMLESS 16.0  /* condition below which an operation needs no advice */

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

/* `form` with the texts of two operands; takes none of them. */
static char *with_texts(const struct expression *expression, const char *form, int first, int second)
{
    char *x = expression_text(expression, first, false), *y = expression_text(expression, second, false);
    char *text = memory_format(form, x, y);
    free(x);
    free(y);
    return text;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static char *of_logarithm(const struct expression *expression, const struct node *node)
{
    const struct node *x = behind(expression, node->operand[0]);
    if (x->operation == ADD && is_one(behind(expression, x->operand[0])))
        return with_texts(expression, "log1p(%s) takes no 1 that hides its operand", x->operand[1], 0);
    if (x->operation == ADD && is_one(behind(expression, x->operand[1])))
        return with_texts(expression, "log1p(%s) takes no 1 that hides its operand", x->operand[0], 0);
    if (x->operation == SUBTRACT && is_one(behind(expression, x->operand[0])))
        return with_texts(expression, "log1p(-(%s)) takes no 1 that hides its operand", x->operand[1], 0);
    return NULL;
}

/* x - y, or x + y with signs that differ. */
static char *of_difference(const struct expression *expression, const struct node *node)
{
    const struct node *x = behind(expression, node->operand[0]), *y = behind(expression, node->operand[1]);
    bool subtracts = node->operation == SUBTRACT;
    if (subtracts && x->operation == SQRT && y->operation == SQRT)
        return with_texts(expression, "(u-v)/(sqrt(u)+sqrt(v)) with u = %s, v = %s does not cancel", x->operand[0], y->operand[0]);
    if (subtracts && x->operation == EXP && is_one(y))
        return with_texts(expression, "expm1(%s) is the same without cancellation", x->operand[0], 0);
    if (subtracts && is_one(x) && y->operation == COS)
        return with_texts(expression, "2*sin(u/2)^2 with u = %s is the same without cancellation", y->operand[0], 0);
    if (x->operation == SQRT || y->operation == SQRT)
        return memory_strdup("of a quadratic's roots take the one that adds, q = -(b + sign(b)*sqrt(b^2-4*a*c))/2: the roots "
                             "are q/a and c/q");
    if (subtracts && x->operation == MULTIPLY && y->operation == MULTIPLY)
        return with_texts(expression, "w = %s; fma(-, -, -w) + (w - ...): Kahan's difference of products, with a fused "
                          "multiply-add", node->operand[1], 0);
    return NULL;
}

#pragma GCC diagnostic pop

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
