/* Verdicts: the article's numbers, classes of results, agreement of wrong ones. */
#include "driver/rump/support.h"

#include "rump/study/judge.h"
#include "rump/study/study.h"

#include <math.h>

static void open_study(struct study *study, struct expression *expression, const char *order, const char *a, const char *b)
{
    rump_at(expression, order, a, b);
    char *wrong = study_open(study, expression, 40, MPFR_RNDN);
    if (!wrong)
        wrong = study_reference(study, 300);
    if (wrong)
        fail_msg("%s", wrong);
}

static void printed_numbers_get_the_verdicts_of_the_article(void **state)
{
    (void)state;
    static const struct { const char *text; long correct, digits; const char *verdict; } cases[] = {
        { "1.172604", 0, 7, "wrong sign" },
        { "1.1726039400531786949244406059733592", 0, 35, "wrong sign" },
        { "-0.82739603", 7, 8, "last digit" },
        { "-0.8273960599468213", 16, 16, "right" },
        { "-0.8273960599468214", 16, 16, "right" },
        { "-0.8273960599468213050755593940266408", 16, 34, "partly" },
        { "-.8273960599468213681411650954798162919991", 39, 40, "last digit" },
        { "-0.827396059946821368141165095479816291999", 39, 39, "right" },
        { "-0.8273960599468213681411650954798162920", 37, 37, "right" },
        { "-99999999999999998.827", 0, 20, "wrong" },
        { "-54767/66192", 0, 0, "right" },
        { "-54766/66192", 0, 0, "wrong" },
        { "-8.273960599468e-1", 13, 13, "right" },
        { "0", 0, 1, "wrong" },
    };
    struct study study;
    struct expression expression;
    open_study(&study, &expression, "article", "77617", "33096");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct judgement judgement;
        long digits;
        assert_null(judge_printed(cases[i].text, study.reference, &judgement, &digits));
        if (digits != cases[i].digits || judgement.correct_digits != cases[i].correct
            || strcmp(judge_verdict(judgement.verdict), cases[i].verdict))
            fail_msg("%s: %ld of %ld, %s", cases[i].text, judgement.correct_digits, digits, judge_verdict(judgement.verdict));
    }
    study_close(&study);
    expression_free(&expression);
}

static void no_number_gets_no_verdict(void **state)
{
    (void)state;
    struct judgement judgement;
    long digits;
    mpfr_t reference;
    mpfr_init2(reference, 100);
    mpfr_set_ui(reference, 1, MPFR_RNDN);
    assert_non_null(judge_printed("NaN", reference, &judgement, &digits));
    assert_non_null(judge_printed("", reference, &judgement, &digits));
    mpfr_clear(reference);
}

static void formats_get_the_known_verdicts(void **state)
{
    (void)state;
    static const char *const wanted[] = { "overflow", "wrong", "wrong sign", "wrong sign", "wrong sign" };
    struct study study;
    struct expression expression;
    open_study(&study, &expression, "article", "77617", "33096");
    for (size_t i = 0; arithmetic_formats[i].name; i++) {
        study_add(&study, arithmetic_formats[i], MPFR_RNDN);
        assert_string_equal(judge_verdict(study.row[i].judgement.verdict), wanted[i]);
        assert_int_equal(study.row[i].judgement.correct_digits, 0);
    }
    bool member[5];
    assert_int_equal(study_agreement(&study, member), 3);
    assert_true(!member[0] && !member[1] && member[2] && member[3] && member[4]);
    study_close(&study);
    expression_free(&expression);
}

static void right_results_that_agree_are_no_warning(void **state)
{
    (void)state;
    struct study study;
    struct expression expression;
    bool member[4];
    open_study(&study, &expression, "horner", "2", "3");
    for (long precision = 50; precision < 54; precision++)
        study_add_precision(&study, precision, MPFR_RNDN);
    assert_int_equal(study_agreement(&study, member), 0);
    study_close(&study);
    expression_free(&expression);
}

static void a_sweep_has_the_known_classes(void **state)
{
    (void)state;
    struct study study;
    struct expression expression;
    open_study(&study, &expression, "article", "77617", "33096");
    for (long precision = 1; precision <= 256; precision++)
        study_add_precision(&study, precision, MPFR_RNDN);
    for (size_t i = 0; i < study.rows; i++) {
        long precision = (long)i + 1;
        if (precision >= 100 && strcmp(study.row[i].class, precision < 122 ? "plausible" : "right"))
            fail_msg("%ld bits: %s", precision, study.row[i].class);
        if (precision < 122)
            assert_string_not_equal(study.row[i].class, "right");
    }
    assert_string_equal(study.row[23].class, "huge");
    assert_int_equal(study_right_from(&study), 122);
    study_close(&study);
    expression_free(&expression);
}

