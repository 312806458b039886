/* What is put into the environment of a command, and the name that the library has there. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/measure/library.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void only_a_name_that_the_loader_would_split_gets_a_link(void **state)
{
    (void)state;
    static const char plain[] = "/usr/lib/libcount.so", split[] = "/a b/c:d/$LIB/libcount.so";
    struct stat status;
    char target[64] = "", *name = library_name(plain, "/dev/shm/library-test");
    assert_string_equal(name, plain);
    free(name);
    name = library_name(split, "/dev/shm/library-test");
    assert_string_equal(name, "/dev/shm/library-test.so");
    assert_true(readlink(name, target, sizeof target - 1) > 0);
    assert_string_equal(target, split);
    library_unlink(split, name);
    assert_int_not_equal(lstat(name, &status), 0);
    free(name);
}

static void a_link_does_not_stand_where_its_own_name_would_be_split(void **state)
{
    (void)state;
    static const char split[] = "/a b/libcount.so";
    char *name = library_name(split, "/a folder:with/library-test");
    assert_non_null(name);
    assert_null(strpbrk(name, " :$"));
    library_unlink(split, name);
    free(name);
}

/* The value of a variable, which stands in the environment once. */
static const char *value_of(char **environment, const char *name)
{
    const char *value = NULL;
    size_t length = strlen(name);
    for (char **entry = environment; *entry; entry++) {
        if (strncmp(*entry, name, length) || (*entry)[length] != '=')
            continue;
        assert_null(value);
        value = *entry + length + 1;
    }
    return value;
}

static void what_a_variable_held_stays_behind_ours(void **state)
{
    (void)state;
    setenv("LD_PRELOAD", "libfaketime.so", 1);
    setenv("ASAN_OPTIONS", "", 1);
    setenv("OTHER", "kept", 1);
    unsetenv("LIBCOUNT_TABLE");
    char **environment = library_environment("/lib/libcount.so", "/dev/shm/table", false);
    assert_string_equal(value_of(environment, "LD_PRELOAD"), "/lib/libcount.so:libfaketime.so");
    assert_string_equal(value_of(environment, "LIBCOUNT_TABLE"), "/dev/shm/table");
    assert_string_equal(value_of(environment, "ASAN_OPTIONS"), "verify_asan_link_order=0:");  /* empty, which is not unset */
    assert_string_equal(value_of(environment, "OTHER"), "kept");
    assert_null(value_of(environment, "LD_USE_LOAD_BIAS"));
    free(environment);
    environment = library_environment("/lib/libcount.so", "/dev/shm/table", true);
    assert_int_equal(value_of(environment, "LD_USE_LOAD_BIAS")[0], '1');  /* a loader before glibc 2.36 looks at that */
    free(environment);
    assert_string_equal(getenv("LD_PRELOAD"), "libfaketime.so");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_a_name_that_the_loader_would_split_gets_a_link),
        cmocka_unit_test(a_link_does_not_stand_where_its_own_name_would_be_split),
        cmocka_unit_test(what_a_variable_held_stays_behind_ours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
