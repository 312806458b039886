/* The fast generator: its bits, and whether its variates are normal and independent. Seeds are fixed, so that nothing
 * here fails by chance; limits are five or six standard errors. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/memory.h"
#include "gauss/workload/fast.h"
#include "gauss/workload/parallel.h"
#include "gauss/workload/perl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The kernels of this processor that are to do as the portable one does. */
static size_t vector_kernels(const struct kernels *found[])
{
    static const char *const names[] = { "avx2", "avx512" };
    size_t count = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if ((found[count] = kernels_named(names[i])))
            count++;
    assert_non_null(kernels_named("generic"));
    return count;
}

static void every_vector_width_gives_the_same_bits(void **state)
{
    (void)state;
    static double wide[10007], narrow[10007];
    const struct kernels *kernels[2];
    size_t count = vector_kernels(kernels);
    if (!count)
        skip();
    for (uint64_t seed = 0; seed < 50; seed++) {
        fast_variates(seed, seed * 1000, narrow, 10007, kernels_named("generic"));
        for (size_t i = 0; i < count; i++) {
            fast_variates(seed, seed * 1000, wide, 10007, kernels[i]);
            assert_memory_equal(wide, narrow, sizeof wide);
        }
    }
}

static void the_widest_vectors_of_the_processor_are_used(void **state)
{
    (void)state;
    const struct kernels *kernels[2];
    size_t count = vector_kernels(kernels);
    assert_ptr_equal(kernels_best(), count ? kernels[count - 1] : kernels_named("generic"));
}

/* The papers' code, one number at a time, and the mathematical library. */
static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static uint64_t xoshiro256plus(uint64_t s[4])
{
    const uint64_t result = s[0] + s[3], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return result;
}

static void the_generators_are_those_of_the_papers(void **state)
{
    (void)state;
    uint64_t zero = 0, s[4] = { 1, 2, 3, 4 };
    assert_true(splitmix64(&zero) == 0xe220a8397b1dcdaf);  /* published first value for the seed 0 */
    assert_true(xoshiro256plus(s) == 5);                   /* by hand: 1 + 4 */
    assert_true(s[0] == 7 && s[1] == 0 && s[2] == 262146 && s[3] == (uint64_t)6 << 45);
}

static void variates_are_box_and_mullers_of_xoshiros_numbers(void **state)
{
    (void)state;
    enum { STEPS = 2000, STREAMS = KERNELS_STREAMS };
    static double z[STEPS * 2 * STREAMS];
    uint64_t seed = 5, block = 3, first = seed * 0x9e3779b97f4a7c15 + 1 - 0x9e3779b97f4a7c15;
    uint64_t position = splitmix64(&first) + block * 4 * STREAMS * 0x9e3779b97f4a7c15;
    fast_variates(seed, block, z, STEPS * 2 * STREAMS, kernels_best());
    for (size_t stream = 0; stream < STREAMS; stream++) {
        uint64_t s[4];
        for (int word = 0; word < 4; word++)
            s[word] = splitmix64(&position);
        for (size_t step = 0; step < STEPS; step++) {
            uint64_t a = xoshiro256plus(s), b = xoshiro256plus(s), mask = (1ull << 52) - 1;
            double u = 1 - (double)(a & mask) * 0x1p-52, t = 2 * ((double)(b & mask) * 0x1p-52) - 1;
            double radius = sqrt(-2 * log(u)), sign = b >> 63 ? -1 : 1;
            const double *pair = z + step * 2 * STREAMS + stream;
            assert_true(fabs(pair[0] - sign * radius * cos(M_PI_2 * t)) < 2e-12);
            assert_true(fabs(pair[STREAMS] - radius * sin(M_PI_2 * t)) < 2e-12);
        }
    }
}

static struct workload_histogram count(const struct workload *workload, const struct kernels *kernels)
{
    struct workload_histogram histogram = workload_histogram_new(workload);
    struct tally tally = tally_new(workload, &histogram, kernels);
    if (workload->generator == WORKLOAD_FAST)
        fast_block(workload->seed, 3, 40009, &tally);
    else
        perl_attempts(workload, 77, 40009, &tally);
    tally_finish(&tally, &histogram);
    return histogram;
}

