/* Reading and writing numbers, against the C library, MPFR and arithmetic. */
#include "driver/rump/support.h"

#include <locale.h>
#include <math.h>

static void assert_reads(const char *text, const char *fraction)
{
    mpq_t value, wanted;
    mpq_inits(value, wanted, NULL);
    mpq_set_str(wanted, fraction, 10);
    read_number(value, text);
    if (!mpq_equal(value, wanted))
        fail_msg("%s is not read as %s", text, fraction);
    mpq_clears(value, wanted, NULL);
}

static void numbers_are_read_exactly(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "0", "0" }, { "-0", "0" }, { "77617", "77617" }, { "+5", "5" }, { "007", "7" }, { "0.1", "1/10" }, { ".5", "1/2" },
        { "5.", "5" }, { "-1.25e2", "-125" }, { "1E-3", "1/1000" }, { "1e+2", "100" }, { "12/18", "2/3" }, { "-1/3", "-1/3" },
        { "0x10", "16" }, { "0x1.8p-3", "3/16" }, { "0X.8P1", "1" }, { "-0x1p+4", "-16" }, { "0xap0", "10" },
        { "77617.00000000001", "7761700000000001/100000000000" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_reads(cases[i][0], cases[i][1]);
}

static void what_is_no_number_is_refused_with_a_reason(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "", "-", "+", ".", "e5", "12abc", "1e", "1e+", "1.2.3", "--5", "+-5", " 5", "5 ", "nan", "inf", "-inf", "infinity",
        "1@5", "1,5", "0x", "0x.", "0xg", "0x1p", "1/", "/3", "1//3", "1/3/5", "1/-3", "1.5/2", "1/0", "0/0", "0x1/3",
        "1e99999999999999999999", "1e-99999999999999999999", "1e18446744073709551617",
        "0x1p36893488147419103233", "1e100001", "0x1p100001", "1_000", "1e5.5",
    };
    mpq_t value;
    mpq_init(value);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!number_read(cases[i], value))
            fail_msg("'%s' is read as a number", cases[i]);
    mpq_clear(value);
}

static void too_many_digits_are_refused(void **state)
{
    (void)state;
    char *text = malloc(NUMBER_MOST + 2);
    mpq_t value;
    mpq_init(value);
    memset(text, '7', NUMBER_MOST + 1);
    text[NUMBER_MOST + 1] = '\0';
    assert_string_equal(number_read(text, value), "more than 100000 digits");
    text[NUMBER_MOST] = '\0';
    assert_null(number_read(text, value));
    free(text);
    mpq_clear(value);
}

