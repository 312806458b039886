/* Text that is built without libc. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "shim/table/text.h"

#include <stdio.h>
#include <string.h>

static void what_does_not_fit_is_left_out(void **state)
{
    (void)state;
    char room[8];
    for (size_t size = 0; size < 12; size++) {
        struct text text = TEXT_IN(room);
        text_bytes(&text, "abcdefghijkl", size);
        assert_string_equal(text_end(&text), size < 7 ? strndup("abcdefghijkl", size) : "abcdefg");
    }
    struct text text = TEXT_IN(room);
    text_put(&text, "a", "", "bc", "defghijk");
    assert_string_equal(text_end(&text), "abcdefg");
}

static void numbers_are_those_of_printf(void **state)
{
    (void)state;
    static const uint64_t numbers[] = { 0, 1, 9, 10, 99, 100, 4294967295, 4294967296, UINT64_MAX };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        for (int width = 0; width < 25; width += 6) {
            char room[64], expected[64];
            struct text text = TEXT_IN(room);
            text_number(&text, numbers[i], width);
            snprintf(expected, sizeof expected, "%*lu", width, numbers[i]);
            assert_string_equal(text_end(&text), expected);
        }
    }
}

static void assert_shown(const char *string, const char *plain, const char *quoted)
{
    char room[128];
    struct text text = TEXT_IN(room);
    text_plain(&text, string);
    assert_string_equal(text_end(&text), plain);
    text.next = text.start;
    text_quote(&text, string);
    assert_string_equal(text_end(&text), quoted);
}

/* What a terminal obeys is shown as octal digits, and what is not UTF-8; JSON has its own ways. */
static void no_control_character_reaches_a_terminal(void **state)
{
    (void)state;
    assert_shown("ls -l", "ls -l", "\"ls -l\"");
    assert_shown("a\033[31mb\n", "a\\033[31mb\\012", "\"a\\u001b[31mb\\u000a\"");
    assert_shown("\177", "\\177", "\"\177\"");
    assert_shown("\xc2\x9b" "2J", "\\302\\2332J", "\"\xc2\x9b" "2J\"");            /* C1: CSI */
    assert_shown("gr\xc3\xbc\xc3\x9f\xe2\x82\xac", "gr\xc3\xbc\xc3\x9f\xe2\x82\xac", "\"gr\xc3\xbc\xc3\x9f\xe2\x82\xac\"");
    assert_shown("\xff\xc3", "\\377\\303", "\"\\ufffd\\ufffd\"");
    assert_shown("\xc0\x80\xed\xa0\x80", "\\300\\200\\355\\240\\200", "\"\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\"");
    assert_shown("\"\\", "\"\\", "\"\\\"\\\\\"");
}

static void a_variable_is_found_by_its_whole_name(void **state)
{
    (void)state;
    char *environment[] = { "PATHS=no", "PAT=no", "PATH=/bin", "EMPTY=", NULL };
    assert_string_equal(text_variable(environment, "PATH"), "/bin");
    assert_string_equal(text_variable(environment, "EMPTY"), "");
    assert_null(text_variable(environment, "PATHX"));
    assert_null(text_variable(NULL, "PATH"));
}

static void the_base_of_a_path_is_behind_its_last_slash(void **state)
{
    (void)state;
    assert_string_equal(text_base("/dev/shm/x"), "x");
    assert_string_equal(text_base("x"), "x");
    assert_string_equal(text_base("/"), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_fit_is_left_out),
        cmocka_unit_test(numbers_are_those_of_printf),
        cmocka_unit_test(no_control_character_reaches_a_terminal),
        cmocka_unit_test(a_variable_is_found_by_its_whole_name),
        cmocka_unit_test(the_base_of_a_path_is_behind_its_last_slash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