static void every_vector_width_counts_the_same(void **state)
{
    (void)state;
    static const double parameters[][2] = { { 6, 1 }, { 0, 0.3 }, { 0, 0.01 }, { -5, 0.0001 }, { 1e6, 1 }, { 0, 1e-6 } };
    const struct kernels *kernels[2];
    size_t found = vector_kernels(kernels);
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        for (enum workload_generator generator = WORKLOAD_PERL; generator <= WORKLOAD_FAST; generator++) {
            struct workload workload = workload_default();
            workload.generator = generator, workload.mean = parameters[i][0], workload.width = parameters[i][1];
            struct workload_histogram narrow = count(&workload, kernels_named("generic"));
            for (size_t k = 0; k < found; k++) {
                struct workload_histogram wide = count(&workload, kernels[k]);
                assert_true(workload_equal(&wide, &narrow));
                workload_histogram_free(&wide);
            }
            workload_histogram_free(&narrow);
        }
    }
}

/* The rule applied to the very variates, in plain C. */
static void its_histogram_is_the_rule_applied_to_its_variates(void **state)
{
    (void)state;
    static const double parameters[][2] = { { 6, 1 }, { 0, 1 }, { -0.3, 0.25 }, { 0, 0.01 }, { 100, 0.001 } };
    double *z = memory_calloc(40009, sizeof *z);
    fast_variates(1, 3, z, 40009, kernels_best());
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        struct workload workload = workload_default();
        workload.generator = WORKLOAD_FAST, workload.mean = parameters[i][0], workload.width = parameters[i][1];
        struct workload_histogram histogram = count(&workload, kernels_best());
        uint64_t moved = 0;
        for (size_t k = 0; k < 40009; k++) {
            double w = workload.width;
            int64_t slot = (int64_t)((z[k] + workload.mean + w / 2) / w) - histogram.lowest + 1;
            histogram.counts[slot < 0 ? 0 : slot > (int64_t)histogram.bins ? histogram.bins + 1 : (size_t)slot]--;
        }
        for (size_t slot = 0; slot < histogram.bins + 2; slot++)
            moved += histogram.counts[slot] < UINT64_MAX / 2 ? histogram.counts[slot] : -histogram.counts[slot];
        assert_true(moved <= 2);  /* one variate within a rounding error of an edge, at most */
        workload_histogram_free(&histogram);
    }
    free(z);
}

static void a_hundred_million_variates_fit_the_normal_distribution(void **state)
{
    (void)state;
    static const double widths[] = { 1, 0.1, 0.01 };
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct workload workload = workload_default();
        workload.generator = WORKLOAD_FAST, workload.seed = 20 + i, workload.mean = 0, workload.width = widths[i];
        workload.count = 100000000, workload.threads = 2;
        struct workload_histogram histogram = workload_histogram_new(&workload);
        assert_int_equal(parallel_run(&workload, &histogram, NULL, NULL), 0);
        struct workload_fit fit = workload_fit(&workload, &histogram);
        assert_true(fit.degrees > (unsigned)(8 / widths[i]));
        if (!(fit.p > 1e-3 && fit.p < 1 - 1e-3))
            fail_msg("width %g: chi-square %g on %u degrees, p = %g", widths[i], fit.value, fit.degrees, fit.p);
        workload_histogram_free(&histogram);
    }
}

static void tails_to_six_standard_deviations_have_their_share(void **state)
{
    (void)state;
    struct workload workload = workload_default();
    workload.generator = WORKLOAD_FAST, workload.mean = 0, workload.width = 0.5, workload.count = 100000000;
    workload.threads = 2;
    struct workload_histogram histogram = workload_histogram_new(&workload);
    assert_int_equal(parallel_run(&workload, &histogram, NULL, NULL), 0);
    /* bin values i/2 hold |x| from i/2 - 1/4 or i/2 + 1/4 on; compare each tail with erfc */
    for (int tail = 8; tail <= 12; tail++) {
        double counted = 0, expected = 0;
        for (size_t slot = 0; slot < histogram.bins + 2; slot++) {
            if (fabs(workload_bin_value(&histogram, slot)) < tail * 0.5)
                continue;
            counted += (double)histogram.counts[slot];
            expected += 1e8 * workload_probability(&workload, &histogram, slot);
        }
        if (fabs(counted - expected) > 5 * sqrt(expected) + 5)
            fail_msg("beyond %g sd: %g, expected %g", tail * 0.5, counted, expected);
        assert_true(tail > 10 || counted > 0);
    }
    workload_histogram_free(&histogram);
}