/* A locale with a decimal comma, compiled for this test. */
static void set_comma_locale(void)
{
    char folder[] = "/tmp/rump-locale-XXXXXX", command[256];
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8", folder);
    if (system(command))
        fail_msg("localedef fails: is Debian's package locales installed?");
    setenv("LOCPATH", folder, 1);
    assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
    assert_string_equal(localeconv()->decimal_point, ",");
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void a_decimal_comma_in_the_locale_changes_nothing(void **state)
{
    (void)state;
    set_comma_locale();
    assert_reads("333.75", "1335/4");
    mpfr_t value;
    mpfr_init2(value, 53);
    mpfr_set_d(value, 333.75, MPFR_RNDN);
    char *text = number_shortest(value), *hexadecimal = number_hexadecimal(value);
    setlocale(LC_ALL, "C");
    assert_string_equal(text, "333.75");
    assert_string_equal(hexadecimal, "0x1.4dcp+8");
    free(text);
    free(hexadecimal);
    mpfr_clear(value);
}

static void a_scan_stops_where_the_number_ends(void **state)
{
    (void)state;
    assert_int_equal(number_scan("12+3"), 2);
    assert_int_equal(number_scan("1.5e3x"), 5);
    assert_int_equal(number_scan("2e"), 1);
    assert_int_equal(number_scan("2*b"), 1);
    assert_int_equal(number_scan("-1"), 0);
    assert_int_equal(number_scan("b"), 0);
    assert_int_equal(number_scan("0x1.8p-3*2"), 8);
}

static double random_double(void)
{
    double value;
    do {
        uint64_t bits = random_bits();
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

static void the_shortest_decimal_reads_back_and_no_shorter_one_does(void **state)
{
    (void)state;
    mpfr_t value;
    mpfr_init2(value, 53);
    for (int i = 0; i < 20000; i++) {
        double number = i % 2 ? random_double() : (double)(int64_t)(random_bits() >> (i % 60)) / 8;
        char shorter[64];
        mpfr_set_d(value, number, MPFR_RNDN);
        char *text = number_shortest(value);
        assert_true(strtod(text, NULL) == number);
        int digits = 0;
        for (const char *at = text; *at && *at != 'e'; at++)
            digits += *at >= '0' && *at <= '9' && (digits || *at != '0');
        if (strchr(text, '.') && digits > 1 && fabs(number) > 0x1p-1000) {
            snprintf(shorter, sizeof shorter, "%.*e", digits - 2, number);
            if (strtod(shorter, NULL) == number)
                fail_msg("%s reads back, and so does %s", text, shorter);
        }
        free(text);
    }
    mpfr_clear(value);
}

static void hexadecimal_is_what_printf_writes(void **state)
{
    (void)state;
    mpfr_t value;
    mpfr_init2(value, 53);
    for (int i = 0; i < 20000; i++) {
        double number = random_double();
        char wanted[64];
        if (!isnormal(number))
            continue;
        mpfr_set_d(value, number, MPFR_RNDN);
        char *text = number_hexadecimal(value);
        snprintf(wanted, sizeof wanted, "%a", number);
        assert_string_equal(text, wanted);
        free(text);
    }
    mpfr_set_zero(value, -1);
    char *zero = number_hexadecimal(value);
    assert_string_equal(zero, "-0x0p+0");
    free(zero);
    mpfr_clear(value);
}

static void assert_rounds(const char *number, size_t digits, const char *wanted)
{
    mpq_t value;
    mpq_init(value);
    read_number(value, number);
    struct decimal decimal = decimal_of_rational(value, digits);
    char *text = decimal_text(decimal);
    assert_string_equal(text, wanted);
    free(text);
    free(decimal.digits);
    mpq_clear(value);
}

static void fractions_are_rounded_to_nearest_and_ties_to_even(void **state)
{
    (void)state;
    assert_rounds("-54767/66192", 40, "-0.8273960599468213681411650954798162919990");
    assert_rounds("0.15", 1, "0.2");
    assert_rounds("0.25", 1, "0.2");
    assert_rounds("-0.25", 1, "-0.2");
    assert_rounds("0.35", 1, "0.4");
    assert_rounds("0.2500000000000000000000000000001", 1, "0.3");
    assert_rounds("9.9996", 4, "10.00");
    assert_rounds("99999", 2, "1.0e+5");
    assert_rounds("0.00000099999", 3, "0.00000100");
    assert_rounds("1e-9", 2, "1.0e-9");
    assert_rounds("123456", 6, "123456");
    assert_rounds("123456", 3, "1.23e+5");
    assert_rounds("0", 5, "0");
}

/* Two ways from a dyadic number to decimal digits. */
static void fractions_and_mpfr_round_to_the_same_digits(void **state)
{
    (void)state;
    mpfr_t value;
    mpq_t rational;
    mpfr_init2(value, 90);
    mpq_init(rational);
    for (int i = 0; i < 3000; i++) {
        mpfr_set_d(value, random_double(), MPFR_RNDN);
        mpfr_mul_d(value, value, random_double(), MPFR_RNDN);
        if (mpfr_zero_p(value))
            continue;
        mpfr_get_q(rational, value);
        size_t digits = 1 + random_bits() % 60;
        struct decimal x = decimal_of_rational(rational, digits), y = decimal_of_real(value, digits, MPFR_RNDN);
        assert_true(decimal_equal(x, y));
        free(x.digits);
        free(y.digits);
    }
    mpfr_clear(value);
    mpq_clear(rational);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read_exactly),
        cmocka_unit_test(what_is_no_number_is_refused_with_a_reason),
        cmocka_unit_test(too_many_digits_are_refused),
        cmocka_unit_test(a_decimal_comma_in_the_locale_changes_nothing),
        cmocka_unit_test(a_scan_stops_where_the_number_ends),
        cmocka_unit_test(the_shortest_decimal_reads_back_and_no_shorter_one_does),
        cmocka_unit_test(hexadecimal_is_what_printf_writes),
        cmocka_unit_test(fractions_are_rounded_to_nearest_and_ties_to_even),
        cmocka_unit_test(fractions_and_mpfr_round_to_the_same_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
