/* What each operation does to the bits, by the enclosures of its operands and its slopes. */
#include "trace.h"

#include "claim.h"
#include "common/memory.h"
#include "gradient.h"
#include "rump/arithmetic/slopes.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* |value| of a node, rounded toward zero, where it is known so well that its exponent is, too; false where it isn't. */
static bool size_of(const struct evaluation *exact, const struct evaluation *enclosed, int index, mpfr_ptr size)
{
    mpfi_srcptr x = enclosed->value[index].enclosure;
    if (exact->known[index]) {
        mpfr_set_q(size, exact->value[index].rational, MPFR_RNDZ);
        mpfr_abs(size, size, MPFR_RNDZ);
        return mpfr_regular_p(size);
    }
    mpfr_t largest;
    mpfr_init2(largest, 64);
    mpfi_mag(largest, x);
    mpfi_mig(size, x);
    bool known = mpfr_regular_p(size) && mpfr_number_p(largest);
    if (known) {
        mpfr_sub(largest, largest, size, MPFR_RNDU);
        mpfr_div(largest, largest, size, MPFR_RNDU);
        known = mpfr_cmp_d(largest, 0x1p-8) < 0;
    }
    mpfr_clear(largest);
    return known;
}

static bool adds(const struct node *node)
{
    return node->operation == ADD || node->operation == SUBTRACT || node->operation == SUM || node->operation == FMA;
}

/* The exponents of what an addition adds: operands, and the product in fma; the largest of them. LONG_MIN: all zero. */
static long largest_addend(const struct evaluation *exact, const struct evaluation *enclosed, const struct node *node)
{
    long largest = LONG_MIN;
    mpfr_t size, factor;
    mpfr_inits2(64, size, factor, (mpfr_ptr)0);
    for (int i = 0; i < node->operands; i++) {
        bool known = size_of(exact, enclosed, node->operand[i], size);
        if (node->operation == FMA && i == 0) {
            known = size_of(exact, enclosed, node->operand[++i], factor) && known;
            mpfr_mul(size, size, factor, MPFR_RNDZ);
        }
        if (known && mpfr_get_exp(size) > largest)
            largest = mpfr_get_exp(size);
    }
    mpfr_clears(size, factor, (mpfr_ptr)0);
    return largest;
}

/* |x slope / result| of all operands together, infinite where the result is zero. */
static double condition_of(const struct evaluation *enclosed, const struct node *node, const struct step *step,
                           union value **operand)
{
    mpfi_srcptr result = enclosed->value[step->node].enclosure;
    mpfr_t sum, part, size;
    mpfi_t slope;
    if (!step->known)
        return step->zero && !adds(node) ? 0 : INFINITY;
    mpfr_inits2(64, sum, part, size, (mpfr_ptr)0);
    mpfi_init2(slope, mpfi_get_prec(result));
    mpfr_set_zero(sum, 1);
    mpfi_mig(size, result);
    for (int i = 0; i < node->operands; i++) {
        slopes_of(node, i, slope, operand, result);
        mpfi_mul(slope, slope, operand[i]->enclosure);
        mpfi_mag(part, slope);
        mpfr_add(sum, sum, part, MPFR_RNDN);
    }
    mpfr_div(sum, sum, size, MPFR_RNDN);
    double condition = mpfr_nan_p(sum) ? INFINITY : mpfr_get_d(sum, MPFR_RNDN);
    mpfr_clears(sum, part, size, (mpfr_ptr)0);
    mpfi_clear(slope);
    return condition;
}

/* What each step does to the whole result. */
static void weigh(struct trace *trace, const struct evaluation *enclosed)
{
    const struct expression *expression = enclosed->expression;
    const struct step *whole = trace->step + expression->result;
    mpfi_t *gradient = gradient_of(expression, enclosed->value);
    double sum = 0;
    mpfr_t size, part;
    mpfr_inits2(64, size, part, (mpfr_ptr)0);
    mpfi_mig(size, enclosed->value[expression->result].enclosure);
    for (int i = 0; i < trace->count; i++) {
        struct step *step = trace->step + i;
        mpfi_mul(gradient[i], gradient[i], enclosed->value[i].enclosure);
        mpfi_mag(part, gradient[i]);
        mpfr_div(part, part, size, MPFR_RNDN);
        step->amplifies = whole->known ? mpfr_get_d(part, MPFR_RNDN) : INFINITY;
        if (!mpfr_zero_p(part) && expression->node[i].operation == VARIABLE)
            trace->condition += step->amplifies;
        sum += step->amplifies;
    }
    trace->lost = sum > 0 ? log2(sum) : 0;
    mpfr_clears(size, part, (mpfr_ptr)0);
    gradient_free(gradient, expression);
}

static struct step step_of(const struct evaluation *exact, const struct evaluation *enclosed, int index, bool fits)
{
    const struct node *node = exact->expression->node + index;
    struct step step = { .node = index };
    mpfr_t size;
    mpfr_init2(size, 64);
    mpfr_init2(step.value, 64);
    mpfi_mid(step.value, enclosed->value[index].enclosure);
    if (exact->known[index])
        mpfr_set_q(step.value, exact->value[index].rational, MPFR_RNDN);
    step.known = size_of(exact, enclosed, index, size);
    step.zero = exact->known[index] && !mpq_sgn(exact->value[index].rational);
    step.exponent = step.known ? mpfr_get_exp(size) : 0;
    step.needed = fits ? claim_bits(exact->value[index].rational) : 0;
    if (adds(node)) {
        long largest = largest_addend(exact, enclosed, node);
        step.cancels_all = step.zero && largest > LONG_MIN;
        if (step.known && largest > step.exponent)
            step.cancelled = largest - step.exponent;
    }
    mpfr_clear(size);
    return step;
}

struct trace trace_of(const struct evaluation *exact, const struct evaluation *enclosed)
{
    const struct expression *expression = exact->expression;
    struct trace trace = { .step = memory_calloc((size_t)expression->count, sizeof *trace.step), .count = expression->count };
    union value **operand = memory_calloc((size_t)expression->count, sizeof *operand);
    bool *fits = claim_exact_nodes(exact);
    for (int i = 0; i < expression->count; i++) {
        const struct node *node = expression->node + i;
        struct step *step = trace.step + i;
        *step = step_of(exact, enclosed, i, fits[i]);
        for (int j = 0; j < node->operands; j++)
            operand[j] = enclosed->value + node->operand[j];
        step->condition = node->operands ? condition_of(enclosed, node, step, operand) : 0;
        if (step->cancels_all || step->cancelled > (trace.cancels ? trace.cancels->cancelled : 0))
            trace.cancels = trace.cancels && trace.cancels->cancels_all ? trace.cancels : step;
        if (step->condition > (trace.worst ? trace.worst->condition : 0))
            trace.worst = step;
    }
    weigh(&trace, enclosed);
    free(operand);
    free(fits);
    return trace;
}

void trace_free(struct trace *trace)
{
    for (int i = 0; i < trace->count; i++)
        mpfr_clear(trace->step[i].value);
    free(trace->step);
    *trace = (struct trace){ 0 };
}