/* Ten million variates; each moment's standard error is sqrt(E z^2k - (E z^k)^2) / sqrt(n). */
static void the_first_six_moments_are_the_normal_ones(void **state)
{
    (void)state;
    static const double expected[] = { 0, 1, 0, 3, 0, 15 }, square[] = { 1, 3, 15, 105, 945, 10395 };
    enum { N = 262144, BLOCKS = 40 };
    double *z = memory_calloc(N, sizeof *z), sum[6] = { 0 };
    for (uint64_t block = 0; block < BLOCKS; block++) {
        fast_variates(5, block, z, N, kernels_best());
        for (size_t i = 0; i < N; i++) {
            double power = 1;
            for (int k = 0; k < 6; k++)
                sum[k] += power *= z[i];
        }
    }
    for (int k = 0; k < 6; k++) {
        double n = (double)N * BLOCKS, error = sqrt((square[k] - expected[k] * expected[k]) / n);
        if (fabs(sum[k] / n - expected[k]) > 5 * error)
            fail_msg("moment %d: %g, expected %g within %g", k + 1, sum[k] / n, expected[k], 5 * error);
    }
    free(z);
}

/* Correlation of f(x[i]) and f(y[i]); f is the identity or the square. */
static double correlation(const double *x, const double *y, size_t n, bool squares)
{
    double sum = 0, mean = squares ? 1 : 0, variance = squares ? 2 : 1;
    for (size_t i = 0; i < n; i++) {
        double a = squares ? x[i] * x[i] : x[i], b = squares ? y[i] * y[i] : y[i];
        sum += (a - mean) * (b - mean);
    }
    return sum / ((double)n * variance);
}

static void neighbours_are_independent(void **state)
{
    (void)state;
    enum { N = 262144 };
    double *z = memory_calloc(N, sizeof *z), limit = 6 / sqrt(N - 64);
    fast_variates(6, 0, z, N, kernels_best());
    /* lag 8: cosine and sine of one angle; 16: a stream's next pair; others: other streams */
    for (size_t lag = 1; lag <= 64; lag++)
        for (int squares = 0; squares <= 1; squares++)
            if (fabs(correlation(z, z + lag, N - lag, squares)) > limit)
                fail_msg("lag %zu, squares %d: %g", lag, squares, correlation(z, z + lag, N - lag, squares));
    free(z);
}

static void blocks_and_seeds_are_independent(void **state)
{
    (void)state;
    enum { N = 262144 };
    static const uint64_t others[][2] = { { 7, 1 }, { 7, 2 }, { 8, 0 }, { 6, 0 }, { 0, 0 }, { 7, 1u << 20 }, { 0xffffffff, 0 } };
    double *x = memory_calloc(N, sizeof *x), *y = memory_calloc(N, sizeof *y);
    fast_variates(7, 0, x, N, kernels_best());
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        fast_variates(others[i][0], others[i][1], y, N, kernels_best());
        assert_true(fabs(correlation(x, y, N, false)) < 6 / sqrt(N));
        assert_true(fabs(correlation(x, y, N, true)) < 6 / sqrt(N));
        size_t equal = 0;
        for (size_t k = 0; k < N; k++)
            equal += x[k] == y[k];
        assert_true(equal < 5);
    }
    free(x);
    free(y);
}

/* The pair's angle and radius: uniform and exponential, which Box and Muller's theorem says. */
static void pairs_point_in_all_directions(void **state)
{
    (void)state;
    enum { N = 262144, SECTORS = 64 };
    double *z = memory_calloc(N, sizeof *z), value = 0;
    unsigned counts[SECTORS] = { 0 };
    fast_variates(12, 0, z, N, kernels_best());
    for (size_t i = 0; i < N; i += 16)
        for (size_t k = 0; k < 8; k++)
            counts[(size_t)((atan2(z[i + k], z[i + k + 8]) / M_PI + 1) / 2 * SECTORS) % SECTORS]++;
    for (size_t k = 0; k < SECTORS; k++)
        value += pow(counts[k] - N / 2.0 / SECTORS, 2) / (N / 2.0 / SECTORS);
    assert_true(value > 30 && value < 110);  /* chi-square, 63 degrees: 0.9999 of it */
    free(z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_vector_width_gives_the_same_bits),
        cmocka_unit_test(the_widest_vectors_of_the_processor_are_used),
        cmocka_unit_test(the_generators_are_those_of_the_papers),
        cmocka_unit_test(variates_are_box_and_mullers_of_xoshiros_numbers),
        cmocka_unit_test(every_vector_width_counts_the_same),
        cmocka_unit_test(its_histogram_is_the_rule_applied_to_its_variates),
        cmocka_unit_test(a_hundred_million_variates_fit_the_normal_distribution),
        cmocka_unit_test(tails_to_six_standard_deviations_have_their_share),
        cmocka_unit_test(the_first_six_moments_are_the_normal_ones),
        cmocka_unit_test(neighbours_are_independent),
        cmocka_unit_test(blocks_and_seeds_are_independent),
        cmocka_unit_test(pairs_point_in_all_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
