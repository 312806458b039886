/* Verdicts and doubts of made-up series of runs, where they are arithmetic. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "gauss/pairs/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS 40

static struct sample samples[PAIRS];
static const struct sides sides = { .workload = { .threads = 1 } };

/* Pairs whose ratio is `ratio`, spread evenly by up to `spread` to both sides: of all of them, and of either half. */
static struct comparison made_up(size_t pairs, double ratio, double spread)
{
    for (size_t i = 0; i < pairs; i++) {
        double place = (double)(i * 7 % pairs) / (double)(pairs - 1) * 2 - 1;
        double b = ratio * (1 + spread * place);
        samples[i] = (struct sample){ .block = 1 + (unsigned)i / 4, .b_first = i % 2, .a_wall = 1, .a_cpu = 0.999,
                                      .b_wall = b + 0.001, .b_cpu = 0.999 * b, .b_worker_wall = b };
    }
    return (struct comparison){ .sides = &sides, .samples = samples, .pairs = pairs, .margin = 0.01, .stolen = NAN,
                                .findings = { .null_call = NAN, .same = true } };
}

static void check_sentence(const struct comparison *comparison, const char *beginning)
{
    char *sentence = comparison_sentence(comparison);
    assert_int_equal(strncmp(sentence, beginning, strlen(beginning)), 0);
    free(sentence);
}

static void an_interval_within_the_margin_is_equivalent(void **state)
{
    (void)state;
    struct comparison comparison = made_up(PAIRS, 1.001, 0.005);
    comparison_judge(&comparison);
    assert_int_equal(comparison.verdict, STATISTICS_EQUIVALENT);
    check_sentence(&comparison, "B is equivalent to A: ratio 1.00");
    assert_true(fabs(comparison.transport - 0.001) < 1e-9);
    assert_int_equal(comparison.doubts, 0);
}

static void an_interval_beyond_the_margin_is_faster_or_slower(void **state)
{
    (void)state;
    struct comparison faster = made_up(PAIRS, 0.93, 0.02), slower;
    comparison_judge(&faster);
    assert_int_equal(faster.verdict, STATISTICS_FASTER);
    check_sentence(&faster, "B is faster than A: ratio 0.93");
    slower = made_up(PAIRS, 1.07, 0.02);
    comparison_judge(&slower);
    assert_int_equal(slower.verdict, STATISTICS_SLOWER);
    check_sentence(&slower, "B is slower than A: ratio 1.07");
}

static void an_interval_across_the_margin_is_inconclusive(void **state)
{
    (void)state;
    struct comparison comparison = made_up(PAIRS, 1.005, 0.1);
    comparison_judge(&comparison);
    assert_int_equal(comparison.verdict, STATISTICS_INCONCLUSIVE);
    check_sentence(&comparison, "A and B cannot be told apart yet: ratio 1.0");
}

static void two_pairs_are_too_few(void **state)
{
    (void)state;
    struct comparison comparison = made_up(2, 0.5, 0.001);
    comparison_judge(&comparison);
    assert_int_equal(comparison.verdict, STATISTICS_INCONCLUSIVE);
    assert_int_equal(comparison.doubts, DOUBT_FEW);
}

static void each_doubt_has_its_cause(void **state)
{
    (void)state;
    struct comparison comparison = made_up(PAIRS, 1, 0.001);
    comparison.stolen = 0.02;
    comparison.findings.same = false;
    for (size_t i = 0; i < PAIRS; i++) {
        samples[i].preemptions = 100;
        samples[i].migrations = 1;
        samples[i].b_wall = samples[i].a_wall * (i % 2 ? 0.9 : 1.1);
    }
    comparison_judge(&comparison);
    assert_int_equal(comparison.doubts, DOUBT_STOLEN | DOUBT_UNLIKE | DOUBT_PREEMPTED | DOUBT_MIGRATED | DOUBT_MODES);
    comparison = made_up(PAIRS, 1, 0.001);
    for (size_t i = PAIRS / 2; i < PAIRS; i++)
        samples[i].b_wall *= 1.05;
    comparison_judge(&comparison);
    assert_true(comparison.doubts & DOUBT_DRIFT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interval_within_the_margin_is_equivalent),
        cmocka_unit_test(an_interval_beyond_the_margin_is_faster_or_slower),
        cmocka_unit_test(an_interval_across_the_margin_is_inconclusive),
        cmocka_unit_test(two_pairs_are_too_few),
        cmocka_unit_test(each_doubt_has_its_cause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
