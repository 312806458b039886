/* Reports of made-up measurements, compared letter by letter; system calls and times too. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/report/report.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static char *command[] = { "ls", "-l", NULL }, *other_command[] = { "ls", "-1", NULL };

static struct count library_rows[] = {
    { .name = "statx", .family = "lstat", .calls = 20, .errors = 0, .times = { 30000, 900, 4000, 1400, 3900 } },
    { .name = "getxattr", .family = "getxattr", .calls = 3, .errors = 3, .times = { 10000, 2500, 5000, 2600, 5000 } },
};
static struct count system_rows[] = {
    { .name = "openat", .family = "open", .calls = 44, .errors = 13, .times = { 2100000000, 1, 2, 3, 4 } },
};

static struct measurement made_up(uint32_t flags)
{
    return (struct measurement){
        .command = command, .flags = flags, .processes = 1, .system_counted = true,
        .library = { library_rows, 2 }, .system = { system_rows, 1 },
    };
}

/* What `result` looks like in this format, as a new string. */
static char *print_run(const struct measurement *result, enum output_format format)
{
    char *text = NULL;
    size_t size;
    struct output output = { .stream = open_memstream(&text, &size), .format = format };
    report_run(&output, result);
    fclose(output.stream);
    return text;
}

static void a_table_has_numbers_first_and_the_name_last(void **state)
{
    (void)state;
    struct measurement result = made_up(COUNTERS_CALLS | COUNTERS_SYSCALLS);
    char *text = print_run(&result, OUTPUT_TABLE);
    assert_string_equal(text, "library calls\n"
                              "calls errors family   name\n"
                              "----- ------ -------- --------\n"
                              "   20        lstat    statx\n"
                              "    3      3 getxattr getxattr\n"
                              "----- ------ -------- --------\n"
                              "   23      3          total\n"
                              "\n"
                              "system calls\n"
                              "calls errors family name\n"
                              "----- ------ ------ ------\n"
                              "   44     13 open   openat\n"
                              "----- ------ ------ ------\n"
                              "   44     13        total\n"
                              "\n");
    free(text);
}

static void times_are_columns_with_the_share_of_the_total(void **state)
{
    (void)state;
    struct measurement result = made_up(COUNTERS_CALLS | COUNTERS_TIME);
    result.system.count = 0;
    result.processes = 7;
    char *text = print_run(&result, OUTPUT_TABLE);
    assert_string_equal(text, "library calls of 7 processes\n"
                              "% time  total    p50    p99    max calls errors family   name\n"
                              "------ ------ ------ ------ ------ ----- ------ -------- --------\n"
                              " 75.00 30.0us 1.40us 3.90us 4.00us    20        lstat    statx\n"
                              " 25.00 10.0us 2.60us 5.00us 5.00us     3      3 getxattr getxattr\n"
                              "------ ------ ------ ------ ------ ----- ------ -------- --------\n"
                              "100.00 40.0us                         23      3          total\n"
                              "\n");
    free(text);
}

static void csv_has_a_line_for_each_name_and_kind(void **state)
{
    (void)state;
    struct measurement result = made_up(COUNTERS_CALLS | COUNTERS_SYSCALLS | COUNTERS_TIME);
    char *text = print_run(&result, OUTPUT_CSV);
    assert_string_equal(text, "command,kind,name,family,calls,errors,total_ns,min_ns,max_ns,p50_ns,p99_ns\n"
                              "ls -l,library,statx,lstat,20,0,30000,900,4000,1400,3900\n"
                              "ls -l,library,getxattr,getxattr,3,3,10000,2500,5000,2600,5000\n"
                              "ls -l,system,openat,open,44,13,2100000000,1,2,3,4\n");
    free(text);
}

static void json_has_the_keys_of_the_contract(void **state)
{
    (void)state;
    struct measurement result = made_up(COUNTERS_CALLS | COUNTERS_SYSCALLS);
    char *uncounted[] = { "static: \"no\" library" };
    result.uncounted = uncounted;
    result.uncounted_count = 1;
    result.status = 9; /* killed by SIGKILL, as waitpid has it */
    char *text = print_run(&result, OUTPUT_JSON);
    json_t *is = json_loads(text, 0, NULL);
    json_t *should = json_loads(
        "{\"version\": 1, \"command\": [\"ls\", \"-l\"], \"exit\": {\"signal\": 9}, \"processes\": 1, \"level\": \"both\","
        " \"whole\": false, \"library_calls\": [{\"name\": \"statx\", \"family\": \"lstat\", \"calls\": 20, \"errors\": 0},"
        " {\"name\": \"getxattr\", \"family\": \"getxattr\", \"calls\": 3, \"errors\": 3}], \"system_calls\":"
        " [{\"name\": \"openat\", \"family\": \"open\", \"calls\": 44, \"errors\": 13}],"
        " \"uncounted\": [\"static: \\\"no\\\" library\"]}", 0, NULL);
    assert_non_null(should);
    assert_true(json_equal(is, should));
    json_decref(is);
    json_decref(should);
    free(text);
}

