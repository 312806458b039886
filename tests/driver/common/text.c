/* Text on a screen: any bytes, wide characters, lines and bars. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/common/text.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* Compare and free. */
static void expect(char *text, const char *expected)
{
    assert_string_equal(text, expected);
    free(text);
}

static void what_cannot_be_shown_becomes_octal(void **state)
{
    (void)state;
    expect(text_printable("ls -l"), "ls -l");
    expect(text_printable("a\xff" "b"), "a\\377b");
    expect(text_printable("\x1b[31mred\n\x7f"), "\\033[31mred\\012\\177");
    expect(text_printable("Größe 漢字 e\xcc\x81"), "Größe 漢字 e\xcc\x81");
    expect(text_printable("\xe6\xbc"), "\\346\\274");
    expect(text_printable("\xc2\x85"), "\\302\\205");
    expect(text_printable(""), "");
}

static void in_the_c_locale_only_ascii_can_be_shown(void **state)
{
    (void)state;
    setlocale(LC_ALL, "C");
    expect(text_printable("ö"), "\\303\\266");
    setlocale(LC_ALL, "C.UTF-8");
}

static void wide_characters_take_two_columns_and_combining_ones_none(void **state)
{
    (void)state;
    assert_int_equal(text_width("ls -l"), 5);
    assert_int_equal(text_width("漢字"), 4);
    assert_int_equal(text_width("e\xcc\x81"), 1);
    assert_int_equal(text_width(""), 0);
}

static void a_long_text_is_as_wide_as_it_is(void **state)
{
    (void)state;
    char *text = calloc(3, 3001);
    for (int i = 0; i < 3000; i++)
        strcpy(text + 3 * i, "漢");
    assert_int_equal(text_width(text), 6000);
    free(text);
}

static void bytes_that_are_no_utf8_become_replacement_characters(void **state)
{
    (void)state;
    expect(text_utf8("plain Größe \xf0\x9f\x98\x80"), "plain Größe \xf0\x9f\x98\x80");
    expect(text_utf8("a\xff" "b\xc3"), "a\xef\xbf\xbd" "b\xef\xbf\xbd");
    /* The smallest spelled too long, a surrogate, beyond the last; their neighbours are good. */
    expect(text_utf8("\xe0\x9f\xbf"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    expect(text_utf8("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    expect(text_utf8("\xf4\x90\x80\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    expect(text_utf8("\xf0\x8f\xbf\xbf"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    expect(text_utf8("\xe0\xa0\x80\xed\x9f\xbf\xf4\x8f\xbf\xbf"), "\xe0\xa0\x80\xed\x9f\xbf\xf4\x8f\xbf\xbf");
}

static void what_is_too_wide_is_cut_between_characters(void **state)
{
    (void)state;
    expect(text_cut("ls -l", 5), "ls -l");
    expect(text_cut("ls -la", 5), "ls ..");
    expect(text_cut("漢字漢字", 8), "漢字漢字");
    expect(text_cut("漢字漢字", 7), "漢字..");
    expect(text_cut("漢字漢字", 5), "漢..");
    expect(text_cut("e\xcc\x81xyz", 3), "e\xcc\x81..");
    expect(text_cut("\xff\xff", 6), "\\377..");
    expect(text_cut("long", 1), "..");
}

static void lines_break_at_spaces(void **state)
{
    (void)state;
    expect(text_wrap("one two three", 7), "one two\nthree\n");
    expect(text_wrap("one two three", 13), "one two three\n");
    expect(text_wrap("one two three", 12), "one two\nthree\n");
    expect(text_wrap("  one   two ", 80), "one two\n");
    expect(text_wrap("unbreakable x", 5), "unbreakable\nx\n");
    expect(text_wrap("漢字 漢字 x", 8), "漢字\n漢字 x\n");
    expect(text_wrap("", 80), "");
}

static void a_command_in_quotes_stays_on_one_line(void **state)
{
    (void)state;
    expect(text_wrap("than `ls -1` does", 10), "than\n`ls -1`\ndoes\n");
    expect(text_wrap("than `ls -1 --zero`, x", 12), "than `ls -1\n--zero`, x\n");
    expect(text_wrap("than `ls -1", 10), "than\n`ls -1\n");
}

static void a_bar_is_exact_to_an_eighth_of_a_column(void **state)
{
    (void)state;
    expect(text_bar(0, 10), "");
    expect(text_bar(1, 4), "████");
    expect(text_bar(0.5, 5), "██▌");
    expect(text_bar(1.0 / 80, 10), "▏");
    setlocale(LC_ALL, "C");
    expect(text_bar(0.5, 5), "###");
    expect(text_bar(0.04, 10), "");
    expect(text_bar(1, 4), "####");
    setlocale(LC_ALL, "C.UTF-8");
}

static void durations_take_six_characters_at_most(void **state)
{
    (void)state;
    const struct { uint64_t ns; const char *text; } cases[] = {
        { 0, "0ns" }, { 999, "999ns" }, { 1000, "1.00us" }, { 9994, "9.99us" }, { 9996, "10.0us" }, { 99949, "99.9us" },
        { 99960, "100us" }, { 999499, "999us" }, { 999500, "1.00ms" }, { 12345678, "12.3ms" },
        { 2100000000, "2.10s" }, { 99999000000000, "99999s" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = text_duration(cases[i].ns);
        assert_string_equal(text, cases[i].text);
        free(text);
    }
}

static void rates_have_decimals_where_they_are_small(void **state)
{
    (void)state;
    expect(text_rate(0), "0");
    expect(text_rate(0.333), "0.33");
    expect(text_rate(7), "7.0");
    expect(text_rate(99.9), "99.9");
    expect(text_rate(99.96), "100");
    expect(text_rate(1234567.8), "1234568");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations_take_six_characters_at_most),
        cmocka_unit_test(rates_have_decimals_where_they_are_small),
        cmocka_unit_test(what_cannot_be_shown_becomes_octal),
        cmocka_unit_test(in_the_c_locale_only_ascii_can_be_shown),
        cmocka_unit_test(wide_characters_take_two_columns_and_combining_ones_none),
        cmocka_unit_test(a_long_text_is_as_wide_as_it_is),
        cmocka_unit_test(bytes_that_are_no_utf8_become_replacement_characters),
        cmocka_unit_test(what_is_too_wide_is_cut_between_characters),
        cmocka_unit_test(lines_break_at_spaces),
        cmocka_unit_test(a_command_in_quotes_stays_on_one_line),
        cmocka_unit_test(a_bar_is_exact_to_an_eighth_of_a_column),
    };
    setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
