/* Reports of made-up measurements, compared letter by letter; system calls and times too. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/report/report.h"
#include "driver/calls/report/rows.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static char *command[] = { "ls", "-l", NULL };

static struct part getxattr_errors[] = { { "ENODATA", 2 }, { "EACCES", 1 } }, openat_errors[] = { { "ENOENT", 13 } };

static struct count library_rows[] = {
    { .name = "statx", .family = "lstat", .calls = 20, .errors = 0, .times = { 30000, 900, 4000, 1400, 3900, 0 } },
    { .name = "getxattr", .family = "getxattr", .calls = 3, .errors = 3, .errnos = { getxattr_errors, 2 },
      .times = { 10000, 2500, 5000, 2600, 5000, 0 } },
};
static struct count system_rows[] = {
    { .name = "openat", .family = "open", .calls = 44, .errors = 13, .errnos = { openat_errors, 1 },
      .times = { 2100000000, 1, 2, 3, 4, 0 } },
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
                              "calls errors by name             family   name\n"
                              "----- ------ ------------------- -------- --------\n"
                              "   20                            lstat    statx\n"
                              "    3      3 ENODATA 2, EACCES 1 getxattr getxattr\n"
                              "----- ------ ------------------- -------- --------\n"
                              "   23      3 ENODATA 2, EACCES 1          total\n"
                              "\n"
                              "system calls\n"
                              "calls errors by name   family name\n"
                              "----- ------ --------- ------ ------\n"
                              "   44     13 ENOENT 13 open   openat\n"
                              "----- ------ --------- ------ ------\n"
                              "   44     13 ENOENT 13        total\n"
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
    assert_string_equal(text, "library calls of 7 processes, wall time\n"
                              "% time  total    p50    p99    max calls errors by name        family   name\n"
                              "------ ------ ------ ------ ------ ----- ------ -------------- -------- --------\n"
                              " 75.00 30.0us 1.40us 3.90us 4.00us    20                       lstat    statx\n"
                              " 25.00 10.0us 2.60us 5.00us 5.00us     3      3 ENODATA 2, ... getxattr getxattr\n"
                              "------ ------ ------ ------ ------ ----- ------ -------------- -------- --------\n"
                              "100.00 40.0us                         23      3 ENODATA 2, ...          total\n"
                              "\n");
    free(text);
}

static void what_waited_is_a_column_where_anything_did(void **state)
{
    (void)state;
    struct count rows[] = { { .name = "read", .family = "read", .calls = 2, .times = { 3000, 900, 2100, 900, 2100, 2100 } },
                            { .name = "write", .family = "write", .calls = 1, .times = { 1000, 1000, 1000, 1000, 1000, 0 } } };
    struct measurement result = made_up(COUNTERS_SYSCALLS | COUNTERS_TIME);
    result.library.count = 0;
    result.system = (struct count_list){ rows, 2 };
    char *text = print_run(&result, OUTPUT_TABLE);
    assert_string_equal(text, "system calls, wall time\n"
                              "% time  total waited    p50    p99    max calls errors family name\n"
                              "------ ------ ------ ------ ------ ------ ----- ------ ------ -----\n"
                              " 75.00 3.00us 2.10us  900ns 2.10us 2.10us     2        read   read\n"
                              " 25.00 1.00us        1.00us 1.00us 1.00us     1        write  write\n"
                              "------ ------ ------ ------ ------ ------ ----- ------ ------ -----\n"
                              "100.00 4.00us 2.10us                          3               total\n"
                              "\n");
    free(text);
}

static void csv_has_a_line_for_each_name_and_kind(void **state)
{
    (void)state;
    struct measurement result = made_up(COUNTERS_CALLS | COUNTERS_SYSCALLS | COUNTERS_TIME);
    char *text = print_run(&result, OUTPUT_CSV);
    assert_string_equal(text, "command,kind,name,family,calls,errors,total_ns,min_ns,max_ns,p50_ns,p99_ns,waited_ns,errnos\n"
                              "ls -l,library,statx,lstat,20,0,30000,900,4000,1400,3900,0,\n"
                              "ls -l,library,getxattr,getxattr,3,3,10000,2500,5000,2600,5000,0,\"ENODATA 2, EACCES 1\"\n"
                              "ls -l,system,openat,open,44,13,2100000000,1,2,3,4,0,ENOENT 13\n");
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
        " {\"name\": \"getxattr\", \"family\": \"getxattr\", \"calls\": 3, \"errors\": 3, \"errnos\":"
        " {\"ENODATA\": 2, \"EACCES\": 1}}], \"system_calls\":"
        " [{\"name\": \"openat\", \"family\": \"open\", \"calls\": 44, \"errors\": 13,"
        " \"errnos\": {\"ENOENT\": 13}}],"
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
    struct measurement result = made_up(COUNTERS_CALLS | COUNTERS_TIME);
    result.library.count = 1;
    struct records records = rows_records(&result, ROWS_LIBRARY);
    json_t *is = records_json(&records);
    json_t *should = json_loads("[{\"name\": \"statx\", \"family\": \"lstat\", \"calls\": 20, \"errors\": 0, \"total_ns\": "
                                "30000, \"min_ns\": 900, \"max_ns\": 4000, \"p50_ns\": 1400, \"p99_ns\": 3900, \"waited_ns\": 0}]", 0, NULL);
    assert_true(json_equal(is, should));
    json_decref(is);
    json_decref(should);
}

static void rows_by_error_say_which_calls_failed(void **state)
{
    (void)state;
    struct measurement result = made_up(COUNTERS_CALLS | COUNTERS_SYSCALLS);
    measure_by_errno(&result);
    char *text = print_run(&result, OUTPUT_TABLE);
    assert_string_equal(text, "errors of library calls\n"
                              "errors error   of\n"
                              "------ ------- ----------\n"
                              "     2 ENODATA getxattr 2\n"
                              "     1 EACCES  getxattr 1\n"
                              "------ ------- ----------\n"
                              "     3 total   getxattr 3\n"
                              "\n"
                              "errors of system calls\n"
                              "errors error  of\n"
                              "------ ------ ---------\n"
                              "    13 ENOENT openat 13\n"
                              "------ ------ ---------\n"
                              "    13 total  openat 13\n"
                              "\n");
    free(text);
    text = print_run(&result, OUTPUT_CSV);
    assert_string_equal(text, "command,kind,name,errors,calls\n"
                              "ls -l,library,ENODATA,2,getxattr 2\n"
                              "ls -l,library,EACCES,1,getxattr 1\n"
                              "ls -l,system,ENOENT,13,openat 13\n");
    free(text);
    counts_free(&result.library_errors);
    counts_free(&result.system_errors);
}

static void no_calls_are_said_in_words(void **state)
{
    (void)state;
    struct measurement result = { .command = command, .flags = COUNTERS_CALLS, .processes = 1 };
    char *text = print_run(&result, OUTPUT_TABLE);
    assert_string_equal(text, "no calls\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_has_numbers_first_and_the_name_last),
        cmocka_unit_test(times_are_columns_with_the_share_of_the_total),
        cmocka_unit_test(what_waited_is_a_column_where_anything_did),
        cmocka_unit_test(csv_has_a_line_for_each_name_and_kind),
        cmocka_unit_test(json_has_the_keys_of_the_contract),
        cmocka_unit_test(json_rows_have_times_where_they_were_taken),
        cmocka_unit_test(rows_by_error_say_which_calls_failed),
        cmocka_unit_test(no_calls_are_said_in_words),
    };
    setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
