/* Error bounds, from operands to results. */
#include "propagate.h"

#include "common/memory.h"
#include "rump/arithmetic/slopes.h"

#include <stdlib.h>

enum { RADIUS_BITS = 64 };

struct propagation propagation_open(const struct expression *expression, mpfr_prec_t precision)
{
    struct propagation propagation = { expression, arithmetic_enclosure(precision), NULL, NULL, NULL };
    int most = 1;
    propagation.value = memory_calloc((size_t)expression->count, sizeof *propagation.value);
    propagation.radius = memory_calloc((size_t)expression->count, sizeof *propagation.radius);
    for (int i = 0; i < expression->count; i++) {
        mpfi_init2(propagation.value[i].enclosure, precision);
        mpfr_init2(propagation.radius[i], RADIUS_BITS);
        most = expression->node[i].operands > most ? expression->node[i].operands : most;
    }
    propagation.operand = memory_calloc((size_t)most, sizeof *propagation.operand);
    return propagation;
}

void propagation_close(struct propagation *propagation)
{
    for (int i = 0; i < propagation->expression->count; i++) {
        mpfi_clear(propagation->value[i].enclosure);
        mpfr_clear(propagation->radius[i]);
    }
    free(propagation->value);
    free(propagation->radius);
    free(propagation->operand);
}

bool propagation_enclose(struct propagation *propagation, int index)
{
    const struct node *node = propagation->expression->node + index;
    const struct operations *operations = propagation->arithmetic.operations;
    union value *result = propagation->value + index;
    for (int i = 0; i < node->operands; i++)
        propagation->operand[i] = propagation->value + node->operand[i];
    if (node->operation == CONSTANT || node->operation == VARIABLE)
        operations->set(&propagation->arithmetic, result, node->value);
    else if (operations->apply(&propagation->arithmetic, node, result, propagation->operand) != DONE)
        return false;
    return mpfi_bounded_p(result->enclosure);
}

bool propagation_round(struct propagation *propagation, int index, mpfr_srcptr rounding)
{
    const struct node *node = propagation->expression->node + index;
    mpfi_ptr result = propagation->value[index].enclosure;
    mpfr_ptr radius = propagation->radius[index];
    mpfi_t slope;
    mpfr_t largest;
    mpfi_init2(slope, mpfi_get_prec(result));
    mpfr_init2(largest, RADIUS_BITS);
    mpfr_set(radius, rounding, MPFR_RNDU);
    for (int i = 0; i < node->operands; i++) {
        mpfr_srcptr error = propagation->radius[node->operand[i]];
        if (mpfr_zero_p(error))
            continue;
        slopes_of(node, i, slope, propagation->operand, result);
        mpfi_mag(largest, slope);
        mpfr_fma(radius, largest, error, radius, MPFR_RNDU);
    }
    mpfi_increase(result, radius);
    mpfi_clear(slope);
    mpfr_clear(largest);
    return mpfr_number_p(radius) && mpfi_bounded_p(result);
}