/* Directions of rounding agree on the wrong number where only the enclosure tells. */
static void rounding_modes_agree_falsely_and_rounding_down_does_not(void **state)
{
    (void)state;
    static const mpfr_rnd_t agreeing[] = { MPFR_RNDN, MPFR_RNDZ, MPFR_RNDU };
    struct study study;
    struct expression expression;
    open_study(&study, &expression, "article", "77617", "33096");
    for (long precision = 107; precision <= 121; precision++)
        for (int i = 0; i < 3; i++)
            study_add_precision(&study, precision, agreeing[i]);
    for (size_t i = 0; i < study.rows; i++)
        assert_string_equal(study.row[i].class, "plausible");
    study_add_precision(&study, 113, MPFR_RNDD);
    assert_int_equal(strncmp(study.row[study.rows - 1].value, "-1022.8273", 10), 0);
    assert_string_equal(study.row[study.rows - 1].class, "huge");
    study_close(&study);
    expression_free(&expression);
}

static void ulps_count_in_the_last_place_of_the_reference(void **state)
{
    (void)state;
    struct format format = arithmetic_formats[2];  /* binary64 */
    mpfr_t value, reference;
    mpfr_init2(value, 53);
    mpfr_init2(reference, 400);
    mpfr_set_d(reference, 0.75, MPFR_RNDN);
    mpfr_set_d(value, 0.75 + 3 * 0x1p-53, MPFR_RNDN);
    struct judgement judgement = judge(value, &format, reference, 16);
    assert_true(judgement.ulps == 3 && judgement.verdict == WRONG && judgement.correct_digits == 15);
    mpfr_set_d(value, 0.75 + 0x1p-53, MPFR_RNDN);
    assert_int_equal(judge(value, &format, reference, 16).verdict, WRONG);  /* 1 ulp is not below 1 ulp */
    mpfr_set_d(reference, 0x1p-1074, MPFR_RNDN);
    mpfr_set_d(value, 0x3p-1074, MPFR_RNDN);
    assert_true(judge(value, &format, reference, 16).ulps == 2);
    mpfr_set_zero(reference, 1);
    mpfr_set_zero(value, 1);
    judgement = judge(value, &format, reference, 16);
    assert_true(judgement.verdict == RIGHT && judgement.correct_digits == 16 && isnan(judgement.ulps));
    mpfr_set_d(value, 1, MPFR_RNDN);
    assert_int_equal(judge(value, &format, reference, 16).verdict, WRONG);
    mpfr_clears(value, reference, (mpfr_ptr)0);
}

static void what_has_no_value_is_told_by_name(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "a/(2*b)", "b is zero: a/(2*b) is undefined" }, { "1/(a*b*(a-77617))", "b is zero: 1/((a*b)*(a-77617)) is undefined" },
        { "b^(-2)", "b is zero: b^(-2) is undefined" }, { "t = b*1; 1/t+a", "b is zero: 1/t is undefined" },
        { "((2^1000000)^1000000)^1000000+1/(b+1)", "overflow: a value is outside the range of MPFR's exponents" },
        { "((2^1000000)^1000000)/b", "b is zero: (2^1000000)^1000000/b is undefined" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expression expression;
        struct study study;
        parse(&expression, cases[i][0]);
        assign(&expression, "a", "77617");
        assign(&expression, "b", "0");
        char *wrong = study_open(&study, &expression, 20, MPFR_RNDN);
        assert_non_null(wrong);
        assert_string_equal(wrong, cases[i][1]);
        free(wrong);
        expression_free(&expression);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printed_numbers_get_the_verdicts_of_the_article),
        cmocka_unit_test(no_number_gets_no_verdict),
        cmocka_unit_test(formats_get_the_known_verdicts),
        cmocka_unit_test(right_results_that_agree_are_no_warning),
        cmocka_unit_test(a_sweep_has_the_known_classes),
        cmocka_unit_test(rounding_modes_agree_falsely_and_rounding_down_does_not),
        cmocka_unit_test(ulps_count_in_the_last_place_of_the_reference),
        cmocka_unit_test(what_has_no_value_is_told_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
