/* Evaluate an expression in an arithmetic: one loop over its operations. */
#include "evaluate.h"

#include "common/memory.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int processor_rounding(mpfr_rnd_t rounding)
{
    return rounding == MPFR_RNDD ? FE_DOWNWARD : rounding == MPFR_RNDU ? FE_UPWARD
           : rounding == MPFR_RNDZ ? FE_TOWARDZERO : FE_TONEAREST;
}

static int most_operands(const struct expression *expression)
{
    int most = 1;
    for (int i = 0; i < expression->count; i++)
        most = expression->node[i].operands > most ? expression->node[i].operands : most;
    return most;
}

/* One node, with room for its operands' addresses. */
static void step(struct evaluation *evaluation, int index, union value **operand)
{
    const struct arithmetic *arithmetic = &evaluation->arithmetic;
    const struct node *node = evaluation->expression->node + index;
    union value *result = evaluation->value + index;
    enum outcome outcome = DONE;
    for (int i = 0; i < node->operands; i++) {
        operand[i] = evaluation->value + node->operand[i];
        outcome = evaluation->known[node->operand[i]] ? outcome : UNKNOWN;
    }
    if (node->operation == CONSTANT || node->operation == VARIABLE)
        arithmetic->operations->set(arithmetic, result, node->value);
    else if (outcome == DONE)
        outcome = arithmetic->operations->apply(arithmetic, node, result, operand);
    evaluation->known[index] = outcome == DONE || outcome == UNCERTAIN;
    if (outcome == UNDEFINED)
        evaluation->undefined = index;
    if (outcome == UNCERTAIN && evaluation->uncertain < 0)
        evaluation->uncertain = index;
}

struct evaluation evaluate(const struct expression *expression, struct arithmetic arithmetic)
{
    struct evaluation evaluation = { expression, arithmetic, NULL, NULL, -1, -1 };
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    int rounding = fegetround();
    union value **operand = memory_calloc((size_t)most_operands(expression), sizeof *operand);
    evaluation.value = memory_calloc((size_t)expression->count, sizeof *evaluation.value);
    evaluation.known = memory_calloc((size_t)expression->count, sizeof *evaluation.known);
    for (int i = 0; i < expression->count; i++)
        arithmetic.operations->init(&arithmetic, evaluation.value + i);

    mpfr_set_emin(arithmetic.format.emin);
    mpfr_set_emax(arithmetic.format.emax);
    fesetround(processor_rounding(arithmetic.rounding));
    for (int i = 0; i < expression->count && evaluation.undefined < 0; i++)
        step(&evaluation, i, operand);
    fesetround(rounding);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);

    free(operand);
    return evaluation;
}

void evaluation_free(struct evaluation *evaluation)
{
    for (int i = 0; i < evaluation->expression->count; i++)
        evaluation->arithmetic.operations->clear(evaluation->value + i);
    free(evaluation->value);
    free(evaluation->known);
    evaluation->value = NULL;
}

struct expression evaluation_reduce(const struct evaluation *exact)
{
    enum { SHORT = 4096 };  /* bits */
    struct expression reduced = *exact->expression;
    reduced.node = memory_calloc((size_t)reduced.count, sizeof *reduced.node);
    for (int i = 0; i < reduced.count; i++) {
        const struct node *from = exact->expression->node + i;
        struct node *node = reduced.node + i;
        mpq_srcptr value = exact->known[i] ? exact->value[i].rational : from->value;
        size_t bits = mpz_sizeinbase(mpq_numref(value), 2) + mpz_sizeinbase(mpq_denref(value), 2);
        *node = *from;
        node->text = from->text ? memory_strdup(from->text) : NULL;
        node->operand = from->operands ? memory_calloc((size_t)from->operands, sizeof *node->operand) : NULL;
        mpq_init(node->value);
        mpq_set(node->value, value);
        if (exact->known[i] && from->operands && bits <= SHORT) {
            node->operation = CONSTANT;
            node->operands = 0;
        } else if (from->operands) {
            memcpy(node->operand, from->operand, (size_t)from->operands * sizeof *node->operand);
        }
    }
    return reduced;
}

/* Why a node whose operands are finite is not. */
static enum failure failure_of(const struct evaluation *evaluation, int index, mpfr_ptr scratch)
{
    const struct node *node = evaluation->expression->node + index;
    evaluation->arithmetic.operations->get(scratch, evaluation->value + index);
    if (mpfr_nan_p(scratch))
        return node->operands ? INVALID : OVERFLOWS;
    if (!node->operands)
        return OVERFLOWS;
    bool last = node->operation == DIVIDE;
    evaluation->arithmetic.operations->get(scratch, evaluation->value + node->operand[last ? node->operands - 1 : 0]);
    switch (node->operation) {
    case DIVIDE: case POWER: case RAISE: case LOG: case LOG2: case LOG10:
        return mpfr_zero_p(scratch) ? DIVIDES_BY_ZERO : OVERFLOWS;
    case LOG1P: return mpfr_cmp_si(scratch, -1) == 0 ? DIVIDES_BY_ZERO : OVERFLOWS;
    default: return OVERFLOWS;
    }
}

struct failed evaluate_number(const struct expression *expression, struct arithmetic arithmetic, mpfr_ptr result)
{
    struct evaluation evaluation = evaluate(expression, arithmetic);
    struct failed failed = { FINE, -1 };
    for (int i = 0; i < expression->count && failed.node < 0; i++) {
        arithmetic.operations->get(result, evaluation.value + i);
        if (!mpfr_number_p(result))
            failed = (struct failed){ failure_of(&evaluation, i, result), i };
    }
    arithmetic.operations->get(result, evaluation.value + expression->result);
    evaluation_free(&evaluation);
    return failed;
}

/* How much a power multiplies the bits of its base, where that can be known before. */
static double power_of(const struct expression *expression, const struct node *node)
{
    const struct node *exponent = node->operation == RAISE ? expression->node + node->operand[1] : NULL;
    if (!exponent)
        return node->operation == POWER ? fabs((double)node->power) : 1;
    return exponent->operands ? 64 : fabs(mpz_get_d(mpq_numref(exponent->value)));
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
        if (node->operation == POWER || node->operation == RAISE) {
            n = d = fmax(n, d) * power_of(expression, node);
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
