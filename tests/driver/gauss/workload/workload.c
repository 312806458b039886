/* The workload: Perl's histograms bit for bit, bins, expectations, shares. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "gauss/workload/parallel.h"
#include "gauss/workload/perl.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct workload workload_of(enum workload_generator generator, uint64_t seed, uint64_t count)
{
    struct workload workload = workload_default();
    workload.generator = generator;
    workload.seed = seed;
    workload.count = count;
    return workload;
}

static struct workload_histogram run(const struct workload *workload)
{
    struct workload_histogram histogram = workload_histogram_new(workload);
    assert_null(workload_fault(workload));
    assert_int_equal(parallel_run(workload, &histogram, NULL, NULL), 0);
    return histogram;
}

/* The counts of the next set of the data file are the histogram's; `line` is its first. */
static void check_set(FILE *file, const struct workload_histogram *histogram)
{
    double bin;
    uint64_t count, total = 0;
    size_t slot = 1;
    long position = ftell(file);
    while (fscanf(file, "%lf %" SCNu64, &bin, &count) == 2) {
        while (slot <= histogram->bins && workload_bin_value(histogram, slot) < bin)
            assert_int_equal(histogram->counts[slot++], 0);
        assert_true(slot <= histogram->bins && workload_bin_value(histogram, slot) == bin);
        assert_int_equal(histogram->counts[slot++], count);
        total += count;
        position = ftell(file);
    }
    fseek(file, position, SEEK_SET);
    if (total)
        assert_int_equal(total, workload_total(histogram));
}

static void perls_histograms_come_out_bit_for_bit(void **state)
{
    (void)state;
    const char *top = getenv("TOP");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/driver/gauss/workload/data/histograms.tsv", top ? top : ".");
    FILE *file = fopen(path, "r");
    char line[512];
    int sets = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        struct workload workload = workload_default();
        if (sscanf(line, "set %" SCNu64 " %" SCNu64 " %lf %lf %lf", &workload.seed, &workload.count, &workload.mean,
                   &workload.sd, &workload.width) != 5)
            continue;
        struct workload_histogram histogram = run(&workload);
        assert_int_equal(workload_total(&histogram), workload.count);
        check_set(file, &histogram);
        workload_histogram_free(&histogram);
        sets++;
    }
    fclose(file);
    assert_int_equal(sets, 9);
}

/* The vectors' histogram is that of the exact arithmetic, for parameters that put many values near edges, or few. */
static void vectors_and_perls_arithmetic_agree_for_any_parameters(void **state)
{
    (void)state;
    static const double parameters[][3] = {  /* mean, sd, width */
        { 6, 1, 1 }, { 0, 1, 0.001 }, { -3.25, 0.1, 2 }, { 1e6, 1, 0.01 }, { -1e8, 1, 0.5 }, { 2e-28, 1e-30, 0.25 },
        { 7e200, 1e200, 0.3 }, { 1e-300, 1e-300, 0.7 }, { 12, 1, 1 }, { -13, 1, 1 }, { 0, 1, 30 },
        { 7e8, 0.7, 1.1 },  /* so far from 0 that some values are rounded onto an edge, or off it */
    };
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        struct workload workload = workload_of(WORKLOAD_PERL, 1000 + i, 200000);
        workload.mean = parameters[i][0], workload.sd = parameters[i][1], workload.width = parameters[i][2];
        if (workload.mean == 7e8)
            workload.count = 20000000;
        struct workload_histogram vectors = run(&workload), exact = workload_histogram_new(&workload);
        struct tally tally = tally_new(&workload, &exact, kernels_best());
        perl_until(&workload, 0, workload.count, &tally);
        tally_finish(&tally, &exact);
        assert_true(workload_equal(&vectors, &exact));
        workload_histogram_free(&vectors);
        workload_histogram_free(&exact);
    }
}

static void the_histogram_is_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    for (enum workload_generator generator = WORKLOAD_PERL; generator <= WORKLOAD_FAST; generator++) {
        struct workload workload = workload_of(generator, 3, 3000017);
        struct workload_histogram one = run(&workload);
        for (workload.threads = 2; workload.threads <= 8; workload.threads += 3) {
            struct workload_histogram several = run(&workload);
            assert_true(workload_equal(&one, &several));
            workload_histogram_free(&several);
        }
        workload_histogram_free(&one);
    }
}

