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

#define PAIRS 64

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
    check_sentence(&comparison, "B is equivalent to A by wall time: ratio 1.00");
    assert_true(fabs(comparison.transport - 0.001) < 1e-9);
    assert_int_equal(comparison.doubts, 0);
}

static void an_interval_beyond_the_margin_is_faster_or_slower(void **state)
{
    (void)state;
    struct comparison faster = made_up(PAIRS, 0.93, 0.02), slower;
    comparison_judge(&faster);
    assert_int_equal(faster.verdict, STATISTICS_FASTER);
    check_sentence(&faster, "B is faster than A by wall time: ratio 0.93");
    slower = made_up(PAIRS, 1.07, 0.02);
    comparison_judge(&slower);
    assert_int_equal(slower.verdict, STATISTICS_SLOWER);
    check_sentence(&slower, "B is slower than A by wall time: ratio 1.07");
}

static void an_interval_across_the_margin_is_inconclusive(void **state)
{
    (void)state;
    struct comparison comparison = made_up(PAIRS, 1.005, 0.1);
    comparison_judge(&comparison);
    assert_int_equal(comparison.verdict, STATISTICS_INCONCLUSIVE);
    check_sentence(&comparison, "A and B cannot be told apart yet by ");
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
        samples[i].b_wall = samples[i].b_cpu = samples[i].a_cpu = samples[i].a_wall;
        samples[i].b_wall *= i % 2 ? 0.9 : 1.1;
        samples[i].b_cpu *= i % 2 ? 0.9 : 1.1;
    }
    comparison_judge(&comparison);
    assert_int_equal(comparison.doubts, DOUBT_STOLEN | DOUBT_UNLIKE | DOUBT_PREEMPTED | DOUBT_MIGRATED | DOUBT_MODES);
    comparison = made_up(PAIRS, 1, 0.001);
    for (size_t i = PAIRS / 2; i < PAIRS; i++)
        samples[i].b_wall *= 1.05, samples[i].b_cpu *= 1.05;
    comparison_judge(&comparison);
    assert_true(comparison.doubts & DOUBT_DRIFT);
    assert_true(comparison.drift.lower > 0.04 && comparison.drift.upper < 0.06);
    char *text = comparison_doubt_text(&comparison, DOUBT_DRIFT);
    assert_non_null(strstr(text, "drifted by +5.0 % [+"));
    free(text);
}

/* Noise that is made up: splitmix64, so that nothing here is a matter of luck. */
static uint64_t lot;

