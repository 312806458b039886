/* All that is found out about one expression at one point: fraction, trace, certificate, and rows by format. */
#include "study.h"

#include "common/memory.h"
#include "rump/arithmetic/enclosure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Exact rationals larger than this would take minutes. */
static const double MOST_RATIONAL_BITS = 1 << 24;

/* Of enclosures of all nodes. */
enum { FEWEST_BITS = 256, MOST_NARROW_BITS = 1 << 16 };

/* Of a product that is zero the factor that is. */
static int zero_factor(const struct evaluation *exact, int index)
{
    const struct expression *expression = exact->expression;
    while (expression->node[index].operation == MULTIPLY && exact->known[index] &&
           !mpq_sgn(exact->value[index].rational)) {
        const int *factor = expression->node[index].operand;
        index = factor[exact->known[factor[0]] && !mpq_sgn(exact->value[factor[0]].rational) ? 0 : 1];
    }
    return index;
}

/* "b is zero: a/(2*b) is undefined". */
static char *undefined_text(const struct evaluation *exact, int index, bool surely)
{
    const struct expression *expression = exact->expression;
    const struct node *node = expression->node + index;
    const char *is = "is negative";
    int cause = node->operand[0];
    switch (node->operation) {
    case DIVIDE:
        cause = zero_factor(exact, node->operand[1]);
        is = "is zero";
        break;
    case POWER: is = "is zero"; break;
    case RAISE: case LOG: case LOG2: case LOG10:
        if (exact->known[cause] ? !mpq_sgn(exact->value[cause].rational) : surely && node->operation == RAISE)
            is = "is zero";
        break;
    case LOG1P: is = "is not above -1"; break;
    case ASIN: case ACOS: is = "is not within -1 and 1"; break;
    case TAN: is = "is an odd multiple of pi/2"; break;
    case ATAN2: is = "has either sign on the branch cut"; break;
    default: break;
    }
    char *what = expression_text(expression, cause, false), *whole = expression_text(expression, index, true);
    char *text = surely ? memory_format("%s %s: %s is undefined", what, is, whole)
                        : memory_format("%s may be where %s is undefined (no enclosure of it tells): perhaps it %s", what,
                                        whole, is);
    free(what);
    free(whole);
    return text;
}

static char *certificate_text(const struct study *study, const struct certificate *certificate)
{
    switch (certificate->state) {
    case UNDEFINED_THERE: case UNCERTAIN_THERE:
        return undefined_text(&study->exact, certificate->node, certificate->state == UNDEFINED_THERE);
    case OUT_OF_RANGE:
        return memory_format("%s: a value is outside the range of MPFR's exponents",
                             mpfr_inf_p(certificate->lower) || mpfr_inf_p(certificate->upper) ? "overflow" : "underflow");
    case UNPROVED:
        return memory_format("sign not proved: the result may be zero (%ld bits were tried)", (long)certificate->precision);
    default: return NULL;
    }
}

/* The exact values that can be had: none where some of them would be too large. */
static struct evaluation evaluate_exactly(const struct expression *expression)
{
    if (evaluate_rational_bits(expression) <= MOST_RATIONAL_BITS)
        return evaluate(expression, arithmetic_rational());
    struct evaluation none = { expression, arithmetic_rational(), NULL, NULL, -1, -1 };
    none.value = memory_calloc((size_t)expression->count, sizeof *none.value);
    none.known = memory_calloc((size_t)expression->count, sizeof *none.known);
    for (int i = 0; i < expression->count; i++)
        mpq_init(none.value[i].rational);
    return none;
}

/* What enclosures are computed of: x-x is zero, even for an x that has no bits. */
static const struct expression *certified(const struct study *study)
{
    return study->reduced.node ? &study->reduced : study->expression;
}

