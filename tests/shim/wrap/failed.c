/* Each kind of shim/failed.h: an error is counted, an end of data is not, and errno is what it would be without us. */
#include "counted.h"

#include <string.h>

/* The lines `errors KIND` prints are those of a run without the library, in the bare library too. */
static struct counted kind(const char *name)
{
    const char *fixture = FIXTURE("wrap/errors");
    assert_same_as_native(SETUP(), fixture, name);
    assert_same_as_native(SETUP(.flags = COUNTERS_CALLS | COUNTERS_TIME), fixture, name);
    assert_same_as_native(SETUP(.bare = true, .environment = ENVIRONMENT("LIBCOUNT_OUTPUT=/dev/null")), fixture, name);
    struct counted run = RUN(SETUP(), fixture, name);
    assert_exit(&run, 0);
    assert_non_null(strstr(run.output, "errno at main: 0\n"));
    return run;
}

static void minus_one_is_an_error(void **state)
{
    (void)state;
    struct counted run = kind("minus");
    assert_calls(&run, "lstat", 2);
    assert_errors(&run, "lstat", 1);
    assert_errors(&run, "close", 1);
    assert_errors(&run, "read", 0);
    counted_free(&run);
}

static void null_is_an_error(void **state)
{
    (void)state;
    struct counted run = kind("null");
    assert_errors(&run, "fopen", 1);
    assert_errors(&run, "opendir", 1);
    assert_calls(&run, "realpath", 2);
    assert_errors(&run, "realpath", 1);
    counted_free(&run);
}

static void a_returned_number_is_an_error(void **state)
{
    (void)state;
    struct counted run = kind("number");
    assert_errors(&run, "posix_spawn", 1);
    assert_calls(&run, "posix_fadvise", 2);
    assert_errors(&run, "posix_fadvise", 1);
    assert_errors(&run, "glob", 1);
    counted_free(&run);
}

static void MAP_FAILED_and_SIG_ERR_are_errors(void **state)
{
    (void)state;
    struct counted run = kind("map");
    assert_calls(&run, "mmap", 2);
    assert_errors(&run, "mmap", 1);
    counted_free(&run);
    run = kind("handler");
    assert_calls(&run, "signal", 2);
    assert_errors(&run, "signal", 1);
    counted_free(&run);
}

static void the_last_entry_is_no_error(void **state)
{
    (void)state;
    struct counted run = kind("entry");
    assert_calls(&run, "readdir", 5);
    assert_errors(&run, "readdir", 1);  /* of the closed descriptor */
    assert_calls(&run, "fts_read", 3);
    assert_errors(&run, "fts_read", 0);
    assert_errors(&run, "getpwnam", 0);
    assert_errors(&run, "getgrnam", 0);
    counted_free(&run);
}

static void minus_one_as_a_value_is_no_error(void **state)
{
    (void)state;
    struct counted run = kind("doubt");
    assert_calls(&run, "getpriority", 2);
    assert_errors(&run, "getpriority", 1);
    assert_errors(&run, "nice", 0);
    counted_free(&run);
}

static void the_end_of_a_stream_is_no_error(void **state)
{
    (void)state;
    struct counted run = kind("streams");
    assert_errors(&run, "fopen", 0);
    assert_calls(&run, "fread", 2);
    assert_errors(&run, "fread", 1);
    assert_calls(&run, "fgets", 2);
    assert_errors(&run, "fgets", 1);
    assert_calls(&run, "getline", 3);
    assert_errors(&run, "getline", 2);  /* the folder, and the missing place for a line */
    assert_errors(&run, "fwrite", 1);
    assert_errors(&run, "fputs", 1);
    counted_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minus_one_is_an_error),
        cmocka_unit_test(null_is_an_error),
        cmocka_unit_test(a_returned_number_is_an_error),
        cmocka_unit_test(MAP_FAILED_and_SIG_ERR_are_errors),
        cmocka_unit_test(the_last_entry_is_no_error),
        cmocka_unit_test(minus_one_as_a_value_is_no_error),
        cmocka_unit_test(the_end_of_a_stream_is_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