static void the_shares_of_all_ranks_add_up_to_the_whole(void **state)
{
    (void)state;
    for (enum workload_generator generator = WORKLOAD_PERL; generator <= WORKLOAD_FAST; generator++) {
        struct workload workload = workload_of(generator, 4, 2000003);
        struct workload_histogram whole = run(&workload), sum = workload_histogram_new(&workload);
        workload.ranks = 3;
        for (workload.rank = 0; workload.rank < 3; workload.rank++) {
            uint64_t before = workload_total(&sum);
            assert_int_equal(parallel_run(&workload, &sum, NULL, NULL), 0);
            assert_true(workload_total(&sum) > before);
        }
        assert_true(workload_equal(&whole, &sum));
        workload_histogram_free(&whole);
        workload_histogram_free(&sum);
    }
}

static void every_small_count_is_exact(void **state)
{
    (void)state;
    for (enum workload_generator generator = WORKLOAD_PERL; generator <= WORKLOAD_FAST; generator++) {
        for (uint64_t count = 1; count < 70; count++) {
            struct workload workload = workload_of(generator, 9, count);
            struct workload_histogram histogram = run(&workload);
            assert_int_equal(workload_total(&histogram), count);
            workload_histogram_free(&histogram);
        }
    }
}

static void a_shorter_run_is_the_beginning_of_a_longer_one(void **state)
{
    (void)state;
    for (enum workload_generator generator = WORKLOAD_PERL; generator <= WORKLOAD_FAST; generator++) {
        struct workload shorter = workload_of(generator, 11, 262143), longer = workload_of(generator, 11, 262144);
        struct workload_histogram a = run(&shorter), b = run(&longer);
        uint64_t difference = 0;
        for (size_t slot = 0; slot < a.bins + 2; slot++) {
            assert_true(b.counts[slot] >= a.counts[slot]);
            difference += b.counts[slot] - a.counts[slot];
        }
        assert_int_equal(difference, 1);
        workload_histogram_free(&a);
        workload_histogram_free(&b);
    }
}

static void what_falls_outside_of_the_window_is_counted(void **state)
{
    (void)state;
    for (enum workload_generator generator = WORKLOAD_PERL; generator <= WORKLOAD_FAST; generator++) {
        struct workload workload = workload_of(generator, 5, 1000000);
        workload.width = 1e-5;  /* 32767 bins reach to 0.33 standard deviations: 74 % are outside */
        struct workload_histogram histogram = run(&workload);
        assert_int_equal(histogram.bins, WORKLOAD_BINS_MAX);
        assert_int_equal(workload_total(&histogram), 1000000);
        double expected = 1e6 * erfc(0.32767 / M_SQRT2);
        assert_true(fabs((double)workload_outside(&histogram) - expected) < 5 * sqrt(expected * 0.26));
        assert_true(histogram.counts[0] > 350000 && histogram.counts[histogram.bins + 1] > 350000);
        workload_histogram_free(&histogram);
    }
}

static void probabilities_sum_to_one_and_bin_zero_is_twice_as_wide(void **state)
{
    (void)state;
    struct workload workload = workload_default();
    double sum = 0, zero = 0;
    workload.mean = 0;
    struct workload_histogram histogram = workload_histogram_new(&workload);
    for (size_t slot = 0; slot < histogram.bins + 2; slot++) {
        sum += workload_probability(&workload, &histogram, slot);
        if (workload_bin_value(&histogram, slot) == 0)
            zero = workload_probability(&workload, &histogram, slot);
    }
    assert_true(fabs(sum - 1) < 1e-14);
    assert_true(fabs(zero - 0.6246553) < 1e-7);  /* P(-1.5 < x < 0.5) by hand from tables: 0.6915 - 0.0668 */
    workload_histogram_free(&histogram);
}

static void the_articles_printed_histogram_fits(void **state)
{
    (void)state;
    static const uint64_t printed[] = { 61, 4493, 119461, 1212828, 4833075, 7658486, 4835924, 1211702, 119407, 4504, 58, 1 };
    struct workload workload = workload_default();
    struct workload_histogram histogram = workload_histogram_new(&workload);
    for (size_t slot = 1; slot <= histogram.bins; slot++) {
        double bin = workload_bin_value(&histogram, slot);
        if (bin >= 1 && bin <= 12)
            histogram.counts[slot] = printed[(size_t)bin - 1];
    }
    struct workload_fit fit = workload_fit(&workload, &histogram);
    assert_int_equal(workload_total(&histogram), 20000000);
    assert_int_equal(fit.degrees, 10);
    assert_true(fabs(fit.p - 0.74) < 0.005);  /* docs: p = 0.74, computed with R */
    workload_histogram_free(&histogram);
}

static void a_wrong_distribution_does_not_fit(void **state)
{
    (void)state;
    struct workload workload = workload_of(WORKLOAD_FAST, 1, 1000000), other = workload;
    struct workload_histogram histogram = run(&workload);
    assert_true(workload_fit(&workload, &histogram).p > 0.001);
    other.mean = 6.01;
    assert_true(workload_fit(&other, &histogram).p < 1e-6);
    workload_histogram_free(&histogram);
}