/* Enclosures of all nodes, so narrow that the result's first digits are known. */
static struct evaluation evaluate_narrowly(const struct study *study)
{
    mpfr_prec_t precision = study->certificate.from_fraction ? FEWEST_BITS : study->certificate.precision + FEWEST_BITS / 2;
    for (;; precision *= 2) {
        mpfr_prec_t bits = precision < MOST_NARROW_BITS ? precision : MOST_NARROW_BITS;
        struct evaluation enclosed = evaluate(certified(study), arithmetic_enclosure(bits));
        enclosed.expression = study->expression;  /* the nodes are the same */
        mpfi_srcptr result = enclosed.value[study->expression->result].enclosure;
        bool zero = study->fraction && !mpq_sgn(study->fraction);
        if (zero || bits == MOST_NARROW_BITS || (!enclosure_holds_zero(result) && mpfi_bounded_p(result)))
            return enclosed;
        evaluation_free(&enclosed);
    }
}

char *study_open(struct study *study, const struct expression *expression, size_t digits, mpfr_rnd_t rounding)
{
    *study = (struct study){ .expression = expression };
    mpfr_inits2(MPFR_PREC_MIN, study->reference, study->plausible, (mpfr_ptr)0);
    study->exact = evaluate_exactly(expression);
    if (study->exact.undefined >= 0)
        study->certificate = (struct certificate){ .state = UNDEFINED_THERE, .node = study->exact.undefined };
    if (study->exact.known[expression->result])
        study->fraction = study->exact.value[expression->result].rational;
    if (!study->fraction)
        study->reduced = evaluation_reduce(&study->exact);
    if (study->exact.undefined < 0)
        study->certificate = certify(certified(study), study->fraction, digits);
    else
        mpfr_inits2(MPFR_PREC_MIN, study->certificate.lower, study->certificate.upper, (mpfr_ptr)0);
    char *wrong = certificate_text(study, &study->certificate);
    if (wrong) {
        study_close(study);
        return wrong;
    }

    struct evaluation enclosed = evaluate_narrowly(study);
    study->trace = trace_of(&study->exact, &enclosed);
    study->claim = claim_of(&study->exact, rounding, study->trace.lost);
    evaluation_free(&enclosed);
    return NULL;
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
    expression_free(&study->reduced);
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
        struct certificate certificate = certify(certified(study), NULL, digits);
        char *wrong = certificate_text(study, &certificate);
        mpfr_set(study->reference, certificate.lower, MPFR_RNDN);
        certificate_free(&certificate);
        return wrong;
    }
    mpfr_set_q(study->reference, study->fraction, MPFR_RNDN);
    for (int i = 0; i < study->expression->count && !study->has_plausible; i++) {
        const char *name = study->expression->node[i].text;
        study->has_plausible = name && !strcmp(name, "t4") && study->exact.known[i];
        if (study->has_plausible)
            mpfr_set_q(study->plausible, study->exact.value[i].rational, MPFR_RNDN);
    }
    return NULL;
}

/* Why a row is no finite number, in words and as its verdict. */
static void explain(const struct study *study, const struct failed *failed, struct row *row)
{
    static const char *const words[] = { [OVERFLOWS] = "overflows", [DIVIDES_BY_ZERO] = "divides by zero",
                                         [INVALID] = "is invalid" };
    static const enum verdict verdicts[] = { [OVERFLOWS] = OVERFLOWED, [DIVIDES_BY_ZERO] = BY_ZERO,
                                             [INVALID] = NOT_A_NUMBER };
    if (failed->failure == FINE)
        return;
    char *name = expression_text(study->expression, failed->node, false);
    row->cause = memory_format("%s %s", name, words[failed->failure]);
    if (row->judgement.verdict == OVERFLOWED)
        row->judgement.verdict = verdicts[failed->failure];
    free(name);
}

void study_add(struct study *study, struct format format, mpfr_rnd_t rounding)
{
    struct row row = { .format = format, .rounding = rounding };
    mpfr_init2(row.number, format.precision);
    struct failed failed = evaluate_number(study->expression, arithmetic_of(format, rounding), row.number);
    row.name = format.name ? memory_strdup(format.name) : memory_format("p=%ld", (long)format.precision);
    row.value = number_shortest(row.number);
    row.hexadecimal = number_hexadecimal(row.number);
    row.judgement = judge(row.number, &format, study->reference, (long)ceil((double)format.precision * log10(2)));
    explain(study, &failed, &row);
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

long study_proved_from(const struct study *study)
{
    return study->claim.ulps <= 1 ? study->claim.precision : 0;
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
