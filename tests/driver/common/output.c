/* Files that appear whole or not at all, tables, CSV and JSON texts. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/common/memory.h"
#include "driver/common/output_json.h"

#include <dirent.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

static char folder[] = "/tmp/output-test.XXXXXX";

static int set_up(void **state)
{
    (void)state;
    return !mkdtemp(folder) || chdir(folder);
}

static int tear_down(void **state)
{
    (void)state;
    unlink("report");
    return chdir("/") || rmdir(folder);
}

static size_t files_here(void)
{
    size_t count = 0;
    DIR *directory = opendir(".");
    for (struct dirent *entry; (entry = readdir(directory));)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static void a_file_appears_when_it_is_complete(void **state)
{
    (void)state;
    struct output output;
    struct stat status;
    umask(027);
    assert_int_equal(output_check("report"), 0);
    assert_int_equal(files_here(), 0);
    assert_int_equal(output_open(&output, "report", OUTPUT_TABLE), 0);
    fputs("text\n", output.stream);
    assert_int_not_equal(stat("report", &status), 0);
    assert_int_equal(output_close(&output), 0);
    assert_int_equal(stat("report", &status), 0);
    assert_int_equal(status.st_size, 5);
    assert_int_equal(status.st_mode & 0777, 0640);
    assert_int_equal(files_here(), 1);
}

static void an_abandoned_file_leaves_the_old_one(void **state)
{
    (void)state;
    struct output output;
    struct stat status;
    assert_int_equal(output_open(&output, "report", OUTPUT_TABLE), 0);
    fputs("something longer\n", output.stream);
    output_abandon(&output);
    assert_int_equal(stat("report", &status), 0);
    assert_int_equal(status.st_size, 5);
    assert_int_equal(files_here(), 1);
}

static volatile sig_atomic_t noted;

static void note(int number)
{
    noted = number;
}

static void a_signal_waits_until_the_file_is_in_its_place(void **state)
{
    (void)state;
    struct output output;
    struct stat status;
    signal(SIGTERM, note);
    assert_int_equal(output_open(&output, "report", OUTPUT_TABLE), 0);
    raise(SIGTERM);
    assert_int_equal(noted, 0);
    assert_int_equal(output_close(&output), 0);
    assert_int_equal(noted, SIGTERM);
    noted = 0;
    assert_int_equal(stat("report", &status), 0);
    assert_int_equal(output_open(&output, "report", OUTPUT_TABLE), 0);
    raise(SIGTERM);
    output_abandon(&output);
    assert_int_equal(noted, SIGTERM);
    noted = 0;
    assert_int_equal(output_open(&output, NULL, OUTPUT_TABLE), 0);
    raise(SIGTERM);
    assert_int_equal(noted, SIGTERM);
    assert_int_equal(output_close(&output), 0);
    assert_int_equal(files_here(), 1);
    signal(SIGTERM, SIG_DFL);
}

static void what_cannot_be_written_is_refused_early(void **state)
{
    (void)state;
    assert_int_equal(output_check(NULL), 0);
    assert_int_equal(output_check("-"), 0);
    assert_int_equal(output_check("/dev/full"), 0);
    assert_int_equal(output_check("/nonexistent/report"), -1);
    assert_int_equal(output_check("."), -1);
}

static void a_name_holds_process_host_and_percent_sign(void **state)
{
    (void)state;
    struct utsname host;
    struct output output;
    assert_int_equal(uname(&host), 0);
    char *expected = memory_format("%s.%d.100%%.%%x%%", host.nodename, getpid());
    char *name = output_name("%h.%p.100%%.%x%");
    assert_string_equal(name, expected);
    assert_int_equal(output_check("%h.%p.100%%.%x%"), 0);
    assert_int_equal(output_open(&output, "%h.%p.100%%.%x%", OUTPUT_TABLE), 0);
    assert_int_equal(output_close(&output), 0);
    assert_int_equal(unlink(expected), 0);
    assert_int_equal(output_check("%p/report"), -1);
    free(expected);
    free(name);
}

/* The table of the tests below, as text in this format. */
static char *print(enum output_format format)
{
    const struct output_column columns[] = { { "name", false }, { "number", true }, { "note, \"quoted\"", false } };
    const char *rows[][3] = { { "plain", "7", NULL }, { "comma,", "1234567", "say \"x\"" }, { "Größe", "0", "a" } };
    char *text = NULL;
    size_t size;
    struct output output = { .stream = open_memstream(&text, &size), .format = format };
    struct output_table *table = output_table_new(columns, 3);
    output_table_rule(table);
    for (size_t i = 0; i < 3; i++)
        output_table_row(table, rows[i]);
    output_table_print(table, &output);
    output_table_free(table);
    fclose(output.stream);
    return text;
}