static void values_are_rounded_to_15_digits_as_perl_prints_them(void **state)
{
    (void)state;
    struct workload workload = workload_default();
    workload.mean = 0, workload.width = 0.1;
    struct workload_histogram histogram = workload_histogram_new(&workload);
    size_t zero = (size_t)(1 - histogram.lowest);
    assert_true(workload_bin_value(&histogram, zero + 3) == 0.3);
    assert_true(3 * 0.1 != 0.3);
    workload_histogram_free(&histogram);
}

static bool stop_at_once(void *context, double done)
{
    (*(int *)context)++;
    (void)done;
    return false;
}

static void an_abandoned_run_says_so(void **state)
{
    (void)state;
    for (enum workload_generator generator = WORKLOAD_PERL; generator <= WORKLOAD_FAST; generator++) {
        struct workload workload = workload_of(generator, 1, 100000000);
        struct workload_histogram histogram = workload_histogram_new(&workload);
        int asked = 0;
        assert_int_equal(parallel_run(&workload, &histogram, stop_at_once, &asked), -1);
        assert_int_equal(asked, 1);
        assert_true(workload_total(&histogram) < workload.count);
        workload_histogram_free(&histogram);
    }
}

static bool remember(void *context, double done)
{
    double *last = context;
    assert_true(done >= *last && done <= 1);
    *last = done;
    return true;
}

static void progress_rises_from_0_to_1(void **state)
{
    (void)state;
    for (enum workload_generator generator = WORKLOAD_PERL; generator <= WORKLOAD_FAST; generator++) {
        struct workload workload = workload_of(generator, 1, 20000000);
        struct workload_histogram histogram = workload_histogram_new(&workload);
        double last = 0;
        assert_int_equal(parallel_run(&workload, &histogram, remember, &last), 0);
        assert_true(last > 0.9);
        workload_histogram_free(&histogram);
    }
}

static void assert_fault(struct workload workload, const char *start)
{
    char *fault = workload_fault(&workload);
    if (!fault || strncmp(fault, start, strlen(start)))
        fail_msg("'%s' does not begin with '%s'", fault ? fault : "(no fault)", start);
    free(fault);
}

static void what_cannot_be_computed_is_named(void **state)
{
    (void)state;
    struct workload good = workload_default(), bad;
    bad = good, bad.count = 0, assert_fault(bad, "count:");
    bad = good, bad.count = WORKLOAD_COUNT_MAX + 1ull, assert_fault(bad, "count:");
    bad = good, bad.seed = 0x100000000, assert_fault(bad, "seed:");
    bad = good, bad.mean = NAN, assert_fault(bad, "mean:");
    bad = good, bad.mean = INFINITY, assert_fault(bad, "mean:");
    bad = good, bad.sd = 0, assert_fault(bad, "sd:");
    bad = good, bad.sd = -1, assert_fault(bad, "sd:");
    bad = good, bad.sd = NAN, assert_fault(bad, "sd:");
    bad = good, bad.width = 0, assert_fault(bad, "width:");
    bad = good, bad.width = NAN, assert_fault(bad, "width:");
    bad = good, bad.width = 1e-12, assert_fault(bad, "width:");
    bad = good, bad.sd = 1e308, bad.width = 100, assert_fault(bad, "width:");
    bad = good, bad.mean = 1e300, assert_fault(bad, "width:");
    bad = good, bad.threads = 0, assert_fault(bad, "threads:");
    bad = good, bad.ranks = 2, bad.rank = 2, assert_fault(bad, "stream:");
    bad = good, bad.generator = (enum workload_generator)7, assert_fault(bad, "generator:");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perls_histograms_come_out_bit_for_bit),
        cmocka_unit_test(vectors_and_perls_arithmetic_agree_for_any_parameters),
        cmocka_unit_test(the_histogram_is_the_same_for_any_number_of_threads),
        cmocka_unit_test(the_shares_of_all_ranks_add_up_to_the_whole),
        cmocka_unit_test(every_small_count_is_exact),
        cmocka_unit_test(a_shorter_run_is_the_beginning_of_a_longer_one),
        cmocka_unit_test(what_falls_outside_of_the_window_is_counted),
        cmocka_unit_test(probabilities_sum_to_one_and_bin_zero_is_twice_as_wide),
        cmocka_unit_test(the_articles_printed_histogram_fits),
        cmocka_unit_test(a_wrong_distribution_does_not_fit),
        cmocka_unit_test(values_are_rounded_to_15_digits_as_perl_prints_them),
        cmocka_unit_test(an_abandoned_run_says_so),
        cmocka_unit_test(progress_rises_from_0_to_1),
        cmocka_unit_test(what_cannot_be_computed_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
