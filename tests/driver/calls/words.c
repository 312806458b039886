/* Splitting a command that was given as one text. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/words.h"

#include <stdlib.h>

/* The words of `text`, quoted, must be `expected`. */
static void expect(const char *text, const char *expected)
{
    char **words = words_command(text);
    assert_non_null(words);
    char *joined = words_text(words);
    assert_string_equal(joined, expected);
    free(joined);
    words_free(words);
}

static void blanks_and_quotes_separate_words(void **state)
{
    (void)state;
    expect("ls -l", "ls -l");
    expect("  ls\t -l  ", "ls -l");
    expect("printf 'a b' \"c d\" e\\ f ''", "printf 'a b' 'c d' 'e f' ''");
    expect("echo 'a|b' \"c;d\" \\&", "echo 'a|b' 'c;d' '&'");
}

static void variables_and_patterns_are_expanded(void **state)
{
    (void)state;
    setenv("WORDS_TEST", "one two", 1);
    unsetenv("WORDS_NONE");
    expect("echo $WORDS_TEST \"$WORDS_TEST\" '$WORDS_TEST' $WORDS_NONE",
           "echo one two 'one two' '$WORDS_TEST'");
    expect("echo /de[v]/nul?", "echo /dev/null");
    expect("echo /nonexistent/*", "echo '/nonexistent/*'");
}

static void what_takes_a_shell_gets_one(void **state)
{
    (void)state;
    expect("ls | wc", "sh -c 'ls | wc'");
    expect("ls > x", "sh -c 'ls > x'");
    expect("ls; ls", "sh -c 'ls; ls'");
    expect("ls &", "sh -c 'ls &'");
    expect("(ls)", "sh -c '(ls)'");
    expect("echo $(ls)", "sh -c 'echo $(ls)'");
    expect("echo `ls`", "sh -c 'echo `ls`'");
    expect("LC_ALL=C ls", "sh -c 'LC_ALL=C ls'");
    expect("! ls", "sh -c '! ls'");
    expect("ls # all", "sh -c 'ls # all'");
    expect("ls 'unfinished", "sh -c 'ls '\\''unfinished'");
}

static void an_assignment_among_the_arguments_is_a_word(void **state)
{
    (void)state;
    expect("dd if=/dev/null count=1", "dd if=/dev/null count=1");
}

static void a_text_without_words_is_no_command(void **state)
{
    (void)state;
    assert_null(words_command(""));
    assert_null(words_command(" \t\n"));
}

static void arguments_are_not_given_to_a_shell(void **state)
{
    (void)state;
    assert_null(words_split("-l | cat"));
    char **words = words_split("");
    assert_non_null(words);
    assert_null(words[0]);
    words_free(words);
}

static void a_command_is_quoted_as_a_shell_needs_it(void **state)
{
    (void)state;
    char *words[] = { "a", "b c", "", "it's", "$x", "--k=v,1:2@3+4%5", NULL };
    char *text = words_text(words);
    assert_string_equal(text, "a 'b c' '' 'it'\\''s' '$x' --k=v,1:2@3+4%5");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_is_quoted_as_a_shell_needs_it),
        cmocka_unit_test(blanks_and_quotes_separate_words),
        cmocka_unit_test(variables_and_patterns_are_expanded),
        cmocka_unit_test(what_takes_a_shell_gets_one),
        cmocka_unit_test(an_assignment_among_the_arguments_is_a_word),
        cmocka_unit_test(a_text_without_words_is_no_command),
        cmocka_unit_test(arguments_are_not_given_to_a_shell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
