/* Fuzz the number reader and the expression parser: mutate seeds for so many seconds (first argument, 10), from a random
 * state (second argument: the one of an earlier run). Whatever is accepted must survive its own text and agree with
 * itself in exact and enclosed arithmetic. */
#include "rump/arithmetic/evaluate.h"
#include "rump/formula/number.h"
#include "rump/formula/orders.h"
#include "rump/formula/parse.h"
#include "rump/study/ball.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const seeds[] = {
    "77617", "-0.5", "1e-300", "1/3", "0x1.8p-3", "1e99999", "nan", "a+b", "(a-b)*(a+b)/2", "x = a*a; y = x/b; sum(x, y, -1)",
    "fma(a, b, -(a*b))", "a^2^3", "a^(-3)+b^4", "((((1))))", "1/(a-a)", "-+-a", "0x.8*1.5e2-.5", "t1 = 1; t1;", "a^1000000",
    "sqrt(a^2+b^2)-hypot(a, b)", "exp(log(abs(a)+1))", "sin(pi*a)/cos(e)", "a**-b^0.5", "x = x+1; x = x*a; x", "atan2(a,-b)\u2212min(a,1)",
    "log1p(expm1(b)) + cbrt(tanh(a))", "asin(a/3)-acos(b/3)", "log2(a*a+1)*log10(b*b+2)",
};

static uint64_t state;

static size_t below(size_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state * 0x2545f4914f6cdd1d >> 33) % limit;
}

static void fail(const char *text, const char *what)
{
    fprintf(stderr, "fuzz: %s: '%s'\n", what, text);
    abort();
}

/* A few edits of a seed or an order: bytes changed, taken out, put in, or a piece of another seed. */
static void mutate(char *text, size_t size)
{
    static const char alphabet[] = "0123456789+-*/^().,=; \t\nabtxyzeEpPsumfmaqrcosinlg_@\x80\xff";
    const size_t count = sizeof seeds / sizeof *seeds;
    size_t choice = below(count + 8);
    snprintf(text, size, "%s", choice < count ? seeds[choice] : orders[choice - count].text);
    for (size_t edits = below(6); edits; edits--) {
        size_t length = strlen(text), at = below(length + 1);
        const char *other = seeds[below(count)];
        switch (below(4)) {
        case 0:
            if (at < length)
                text[at] = alphabet[below(sizeof alphabet - 1)];
            break;
        case 1:
            if (at < length)
                memmove(text + at, text + at + 1, length - at);
            break;
        case 2:
            if (length + 2 < size) {
                memmove(text + at + 1, text + at, length - at + 1);
                text[at] = alphabet[below(sizeof alphabet - 1)];
            }
            break;
        default:
            if (length + strlen(other) + 1 < size) {
                memmove(text + at + strlen(other), text + at, length - at + 1);
                memcpy(text + at, other, strlen(other));
            }
        }
    }
}

static void try_number(const char *text)
{
    mpq_t value, again;
    mpq_inits(value, again, NULL);
    size_t length = number_scan(text);
    if (length > strlen(text))
        fail(text, "scanned too far");
    if (!number_read(text, value) && mpz_sizeinbase(mpq_numref(value), 2) + mpz_sizeinbase(mpq_denref(value), 2) < 20000) {
        char *fraction = mpq_get_str(NULL, 10, value);
        if (number_read(fraction, again) || !mpq_equal(value, again))
            fail(text, "its fraction reads differently");
        free(fraction);
    }
    mpq_clears(value, again, NULL);
}

/* A ball and an enclosure of the same value have it in common. */
static void try_ball(const struct expression *expression, mpfi_srcptr enclosure, const char *text)
{
    mpfr_t middle, radius, end;
    mpfr_inits2(2 + (mpfr_prec_t)below(100), middle, end, (mpfr_ptr)0);
    mpfr_init2(radius, 64);
    if (ball_evaluate(expression, 64, middle, radius)) {
        mpfr_sub(end, middle, radius, MPFR_RNDD);
        if (mpfr_greater_p(end, &enclosure->right))
            fail(text, "its ball is above its enclosure");
        mpfr_add(end, middle, radius, MPFR_RNDU);
        if (mpfr_less_p(end, &enclosure->left))
            fail(text, "its ball is below its enclosure");
    }
    mpfr_clears(middle, radius, end, (mpfr_ptr)0);
}

/* The exact result lies in its enclosure. */
static void try_value(const struct expression *expression, const char *text)
{
    if (evaluate_rational_bits(expression) > 50000)
        return;
    struct evaluation exact = evaluate(expression, arithmetic_rational());
    struct evaluation enclosed = evaluate(expression, arithmetic_enclosure(2 + (mpfr_prec_t)below(100)));
    mpfi_srcptr enclosure = enclosed.value[expression->result].enclosure;
    if (exact.undefined < 0 && exact.known[expression->result]) {
        mpq_srcptr value = exact.value[expression->result].rational;
        if (enclosed.undefined >= 0 && exact.known[enclosed.undefined])
            fail(text, "undefined only in the enclosure");
        if (enclosed.undefined < 0 && (mpfr_cmp_q(&enclosure->left, value) > 0 || mpfr_cmp_q(&enclosure->right, value) < 0))
            fail(text, "outside its enclosure");
    }
    if (enclosed.undefined < 0)
        try_ball(expression, enclosure, text);
    evaluation_free(&exact);
    evaluation_free(&enclosed);
}

static void try_expression(const char *text)
{
    struct expression expression, again;
    char *wrong = parse_expression(&expression, text);
    if (wrong) {
        free(wrong);
        return;
    }
    mpq_t value;
    mpq_init(value);
    for (int i = 0; i < expression.count; i++) {
        mpq_set_si(value, (long)below(7) - 3, 1 + below(3));
        mpq_canonicalize(value);
        if (expression.node[i].operation == VARIABLE)
            expression_assign(&expression, expression.node[i].text, value);
        char *whole = expression_text(&expression, i, true);
        wrong = parse_expression(&again, whole);
        if (wrong)
            fail(text, wrong);
        expression_free(&again);
        free(whole);
    }
    mpq_clear(value);
    try_value(&expression, text);
    expression_free(&expression);
}

int main(int argc, char **argv)
{
    char text[2048];
    time_t end = time(NULL) + (argc > 1 ? atol(argv[1]) : 10);
    long tried = 0;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 0x9e3779b97f4a7c15 ^ (uint64_t)time(NULL);
    printf("fuzz: rump: state %llu\n", (unsigned long long)state);
    fflush(stdout);
    for (; time(NULL) < end; tried++) {
        mutate(text, sizeof text);
        try_number(text);
        try_expression(text);
    }
    printf("fuzz: rump: %ld texts, nothing found\n", tried);
    mpfr_free_cache();
    return 0;
}