static void csv_quotes_what_needs_it_and_has_no_rules(void **state)
{
    (void)state;
    char *text = print(OUTPUT_CSV);
    assert_string_equal(text, "name,number,\"note, \"\"quoted\"\"\"\n"
                              "plain,7,\n"
                              "\"comma,\",1234567,\"say \"\"x\"\"\"\n"
                              "Größe,0,a\n");
    free(text);
}

static void a_table_aligns_numbers_to_the_right_and_counts_screen_columns(void **state)
{
    (void)state;
    char *text = print(OUTPUT_TABLE);
    assert_string_equal(text, "name    number note, \"quoted\"\n"
                              "------ ------- --------------\n"
                              "plain        7 \n"
                              "comma, 1234567 say \"x\"\n"
                              "Größe        0 a\n");
    free(text);
}

/* Takes the sequences for colors away. A libsmartcols before 2.38 ends them before the blanks that fill a head. */
static void lose_colors(char *text)
{
    for (char *at; (at = strchr(text, '\033'));)
        memmove(at, strchr(at, 'm') + 1, strlen(strchr(at, 'm')));
}

static void cells_of_any_bytes_keep_their_columns(void **state)
{
    (void)state;
    const struct output_column columns[] = { { "name", false }, { "n", true } };
    const char *rows[][2] = { { "漢字", "1" }, { "\xff\n", "22" }, { "e\xcc\x81", "3" }, { "\\x41", "4" } };
    char *text = NULL;
    size_t size;
    struct output output = { .stream = open_memstream(&text, &size), .format = OUTPUT_TABLE, .color = true };
    struct output_table *table = output_table_new(columns, 2);
    for (size_t i = 0; i < 4; i++)
        output_table_row(table, rows[i]);
    assert_int_equal(output_table_width(table), 8 + 1 + 2);
    output_table_print(table, &output);
    output_table_free(table);
    fclose(output.stream);
    assert_non_null(strstr(text, "\033[1m n\033[0m\n"));
    assert_null(strchr(strchr(text, '\n'), '\033'));
    assert_int_equal(memcmp(text, "\033[1mname", 8), 0);
    lose_colors(text);
    assert_string_equal(text, "name      n\n"
                              "漢字      1\n"
                              "\\377\\012 22\n"
                              "e\xcc\x81         3\n"
                              "\\x41      4\n");
    free(text);
}

static void bytes_that_are_no_utf8_become_replacement_characters(void **state)
{
    (void)state;
    const struct { const char *bytes, *text; } cases[] = {
        { "plain", "plain" }, { "Gr\xc3\xb6\xc3\x9f" "e", "Größe" }, { "a\xff" "b", "a\xef\xbf\xbd" "b" },
        { "\xc3", "\xef\xbf\xbd" }, { "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd" }, { "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
        { "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *value = output_json_text(cases[i].bytes);
        assert_non_null(value);
        assert_string_equal(json_string_value(value), cases[i].text);
        json_decref(value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_appears_when_it_is_complete),
        cmocka_unit_test(an_abandoned_file_leaves_the_old_one),
        cmocka_unit_test(a_signal_waits_until_the_file_is_in_its_place),
        cmocka_unit_test(what_cannot_be_written_is_refused_early),
        cmocka_unit_test(a_name_holds_process_host_and_percent_sign),
        cmocka_unit_test(csv_quotes_what_needs_it_and_has_no_rules),
        cmocka_unit_test(a_table_aligns_numbers_to_the_right_and_counts_screen_columns),
        cmocka_unit_test(cells_of_any_bytes_keep_their_columns),
        cmocka_unit_test(bytes_that_are_no_utf8_become_replacement_characters),
    };
    setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