static void json_rows_have_times_where_they_were_taken(void **state)
{
    (void)state;
    const struct count_list list = { library_rows, 1 };
    json_t *is = report_json_rows(&list, true);
    json_t *should = json_loads("[{\"name\": \"statx\", \"family\": \"lstat\", \"calls\": 20, \"errors\": 0, \"total_ns\": "
                                "30000, \"min_ns\": 900, \"max_ns\": 4000, \"p50_ns\": 1400, \"p99_ns\": 3900}]", 0, NULL);
    assert_true(json_equal(is, should));
    json_decref(is);
    json_decref(should);
}

static void columns_stand_side_by_side_with_a_dash_for_none(void **state)
{
    (void)state;
    struct measurement first = made_up(COUNTERS_SYSCALLS), second = first;
    struct count rows[] = { { .name = "statx", .family = "lstat", .calls = 1 },
                            { .name = "openat", .family = "open", .calls = 10 } };
    second.command = other_command;
    second.system = (struct count_list){ rows, 2 };
    const struct report_column columns[] = { { (char *)"ls -l", &first }, { (char *)"ls -1", &second } };
    char *text = NULL;
    size_t size;
    struct output output = { .stream = open_memstream(&text, &size) };
    report_columns(&output, (struct report_layout){ SYSTEM_KIND, ORDER_NAME, false, false }, columns, 2);
    fclose(output.stream);
    assert_string_equal(text, "system call ls -l ls -1\n"
                              "----------- ----- -----\n"
                              "openat         44    10\n"
                              "statx           -     1\n"
                              "----------- ----- -----\n"
                              "total          44    11\n"
                              "ratio       1.000 0.250\n"
                              "\n");
    free(text);
}

static void times_stand_side_by_side_too(void **state)
{
    (void)state;
    struct measurement first = made_up(COUNTERS_CALLS | COUNTERS_TIME), second = first;
    second.library.count = 1;
    const struct report_column columns[] = { { (char *)"ls -l", &first }, { (char *)"ls -1", &second } };
    char *text = NULL;
    size_t size;
    struct output output = { .stream = open_memstream(&text, &size) };
    report_columns(&output, (struct report_layout){ LIBRARY_KIND, ORDER_CALLS, true, true }, columns, 2);
    fclose(output.stream);
    assert_string_equal(text, "time of library call family    ls -l  ls -1\n"
                              "-------------------- -------- ------ ------\n"
                              "statx                lstat    30.0us 30.0us\n"
                              "getxattr             getxattr 10.0us      -\n"
                              "-------------------- -------- ------ ------\n"
                              "total                         40.0us 30.0us\n"
                              "ratio                          1.000  0.750\n"
                              "\n");
    free(text);
}

static void what_all_columns_leave_out_is_said_once(void **state)
{
    (void)state;
    struct measurement first = made_up(COUNTERS_CALLS), second = first;
    char *one[] = { "same", "mine" }, *two[] = { "same" };
    first.uncounted = one;
    first.uncounted_count = 2;
    second.uncounted = two;
    second.uncounted_count = 1;
    const struct report_column columns[] = { { (char *)"A", &first }, { (char *)"B", &second } };
    char *text = NULL;
    size_t size;
    struct output output = { .stream = open_memstream(&text, &size) };
    report_uncounted(&output, columns, 2);
    fclose(output.stream);
    assert_string_equal(text, "uncounted: same\nuncounted in A: mine\n");
    free(text);
}

static void no_calls_are_said_in_words(void **state)
{
    (void)state;
    struct measurement result = { .command = command, .flags = COUNTERS_CALLS, .processes = 1 };
    char *text = print_run(&result, OUTPUT_TABLE);
    assert_string_equal(text, "no calls\n");
    free(text);
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
        char *text = report_duration(cases[i].ns);
        assert_string_equal(text, cases[i].text);
        free(text);
    }
}

static void a_command_is_quoted_as_a_shell_needs_it(void **state)
{
    (void)state;
    char *words[] = { "a", "b c", "", "it's", "$x", "--k=v,1:2@3+4%5", NULL };
    char *text = report_command(words);
    assert_string_equal(text, "a 'b c' '' 'it'\\''s' '$x' --k=v,1:2@3+4%5");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_has_numbers_first_and_the_name_last),
        cmocka_unit_test(times_are_columns_with_the_share_of_the_total),
        cmocka_unit_test(csv_has_a_line_for_each_name_and_kind),
        cmocka_unit_test(json_has_the_keys_of_the_contract),
        cmocka_unit_test(json_rows_have_times_where_they_were_taken),
        cmocka_unit_test(columns_stand_side_by_side_with_a_dash_for_none),
        cmocka_unit_test(times_stand_side_by_side_too),
        cmocka_unit_test(what_all_columns_leave_out_is_said_once),
        cmocka_unit_test(no_calls_are_said_in_words),
        cmocka_unit_test(durations_take_six_characters_at_most),
        cmocka_unit_test(a_command_is_quoted_as_a_shell_needs_it),
    };
    setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
