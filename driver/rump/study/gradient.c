/* Derivatives from the result backwards, by the chain rule. */
#include "gradient.h"

#include "common/memory.h"
#include "rump/arithmetic/slopes.h"

#include <math.h>
#include <stdlib.h>

mpfi_t *gradient_of(const struct expression *expression, union value *value)
{
    mpfr_prec_t precision = mpfi_get_prec(value[expression->result].enclosure);
    mpfi_t *gradient = memory_calloc((size_t)expression->count, sizeof *gradient), slope;
    union value **operand = memory_calloc((size_t)expression->count, sizeof *operand);
    mpfi_init2(slope, precision);
    for (int i = 0; i < expression->count; i++) {
        mpfi_init2(gradient[i], precision);
        mpfi_set_si(gradient[i], i == expression->result);
    }
    for (int i = expression->result; i >= 0; i--) {
        const struct node *node = expression->node + i;
        if (mpfi_is_zero(gradient[i]))
            continue;
        for (int j = 0; j < node->operands; j++)
            operand[j] = value + node->operand[j];
        for (int j = 0; j < node->operands; j++) {
            slopes_of(node, j, slope, operand, value[i].enclosure);
            mpfi_mul(slope, slope, gradient[i]);
            mpfi_add(gradient[node->operand[j]], gradient[node->operand[j]], slope);
            if (mpfi_nan_p(gradient[node->operand[j]]))  /* infinity times zero: anything */
                mpfi_interv_d(gradient[node->operand[j]], -INFINITY, INFINITY);
        }
    }
    mpfi_clear(slope);
    free(operand);
    return gradient;
}

void gradient_free(mpfi_t *gradient, const struct expression *expression)
{
    for (int i = 0; i < expression->count; i++)
        mpfi_clear(gradient[i]);
    free(gradient);
}
