/* The report of the bare library: its three formats, where it goes, and what a wrong setting says. */
#include "counted.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

static void the_table_reads_so(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(.bare = true), FIXTURE("wrap/errors"), "map");
    assert_exit(&run, 0);
    assert_string_equal(run.errors, counted_format(
        "libcount: %s map (1 process)\n"
        "\n"
        "     calls    errors  family    library call\n"
        "---------- ---------  --------- ------------------\n"
        "         2         1  memory    mmap  (EINVAL 1)\n"
        "---------- ---------  --------- ------------------\n"
        "         2         1            total\n", FIXTURE("wrap/errors")));
    counted_free(&run);
}

static void rows_are_sorted_by_calls_and_then_by_name(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(.bare = true, .environment = ENVIRONMENT("LIBCOUNT_FORMAT=csv")), FIXTURE("processes"),
                             "fork17");
    const char *command = counted_format("%s fork17", FIXTURE("processes"));
    assert_string_equal(run.errors, counted_format("command,kind,name,family,calls,errors,errnos\n"
                                                   "%s,library,_exit,process,17,0,\n%s,library,fork,process,17,0,\n"
                                                   "%s,library,waitpid,process,17,0,\n", command, command, command));
    counted_free(&run);
}

/* The object of a JSON report, whose command's last word is `word`. */
static json_t *parsed(const struct counted *run, const char *word)
{
    json_error_t error;
    json_t *report = json_loads(run->errors, JSON_REJECT_DUPLICATES, &error);
    if (!report)
        fail_msg("line %d: %s\n%.2000s", error.line, error.text, run->errors);
    json_t *command = json_object_get(report, "command");
    assert_string_equal(json_string_value(json_array_get(command, json_array_size(command) - 1)), word);
    return report;
}

static void json_has_the_keys_of_the_design(void **state)
{
    (void)state;
    const char *keys[] = { "version", "command", "exit", "processes", "level", "whole", "library_calls", "system_calls",
                           "uncounted" };
    struct counted run = RUN(SETUP(.bare = true, .environment = ENVIRONMENT("LIBCOUNT_FORMAT=json")), FIXTURE("wrap/errors"),
                             "map");
    json_t *report = parsed(&run, "map");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_non_null(json_object_get(report, keys[i]));
    assert_int_equal(json_object_size(report), sizeof keys / sizeof *keys);
    assert_int_equal(json_integer_value(json_object_get(report, "version")), 1);
    assert_int_equal(json_integer_value(json_object_get(report, "processes")), 1);
    assert_string_equal(json_string_value(json_object_get(report, "level")), "calls");
    json_t *rows = json_object_get(report, "library_calls"), *row = json_array_get(rows, 0);
    assert_int_equal(json_array_size(rows), 1);
    assert_string_equal(json_string_value(json_object_get(row, "name")), "mmap");
    assert_string_equal(json_string_value(json_object_get(row, "family")), "memory");
    assert_int_equal(json_integer_value(json_object_get(row, "calls")), 2);
    assert_int_equal(json_integer_value(json_object_get(row, "errors")), 1);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(row, "errnos"), "EINVAL")), 1);
    assert_int_equal(json_object_size(row), 5);
    json_decref(report);
    counted_free(&run);
}

/* A word of a command as its report gives it back. */
static void word_is(const char *word, const char *wanted)
{
    struct counted run = RUN(SETUP(.bare = true, .environment = ENVIRONMENT("LIBCOUNT_FORMAT=json")), FIXTURE("endings"),
                             "return", word);
    json_decref(parsed(&run, wanted));
    counted_free(&run);
}

