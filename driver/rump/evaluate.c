/* Evaluate an expression in an arithmetic: one loop over its operations. */
#include "evaluate.h"

#include "common/memory.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>

static int processor_rounding(mpfr_rnd_t rounding)
{
    return rounding == MPFR_RNDD ? FE_DOWNWARD : rounding == MPFR_RNDU ? FE_UPWARD
           : rounding == MPFR_RNDZ ? FE_TOWARDZERO : FE_TONEAREST;
}

static void step(struct evaluation *evaluation, int index)
{
    const struct arithmetic *arithmetic = &evaluation->arithmetic;
    const struct node *node = evaluation->expression->node + index;
    union value *operand[EXPRESSION_OPERANDS];
    for (int i = 0; i < node->operands; i++)
        operand[i] = evaluation->value + node->operand[i];
    if (!node->operands)
        arithmetic->operations->set(arithmetic, evaluation->value + index, node->value);
    else if (!arithmetic->operations->apply(arithmetic, node, evaluation->value + index, operand))
        evaluation->undefined = index;
}

struct evaluation evaluate(const struct expression *expression, struct arithmetic arithmetic)
{
    struct evaluation evaluation = { expression, arithmetic, NULL, -1 };
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    int rounding = fegetround();
    evaluation.value = memory_calloc((size_t)expression->count, sizeof *evaluation.value);
    for (int i = 0; i < expression->count; i++)
        arithmetic.operations->init(&arithmetic, evaluation.value + i);
    mpfr_set_emin(arithmetic.format.emin);
    mpfr_set_emax(arithmetic.format.emax);
    fesetround(processor_rounding(arithmetic.rounding));
    for (int i = 0; i < expression->count && evaluation.undefined < 0; i++)
        step(&evaluation, i);
    fesetround(rounding);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    return evaluation;
}

void evaluation_free(struct evaluation *evaluation)
{
    for (int i = 0; i < evaluation->expression->count; i++)
        evaluation->arithmetic.operations->clear(evaluation->value + i);
    free(evaluation->value);
    evaluation->value = NULL;
}

int evaluate_number(const struct expression *expression, struct arithmetic arithmetic, mpfr_ptr result, bool *by_zero)
{
    struct evaluation evaluation = evaluate(expression, arithmetic);
    int infinite = -1;
    *by_zero = false;
    for (int i = 0; i < expression->count && infinite < 0; i++) {
        arithmetic.operations->get(result, evaluation.value + i);
        infinite = mpfr_number_p(result) ? -1 : i;
    }
    if (infinite >= 0 && expression->node[infinite].operands) {
        const struct node *node = expression->node + infinite;
        arithmetic.operations->get(result, evaluation.value + node->operand[node->operands - 1]);
        *by_zero = mpfr_zero_p(result) && (node->operation == DIVIDE || node->operation == POWER);
    }
    arithmetic.operations->get(result, evaluation.value + expression->result);
    evaluation_free(&evaluation);
    return infinite;
}

double evaluate_rational_bits(const struct expression *expression)
{
    double *numerator = memory_calloc(2 * (size_t)expression->count, sizeof *numerator);
    double *denominator = numerator + expression->count, largest = 0;
    for (int i = 0; i < expression->count; i++) {
        const struct node *node = expression->node + i;
        double n = (double)mpz_sizeinbase(mpq_numref(node->value), 2);
        double d = (double)mpz_sizeinbase(mpq_denref(node->value), 2);
        if (node->operands) {
            n = numerator[node->operand[0]];
            d = denominator[node->operand[0]];
        }
        if (node->operation == POWER) {
            n = d = fmax(n, d) * (double)labs(node->power);
        } else {
            for (int j = 1; j < node->operands; j++) {
                double m = numerator[node->operand[j]], e = denominator[node->operand[j]];
                bool product = node->operation == MULTIPLY || node->operation == DIVIDE;
                product = product || (node->operation == FMA && j == 1);
                n = product ? fmax(n + m, n + e) : fmax(n + e, m + d) + 1;
                d = product ? fmax(d + e, d + m) : d + e;
            }
        }
        numerator[i] = n;
        denominator[i] = d;
        largest = fmax(largest, fmax(n, d));
    }
    free(numerator);
    return largest;
}
