/* What becomes of texts on their way into gnuplot's scripts. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/common/plot.h"

#include <stdlib.h>

static void expect(const char *text, size_t width, const char *quoted)
{
    char *result = plot_quote(text, width);
    assert_string_equal(result, quoted);
    free(result);
}

static void ordinary_texts_stay_as_they_are(void **state)
{
    (void)state;
    expect("ls -l --color=always", 80, "\"ls -l --color=always\"");
    expect("Größe 漢字", 80, "\"Größe 漢字\"");
    expect("", 80, "\"\"");
}

static void what_gnuplot_would_obey_is_written_in_octal(void **state)
{
    (void)state;
    expect("`id` \"$x\" \\n @m 'q'", 80, "\"\\140id\\140 \\042\\044x\\042 \\134n \\100m \\047q\\047\"");
    expect("%d {a} ^_", 80, "\"\\045d \\173a\\175 \\136_\"");
}

static void bytes_that_no_picture_can_show_are_replaced(void **state)
{
    (void)state;
    expect("a\xff" "b", 80, "\"a\xef\xbf\xbd" "b\"");
    expect("a\nb\x1b\x7f", 80, "\"a b  \"");
}

static void a_long_text_is_cut_between_characters(void **state)
{
    (void)state;
    expect("abcdef", 6, "\"abcdef\"");
    expect("abcdef", 5, "\"abcde…\"");
    expect("漢字漢字", 3, "\"漢字漢…\"");
    expect("''''", 2, "\"\\047\\047…\"");
}

static void only_three_suffixes_are_pictures(void **state)
{
    (void)state;
    assert_true(plot_suffix("a.svg"));
    assert_true(plot_suffix("a b/c.png"));
    assert_true(plot_suffix("x.y.pdf"));
    assert_false(plot_suffix("svg"));
    assert_false(plot_suffix("a.svg.gz"));
    assert_false(plot_suffix(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordinary_texts_stay_as_they_are),
        cmocka_unit_test(what_gnuplot_would_obey_is_written_in_octal),
        cmocka_unit_test(bytes_that_no_picture_can_show_are_replaced),
        cmocka_unit_test(a_long_text_is_cut_between_characters),
        cmocka_unit_test(only_three_suffixes_are_pictures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
