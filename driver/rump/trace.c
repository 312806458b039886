/* Which operation cancels how many bits, and how many bits an exact evaluation needs. */
#include "trace.h"

#include "common/memory.h"

#include <limits.h>
#include <stdlib.h>

/* More lost bits than a sum of two numbers of similar size loses. */
enum { HARMLESS = 2, ROUNDINGS = 4 };

static long exponent_of(mpq_srcptr value)
{
    mpz_srcptr numerator = mpq_numref(value), denominator = mpq_denref(value);
    long exponent = (long)mpz_sizeinbase(numerator, 2) - (long)mpz_sizeinbase(denominator, 2);
    mpz_t left, right;  /* |value| is in (2^(exponent-1), 2^(exponent+1)): compare with 2^exponent */
    mpz_inits(left, right, NULL);
    mpz_mul_2exp(left, numerator, exponent < 0 ? (unsigned long)-exponent : 0);
    mpz_mul_2exp(right, denominator, exponent > 0 ? (unsigned long)exponent : 0);
    exponent += mpz_cmpabs(left, right) >= 0;
    mpz_clears(left, right, NULL);
    return exponent;
}

/* Bits of the odd part of the numerator of a dyadic fraction; 0 for other fractions. */
static long bits_of(mpq_srcptr value)
{
    mpz_srcptr numerator = mpq_numref(value), denominator = mpq_denref(value);
    if (mpz_scan1(denominator, 0) + 1 != mpz_sizeinbase(denominator, 2))
        return 0;
    return mpz_sgn(numerator) ? (long)(mpz_sizeinbase(numerator, 2) - mpz_scan1(numerator, 0)) : 1;
}

/* The numbers that an addition adds: operands, and the product in fma. */
static int addends(const struct evaluation *exact, const struct node *node, mpq_t *addend, bool *inexact)
{
    int count = 0;
    for (int i = 0; i < node->operands; i++) {
        mpq_srcptr operand = exact->value[node->operand[i]].rational;
        bool second_factor = node->operation == FMA && i == 1;
        count -= second_factor;
        if (second_factor)
            mpq_mul(addend[count], addend[count], operand);
        else
            mpq_set(addend[count], operand);
        inexact[count] = (second_factor && inexact[count]) || !bits_of(operand);
        count++;
    }
    return count;
}

static bool adds(const struct node *node)
{
    return node->operation == ADD || node->operation == SUBTRACT || node->operation == SUM || node->operation == FMA;
}

static void trace_addition(const struct evaluation *exact, struct step *step)
{
    const struct node *node = exact->expression->node + step->node;
    mpq_t addend[EXPRESSION_OPERANDS];
    bool inexact[EXPRESSION_OPERANDS];
    for (int i = 0; i < node->operands; i++)
        mpq_init(addend[i]);
    int count = addends(exact, node, addend, inexact);
    for (int i = 0; i < count; i++) {
        if (!mpq_sgn(addend[i]))
            continue;
        long lost = exponent_of(addend[i]) - (step->zero ? 0 : step->exponent);
        if (step->zero)
            lost = bits_of(addend[i]);
        step->cancelled = lost > step->cancelled ? lost : step->cancelled;
        if (inexact[i])
            step->amplified = lost > step->amplified ? lost : step->amplified;
    }
    for (int i = 0; i < node->operands; i++)
        mpq_clear(addend[i]);
}

static void note_worst(struct trace *trace, const struct step *step)
{
    if (step->cancelled > (trace->cancels ? trace->cancels->cancelled : 0))
        trace->cancels = step;
    if (step->needed > (trace->needs ? trace->needs->needed : 0))
        trace->needs = step;
    if (step->amplified > (trace->amplifies ? trace->amplifies->amplified : HARMLESS))
        trace->amplifies = step;
}

struct trace trace_of(const struct evaluation *exact)
{
    const struct expression *expression = exact->expression;
    struct trace trace = { memory_calloc((size_t)expression->count, sizeof *trace.step), 0, NULL, NULL, NULL, 0, 0 };
    long largest = LONG_MIN;
    bool inputs_exact = true;
    for (int i = 0; i < expression->count; i++) {
        struct step step = { .node = i };
        mpq_srcptr value = exact->value[i].rational;
        step.zero = !mpq_sgn(value);
        step.exponent = step.zero ? 0 : exponent_of(value);
        step.needed = bits_of(value);
        if (adds(expression->node + i))
            trace_addition(exact, &step);
        inputs_exact = inputs_exact && (expression->node[i].operands || step.needed);
        trace.step[trace.count] = step;
        note_worst(&trace, trace.step + trace.count++);
        largest = !step.zero && step.exponent > largest ? step.exponent : largest;
    }
    const struct step *result = trace.step + expression->result;
    trace.lost = result->zero ? 0 : largest - result->exponent + ROUNDINGS;
    if (trace.needs && inputs_exact && !trace.amplifies)
        trace.exact_from = trace.needs->needed;
    return trace;
}

void trace_free(struct trace *trace)
{
    free(trace->step);
    *trace = (struct trace){ 0 };
}