static void json_strings_are_utf8_whatever_a_command_holds(void **state)
{
    (void)state;
    word_is("plain \"quoted\" \\ back", "plain \"quoted\" \\ back");
    word_is("\x01\t\n\x1f\x7f", "\x01\t\n\x1f\x7f");
    word_is("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80", "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80");
    word_is("latin \xfc.", "latin \xef\xbf\xbd.");
    word_is("cut \xe2\x82", "cut \xef\xbf\xbd\xef\xbf\xbd");
    word_is("overlong \xc0\xaf", "overlong \xef\xbf\xbd\xef\xbf\xbd");
    word_is("surrogate \xed\xa0\x80", "surrogate \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    word_is("beyond \xf4\x90\x80\x80", "beyond \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

static void a_command_of_any_length_stays_valid_json(void **state)
{
    (void)state;
    static char word[120001];
    memset(word, '\x01', sizeof word - 1);
    struct counted run = RUN(SETUP(.bare = true, .environment = ENVIRONMENT("LIBCOUNT_FORMAT=json")), FIXTURE("endings"),
                             "return", word, word, word);
    json_t *report = parsed(&run, word);
    assert_int_equal(json_array_size(json_object_get(report, "command")), 5);
    json_decref(report);
    counted_free(&run);
}

static void times_are_told_where_asked_for(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(.bare = true, .environment = ENVIRONMENT("LIBCOUNT_FORMAT=json", "LIBCOUNT_TIME=1")),
                             FIXTURE("endings"), "return");
    json_t *report = parsed(&run, "return"), *row = json_array_get(json_object_get(report, "library_calls"), 0);
    json_int_t total = json_integer_value(json_object_get(row, "total_ns"));
    json_int_t shortest = json_integer_value(json_object_get(row, "min_ns"));
    json_int_t longest = json_integer_value(json_object_get(row, "max_ns"));
    json_int_t middle = json_integer_value(json_object_get(row, "p50_ns"));
    json_int_t late = json_integer_value(json_object_get(row, "p99_ns"));
    assert_true(shortest > 0 && shortest <= middle && middle <= late && late <= longest);
    assert_true(total >= 22 * shortest + longest && total <= 22 * longest + shortest);
    json_decref(report);
    counted_free(&run);
    run = RUN(SETUP(.bare = true, .environment = ENVIRONMENT("LIBCOUNT_FORMAT=csv", "LIBCOUNT_TIME=1")),
              FIXTURE("endings"), "return");
    assert_non_null(strstr(run.errors, "command,kind,name,family,calls,errors,total_ns,min_ns,max_ns,p50_ns,p99_ns,waited_ns,errnos\n"));
    counted_free(&run);
}

static void LIBCOUNT_OUTPUT_names_a_file_by_process_and_host(void **state)
{
    (void)state;
    struct utsname host;
    assert_int_equal(uname(&host), 0);
    char *folder = counted_folder();
    struct counted run = RUN(SETUP(.bare = true, .folder = folder,
                                   .environment = ENVIRONMENT("LIBCOUNT_OUTPUT=a%%b.%p.%h%")), FIXTURE("endings"), "exit");
    assert_exit(&run, 3);
    assert_string_equal(run.errors, "");
    char *text = counted_read(counted_format("%s/a%%b.%d.%s%%", folder, run.process, host.nodename));
    assert_non_null(text);
    assert_non_null(strstr(text, "        23            lstat     lstat\n"));
    free(text);
    counted_free(&run);
    counted_remove(folder);
}

/* The program runs on with its status; standard error has these lines and nothing else. */
static void says(const char *setting, const char *way, int status, const char *line, bool report)
{
    struct counted run = RUN(SETUP(.bare = true, .environment = ENVIRONMENT(setting)), FIXTURE("endings"), way);
    assert_exit(&run, status);
    if (strncmp(run.errors, line, strlen(line)) != 0 || !!strstr(run.errors, "\n        23") != report)
        fail_msg("%s says\n%s", setting, run.errors);
    if (!report)
        assert_string_equal(run.errors, line);
    counted_free(&run);
}

static void a_wrong_setting_costs_one_line(void **state)
{
    (void)state;
    says("LIBCOUNT_FORMAT=xml", "exit", 3, "libcount: LIBCOUNT_FORMAT=xml: not known; expected table, json or csv\n", true);
    says("LIBCOUNT_LEVEL=all", "exit", 3, "libcount: LIBCOUNT_LEVEL=all: not known; expected calls, syscalls or both\n", true);
    says("LIBCOUNT_TIME=yes", "exit", 3, "libcount: LIBCOUNT_TIME=yes: not known; expected 0 or 1\n", true);
    says("LIBCOUNT_DISABLE=yes", "exit", 3, "libcount: LIBCOUNT_DISABLE=yes: not known; expected 0 or 1\n", true);
    says("LIBCOUNT_DEBUG=2", "exit", 3, "libcount: LIBCOUNT_DEBUG=2: not known; expected 0 or 1\n", true);
    says("LIBCOUNT_OUTPUT=/nonexistent/report", "_exit", 3,
         "libcount: LIBCOUNT_OUTPUT=/nonexistent/report: cannot be opened; no report\n", false);
    says("LIBCOUNT_OUTPUT=/", "return", 0, "libcount: LIBCOUNT_OUTPUT=/: cannot be opened; no report\n", false);
    says("LIBCOUNT_OUTPUT=/dev/full", "return", 0,
         "libcount: LIBCOUNT_OUTPUT=/dev/full: cannot be written; no full report\n", false);
}

static void settings_that_are_right_or_empty_say_nothing(void **state)
{
    (void)state;
    says("LIBCOUNT_DISABLE=1", "exit", 3, "", false);
    says("LIBCOUNT_DISABLE=0", "exit", 3, "libcount: ", true);
    says("LIBCOUNT_DISABLE=", "exit", 3, "libcount: ", true);
    says("LIBCOUNT_OUTPUT=", "exit", 3, "libcount: ", true);
    says("LIBCOUNT_OUTPUT=/dev/null", "exit", 3, "", false);
}

/* A reader that has gone: the program ends as it would, by no signal. */
static void nobody_reading_the_report_harms_nobody(void **state)
{
    (void)state;
    char *folder = counted_folder();
    const char *script = counted_format("mkfifo pipe; exec 4<>pipe 5>pipe 4>&-; LD_PRELOAD=%s LIBCOUNT_LEVEL=calls %s exit "
                                        ">&5 2>&5 5>&-; echo $?", LIBRARY, FIXTURE("endings"));
    struct counted run = RUN(SETUP(.native = true, .folder = folder), "sh", "-c", script);
    assert_string_equal(run.output, "3\n");
    counted_free(&run);
    counted_remove(folder);
}

/* What a command says on standard error is compared by scripts: nothing is added before its end. */
static void the_output_of_commands_inside_is_untouched(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(.bare = true), "bash", "-c", "x=$(ls -d / 2>&1); echo \"[$x]\"");
    assert_string_equal(run.output, "[/]\n");
    counted_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_reads_so),
        cmocka_unit_test(rows_are_sorted_by_calls_and_then_by_name),
        cmocka_unit_test(json_has_the_keys_of_the_design),
        cmocka_unit_test(json_strings_are_utf8_whatever_a_command_holds),
        cmocka_unit_test(a_command_of_any_length_stays_valid_json),
        cmocka_unit_test(times_are_told_where_asked_for),
        cmocka_unit_test(LIBCOUNT_OUTPUT_names_a_file_by_process_and_host),
        cmocka_unit_test(a_wrong_setting_costs_one_line),
        cmocka_unit_test(settings_that_are_right_or_empty_say_nothing),
        cmocka_unit_test(nobody_reading_the_report_harms_nobody),
        cmocka_unit_test(the_output_of_commands_inside_is_untouched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
