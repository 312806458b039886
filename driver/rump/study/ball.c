/* One evaluation, with its error bounded along the way in few bits. */
#include "ball.h"

#include "common/memory.h"
#include "propagate.h"
#include "rump/arithmetic/real.h"

#include <stdlib.h>

/* A number stays until the last operation that takes it. */
static int *last_uses(const struct expression *expression)
{
    int *last = memory_calloc((size_t)expression->count, sizeof *last);
    for (int i = 0; i < expression->count; i++)
        for (int j = 0; j < expression->node[i].operands; j++)
            last[expression->node[i].operand[j]] = i;
    last[expression->result] = expression->count;
    return last;
}

/* Half a unit in the last place of a number that was rounded to nearest; false where it left MPFR's range. */
static bool half_ulp(mpfr_ptr rounding, mpfr_srcptr value, int ternary)
{
    mpfr_set_zero(rounding, 1);
    if (!mpfr_number_p(value) || (ternary && mpfr_zero_p(value)))
        return false;
    if (ternary)
        mpfr_set_ui_2exp(rounding, 1, mpfr_get_exp(value) - mpfr_get_prec(value) - 1, MPFR_RNDU);
    return true;
}

/* The node's value, rounded to nearest; MPFR's ternary value. */
static int compute(const struct node *node, mpfr_t *value, int index, mpfr_ptr *operand)
{
    if (node->operation == CONSTANT || node->operation == VARIABLE)
        return mpfr_set_q(value[index], node->value, MPFR_RNDN);
    for (int i = 0; i < node->operands; i++)
        operand[i] = value[node->operand[i]];
    int ternary = real_apply(node, value[index], operand, MPFR_RNDN);
    if (mpfr_zero_p(value[index]))
        mpfr_set_zero(value[index], 1);  /* zero has no sign here */
    return ternary;
}

bool ball_evaluate(const struct expression *expression, mpfr_prec_t bits, mpfr_ptr middle, mpfr_ptr radius)
{
    struct propagation propagation = propagation_open(expression, bits);
    mpfr_t *value = memory_calloc((size_t)expression->count, sizeof *value), rounding;
    mpfr_ptr *operand = memory_calloc((size_t)expression->count, sizeof *operand);
    int *last = last_uses(expression), done = 0;
    bool good = true;
    mpfr_init2(rounding, 64);

    for (; done < expression->count && good; done++) {
        const struct node *node = expression->node + done;
        mpfr_init2(value[done], mpfr_get_prec(middle));
        good = propagation_enclose(&propagation, done) &&
               half_ulp(rounding, value[done], compute(node, value, done, operand)) &&
               propagation_round(&propagation, done, rounding);
        for (int i = 0; i < node->operands; i++)
            if (last[node->operand[i]] == done)
                mpfr_set_prec(value[node->operand[i]], MPFR_PREC_MIN);
    }
    if (good) {
        mpfr_swap(middle, value[expression->result]);
        mpfr_set(radius, propagation.radius[expression->result], MPFR_RNDU);
    }

    while (done--)
        mpfr_clear(value[done]);
    mpfr_clear(rounding);
    free(value);
    free(operand);
    free(last);
    propagation_close(&propagation);
    return good;
}
