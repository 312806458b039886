/* All that is found out about one expression at one point: fraction, trace, certificate, and rows by format. */
#include "study.h"

#include "common/memory.h"
#include "rational.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Exact rationals larger than this would take minutes. */
static const double MOST_RATIONAL_BITS = 1 << 24;

/* "b is zero: a/(2*b) is undefined": of a product, the factor that is zero is named. */
static char *undefined_text(const struct evaluation *evaluation, int index)
{
    const struct expression *expression = evaluation->expression;
    const struct node *node = expression->node + index;
    int zero = node->operand[node->operands - 1];
    bool rational = evaluation->arithmetic.operations == &rational_operations;
    while (rational && expression->node[zero].operation == MULTIPLY) {
        const int *factor = expression->node[zero].operand;
        zero = factor[mpq_sgn(evaluation->value[factor[0]].rational) ? 1 : 0];
    }
    char *divisor = expression_text(expression, zero, false), *whole = expression_text(expression, index, true);
    char *text = memory_format("%s is zero: %s is undefined", divisor, whole);
    free(divisor);
    free(whole);
    return text;
}

static char *certificate_text(const struct study *study, const struct certificate *certificate)
{
    if (certificate->state == UNDEFINED)
        return undefined_text(&(struct evaluation){ .expression = study->expression }, certificate->node);
    if (certificate->state == OUT_OF_RANGE)
        return memory_strdup("overflow: a value is outside the range of MPFR's exponents");
    if (certificate->state == UNPROVED)
        return memory_format("sign not proved: the result may be zero (%ld bits were tried)",
                             (long)certificate->precision);
    return NULL;
}

char *study_open(struct study *study, const struct expression *expression, size_t digits)
{
    *study = (struct study){ .expression = expression };
    if (evaluate_rational_bits(expression) <= MOST_RATIONAL_BITS) {
        study->exact = evaluate(expression, arithmetic_rational());
        if (study->exact.undefined >= 0) {
            char *text = undefined_text(&study->exact, study->exact.undefined);
            evaluation_free(&study->exact);
            return text;
        }
        study->fraction = study->exact.value[expression->result].rational;
        study->trace = trace_of(&study->exact);
    }
    mpfr_inits2(MPFR_PREC_MIN, study->reference, study->plausible, (mpfr_ptr)0);
    study->certificate = certify(expression, study->fraction, digits);
    char *wrong = certificate_text(study, &study->certificate);
    if (wrong)
        study_close(study);
    return wrong;
}

static void row_free(struct row *row)
{
    free(row->name);
    free(row->value);
    free(row->hexadecimal);
    free(row->cause);
    mpfr_clear(row->number);
}

void study_clear(struct study *study)
{
    for (size_t i = 0; i < study->rows; i++)
        row_free(study->row + i);
    free(study->row);
    study->row = NULL;
    study->rows = 0;
}

void study_close(struct study *study)
{
    study_clear(study);
    if (study->fraction)
        evaluation_free(&study->exact);
    trace_free(&study->trace);
    certificate_free(&study->certificate);
    mpfr_clears(study->reference, study->plausible, (mpfr_ptr)0);
}

char *study_reference(struct study *study, mpfr_prec_t precision)
{
    mpfr_set_prec(study->reference, precision + 128);
    mpfr_set_prec(study->plausible, precision + 128);
    if (!study->fraction) {
        size_t digits = (size_t)((double)(precision + 128) * log10(2)) + 1;
        struct certificate certificate = certify(study->expression, NULL, digits);
        char *wrong = certificate_text(study, &certificate);
        mpfr_set(study->reference, certificate.lower, MPFR_RNDN);
        certificate_free(&certificate);
        return wrong;
    }
    mpfr_set_q(study->reference, study->fraction, MPFR_RNDN);
    for (int i = 0; i < study->expression->count && !study->has_plausible; i++) {
        const char *name = study->expression->node[i].text;
        study->has_plausible = name && !strcmp(name, "t4");
        if (study->has_plausible)
            mpfr_set_q(study->plausible, study->exact.value[i].rational, MPFR_RNDN);
    }
    return NULL;
}

void study_add(struct study *study, struct format format, mpfr_rnd_t rounding)
{
    struct row row = { .format = format, .rounding = rounding };
    bool by_zero;
    mpfr_init2(row.number, format.precision);
    int infinite = evaluate_number(study->expression, arithmetic_of(format, rounding), row.number, &by_zero);
    if (infinite >= 0) {
        char *name = expression_text(study->expression, infinite, false);
        row.cause = memory_format("%s %s", name, by_zero ? "divides by zero" : "overflows");
        free(name);
    }
    row.name = format.name ? memory_strdup(format.name) : memory_format("p=%ld", (long)format.precision);
    row.value = number_shortest(row.number);
    row.hexadecimal = number_hexadecimal(row.number);
    row.judgement = judge(row.number, &format, study->reference, (long)ceil((double)format.precision * log10(2)));
    row.class = judge_class(row.number, row.judgement.verdict, study->reference,
                            study->has_plausible ? study->plausible : NULL);
    study->row = memory_realloc(study->row, study->rows + 1, sizeof row);
    study->row[study->rows++] = row;
}

void study_add_precision(struct study *study, mpfr_prec_t precision, mpfr_rnd_t rounding)
{
    struct format format = arithmetic_real(precision, rounding).format;
    format.name = NULL;
    study_add(study, format, rounding);
}

long study_right_from(const struct study *study)
{
    long from = 0;
    for (size_t i = 0; i < study->rows; i++) {
        bool right = study->row[i].judgement.verdict == RIGHT;
        from = !right ? 0 : from ? from : (long)study->row[i].format.precision;
    }
    return from;
}

static bool agree(const struct row *x, const struct row *y)
{
    mpfr_t difference;
    if (!mpfr_number_p(x->number) || !mpfr_number_p(y->number))
        return false;
    if (mpfr_zero_p(x->number) || mpfr_zero_p(y->number))
        return mpfr_equal_p(x->number, y->number);
    mpfr_init2(difference, 64);
    mpfr_reldiff(difference, x->number, y->number, MPFR_RNDN);
    bool close = mpfr_number_p(difference) && mpfr_cmp_d(difference, -1e-5) > 0 && mpfr_cmp_d(difference, 1e-5) < 0;
    mpfr_clear(difference);
    return close;
}

size_t study_agreement(const struct study *study, bool *member)
{
    size_t best = 1;
    bool *tried = memory_calloc(study->rows, sizeof *tried);
    for (size_t i = 0; i < study->rows; i++) {
        size_t count = 0;
        for (size_t j = 0; j < study->rows; j++) {
            const struct row *x = study->row + i, *y = study->row + j;
            tried[j] = x->judgement.verdict != RIGHT && y->judgement.verdict != RIGHT && agree(x, y);
            count += tried[j];
        }
        if (count > best)
            memcpy(member, tried, study->rows * sizeof *tried);
        best = count > best ? count : best;
    }
    free(tried);
    return best > 1 ? best : 0;
}