static double uniform(void)
{
    uint64_t z = lot += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return ((double)((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
}

static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

enum noise { QUIET, HEAVY_TAILS, DRIFT, BUSY, GLITCHES, NOISES };

/* The times of one run of a series: `place` is from 0 to 1 along it. */
static void run_once(enum noise noise, double seconds, double place, double *wall, double *cpu, double *fastest)
{
    *fastest = seconds / 100 * (1 + 0.002 * fabs(normal()));
    *cpu = seconds * (1 + 0.003 * fabs(normal()));
    *wall = *cpu * (1 + 0.003 * fabs(normal()));
    if (noise == HEAVY_TAILS) {  /* Pareto's, without a mean */
        *wall *= 1 + 0.01 / uniform();
        *cpu *= 1 + 0.005 / uniform();
    } else if (noise == DRIFT) {  /* the processor becomes slower by a third, and jumps about */
        double slower = 1 + place / 3 + (uniform() < 0.1 ? 0.1 : 0);
        *wall *= slower, *cpu *= slower, *fastest *= slower;
    } else if (noise == BUSY || noise == GLITCHES) {  /* others take four fifths of it, and its caches */
        *cpu *= 1 + 0.08 * fabs(normal()) + 0.05 * uniform();
        *wall = *cpu * (1 - 4 * log(uniform()));
    }
    if (noise == GLITCHES && uniform() < 0.1)
        *fastest *= 0.7 + 0.3 * uniform();
}

/* A series of `pairs` pairs of runs, where B takes `ratio` times as long as A. */
static struct comparison noisy(enum noise noise, size_t pairs, double ratio)
{
    struct comparison comparison = made_up(pairs, 1, 0);
    for (size_t i = 0; i < pairs; i++) {
        struct sample *sample = &samples[i];
        double place = (double)i / (double)pairs;
        run_once(noise, 0.05, place, &sample->a_wall, &sample->a_cpu, &sample->a_fastest);
        run_once(noise, 0.05 * ratio, place, &sample->b_wall, &sample->b_cpu, &sample->b_fastest);
        sample->b_worker_wall = sample->b_wall;
    }
    comparison.elapsed = 8;
    comparison_judge(&comparison);
    return comparison;
}

static void identical_code_differs_in_one_series_of_a_hundred_at_most(void **state)
{
    (void)state;
    enum { SERIES = 1000 };
    for (enum noise noise = QUIET; noise < NOISES; noise++) {
        unsigned alarms = 0, drifts = 0;
        lot = noise;
        for (unsigned i = 0; i < SERIES; i++) {
            struct comparison comparison = noisy(noise, 10 + i % 40, 1);
            alarms += comparison.verdict == STATISTICS_FASTER || comparison.verdict == STATISTICS_SLOWER;
            drifts += !!(comparison.doubts & DOUBT_DRIFT);
        }
        if (alarms > SERIES / 100 || drifts > SERIES / 100)
            fail_msg("noise %d: %u false alarms, %u drifts in %d series", noise, alarms, drifts, SERIES);
    }
}

static void six_per_cent_are_found_in_nine_series_of_ten(void **state)
{
    (void)state;
    enum { SERIES = 200 };
    for (enum noise noise = QUIET; noise < NOISES; noise++) {
        unsigned found = 0;
        lot = noise;
        for (unsigned i = 0; i < SERIES; i++)
            found += noisy(noise, 12 + i % 20, 1.06).verdict == STATISTICS_SLOWER;
        if (found < SERIES * 9 / 10)
            fail_msg("noise %d: found in %u of %d series", noise, found, SERIES);
    }
}

static void the_verdict_rests_on_the_first_clock_that_is_exact_enough(void **state)
{
    (void)state;
    lot = 1;
    assert_int_equal(noisy(QUIET, 20, 1).basis, CLOCK_WALL);
    struct comparison comparison = noisy(BUSY, 20, 1);
    assert_int_equal(comparison.basis, CLOCK_FASTEST);
    check_sentence(&comparison, "B is equivalent to A by undisturbed CPU time: ratio 1.00");
    for (size_t i = 0; i < 20; i++)
        samples[i].a_cpu = 0.05, samples[i].b_cpu = 0.05 * (1 + 0.0001 * (double)i);
    comparison_judge(&comparison);
    assert_int_equal(comparison.basis, CLOCK_CPU);
}

/* One side that only waits more than the other is not hidden by a clock that does not see it. */
static void a_clock_that_contradicts_is_a_doubt(void **state)
{
    (void)state;
    lot = 2;
    struct comparison comparison = noisy(BUSY, 30, 1);
    for (size_t i = 0; i < 30; i++)
        samples[i].b_wall = samples[i].a_wall * (1.5 + 0.5 * uniform());
    comparison_judge(&comparison);
    assert_int_equal(comparison.verdict, STATISTICS_EQUIVALENT);
    assert_true(comparison.doubts & DOUBT_CLOCKS);
    char *text = comparison_doubt_text(&comparison, DOUBT_CLOCKS);
    assert_int_equal(strncmp(text, "by wall time B is slower, ratio 1.", 34), 0);
    free(text);
}

static void a_time_is_foretold_only_where_it_can_be(void **state)
{
    (void)state;
    struct comparison comparison = made_up(PAIRS, 1.001, 0.08);
    comparison.elapsed = 10;
    comparison_judge(&comparison);
    assert_int_equal(comparison.verdict, STATISTICS_INCONCLUSIVE);
    double more = (double)(comparison.needed - PAIRS) * 10 / PAIRS;
    assert_true(more > 1 && fabs(comparison.needed_s - more) < 1e-9);
    char *sentence = comparison_sentence(&comparison), *end;
    char *about = strstr(sentence, ", about ");
    assert_non_null(about);
    if (!(fabs(strtod(about + 8, &end) - more) <= 1 && !strncmp(end, " s more might do", 16)))
        fail_msg("%g: %s", more, sentence);
    free(sentence);
    comparison = made_up(PAIRS, 1.0101, 0.08);  /* at the margin: half a million pairs, says the formula */
    comparison.elapsed = 10;
    comparison_judge(&comparison);
    assert_int_equal(comparison.verdict, STATISTICS_INCONCLUSIVE);
    assert_true(comparison.needed == 0 && isnan(comparison.needed_s));
    sentence = comparison_sentence(&comparison);
    assert_null(strstr(sentence, "might do"));
    free(sentence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interval_within_the_margin_is_equivalent),
        cmocka_unit_test(an_interval_beyond_the_margin_is_faster_or_slower),
        cmocka_unit_test(an_interval_across_the_margin_is_inconclusive),
        cmocka_unit_test(two_pairs_are_too_few),
        cmocka_unit_test(each_doubt_has_its_cause),
        cmocka_unit_test(identical_code_differs_in_one_series_of_a_hundred_at_most),
        cmocka_unit_test(six_per_cent_are_found_in_nine_series_of_ten),
        cmocka_unit_test(the_verdict_rests_on_the_first_clock_that_is_exact_enough),
        cmocka_unit_test(a_clock_that_contradicts_is_a_doubt),
        cmocka_unit_test(a_time_is_foretold_only_where_it_can_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
