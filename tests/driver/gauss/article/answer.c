/* What follows from made-up measurements, and which of several builds of perl are compared. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "gauss/article/answer.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static struct comparison made_up(double ratio, double spread, enum statistics_verdict verdict)
{
    struct comparison comparison = { .pairs = 20, .margin = ANSWER_MARGIN, .basis = CLOCK_CPU, .verdict = verdict,
                                     .transport = 0.0005 };
    comparison.ratios[CLOCK_CPU] = (struct statistics_interval){ ratio, ratio - spread, ratio + spread };
    return comparison;
}

static struct answer with_perls(size_t count)
{
    static char about[2][48] = { "perl 5.36.0, with threads, shared libperl", "perl 5.36.0, with threads, static libperl" };
    static struct answer answer;  /* a and b point into it */
    answer = (struct answer){ .perls.count = count };
    for (size_t i = 0; i < count; i++)
        answer.perls.perl[i] = (struct perl){ .path = i ? "/b/perl" : "/a/perl", .about = about[i] };
    answer.experiment[EXPERIMENT_C] = made_up(1.001, 0.003, STATISTICS_EQUIVALENT);
    answer.experiment[EXPERIMENT_C].transport = 0.0002;
    if (count)
        answer.experiment[EXPERIMENT_ONE_PERL] = made_up(0.997, 0.01, STATISTICS_EQUIVALENT);
    if (count > 1) {
        perls_choose(&answer.perls, &answer.a, &answer.b);
        answer.experiment[EXPERIMENT_TWO_PERLS] = made_up(0.98, 0.02, STATISTICS_INCONCLUSIVE);
    }
    return answer;
}

/* Sentence `i` begins with `beginning` and has `part` in it; they are `count`. */
static void check_words(const struct answer *answer, size_t count, size_t i, const char *beginning, const char *part)
{
    size_t words_count;
    char **words = answer_words(answer, &words_count);
    assert_int_equal(words_count, count);
    if (strncmp(words[i], beginning, strlen(beginning)))
        assert_string_equal(words[i], beginning);
    if (!strstr(words[i], part))
        assert_string_equal(words[i], part);
    for (size_t k = 0; k < words_count; k++)
        free(words[k]);
    free(words);
}

static void the_article_s_ratio_is_that_of_its_four_runs(void **state)
{
    (void)state;
    assert_true(fabs(answer_then_ratio() - 0.893) < 0.0005);
}

static void one_perl_that_makes_no_difference_clears_the_network(void **state)
{
    (void)state;
    struct answer answer = with_perls(2);
    check_words(&answer, 4, 0, "One perl on both sides: no difference, ratio 0.997 [0.987, 1.007] by CPU time.",
                "0.893 lies far outside");
    check_words(&answer, 4, 2, "Transport costs 0.50 ms a call in Perl, 0.20 ms in C", "at most 0.0006 %");
    check_words(&answer, 4, 3, "What follows: the network made nothing faster; the same code", "consistent, not proved");
}

static void nothing_follows_where_the_article_s_ratio_is_possible(void **state)
{
    (void)state;
    struct answer answer = with_perls(1);
    answer.experiment[EXPERIMENT_ONE_PERL] = made_up(0.98, 0.1, STATISTICS_INCONCLUSIVE);
    check_words(&answer, 4, 0, "One perl on both sides: ratio 0.980 [0.880, 1.080]", "does not exclude");
    check_words(&answer, 4, 3, "What follows: nothing yet", "disturbed");
    answer.experiment[EXPERIMENT_ONE_PERL] = made_up(NAN, 0, STATISTICS_INCONCLUSIVE);
    check_words(&answer, 4, 3, "What follows: nothing yet", "disturbed");
    answer.experiment[EXPERIMENT_ONE_PERL] = made_up(0.85, 0.01, STATISTICS_FASTER);  /* faster than even the article's */
    check_words(&answer, 4, 3, "What follows: nothing yet", "disturbed");
    answer.experiment[EXPERIMENT_ONE_PERL] = made_up(0.95, 0.01, STATISTICS_FASTER);
    check_words(&answer, 4, 3, "What follows: the network made nothing faster. Most likely", "two perls");
}

static void two_builds_explain_the_figure_or_do_not(void **state)
{
    (void)state;
    struct answer answer = with_perls(2);
    check_words(&answer, 4, 1, "Two builds, A by /a/perl", "These two do not explain");
    answer.experiment[EXPERIMENT_TWO_PERLS] = made_up(0.9, 0.01, STATISTICS_FASTER);
    check_words(&answer, 4, 1, "Two builds, A by /a/perl",
                "B is faster, ratio 0.900 [0.890, 0.910] by CPU time. The article's figure may be theirs");
}

static void what_is_missing_is_said(void **state)
{
    (void)state;
    struct answer one = with_perls(1), none = with_perls(0);
    check_words(&one, 4, 1, "There is only one build of perl", "perl 5.36.0, with threads, shared libperl");
    check_words(&none, 3, 0, "No perl along PATH", "cannot be run here");
    check_words(&none, 3, 1, "Transport costs 0.20 ms in C", "0.0002 %");
    check_words(&none, 3, 2, "What follows: the network made nothing faster; the same code", "");
}

static void the_most_unlike_builds_are_compared(void **state)
{
    (void)state;
    const struct perl *a, *b;
    struct perls perls = { .count = 1, .perl = { { .about = "perl 5.36.0, with threads, static libperl" } } };
    perls_choose(&perls, &a, &b);
    assert_null(a);
    perls.count = 2;
    perls.perl[1].about = "perl 5.8.8, without threads, static libperl";
    perls_choose(&perls, &a, &b);
    assert_true(a == &perls.perl[0] && b == &perls.perl[1]);
    perls.count = 3;
    perls.perl[2].about = "perl 5.36.0, with threads, shared libperl";
    perls_choose(&perls, &a, &b);
    assert_true(a == &perls.perl[2] && b == &perls.perl[1]);
    perls.count = 2;
    perls.perl[1].about = perls.perl[0].about;  /* alike, but two files */
    perls_choose(&perls, &a, &b);
    assert_true(a == &perls.perl[0] && b == &perls.perl[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_article_s_ratio_is_that_of_its_four_runs),
        cmocka_unit_test(one_perl_that_makes_no_difference_clears_the_network),
        cmocka_unit_test(nothing_follows_where_the_article_s_ratio_is_possible),
        cmocka_unit_test(two_builds_explain_the_figure_or_do_not),
        cmocka_unit_test(what_is_missing_is_said),
        cmocka_unit_test(the_most_unlike_builds_are_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
