/* Other libraries beside ours: constructors before and after our own, allocators that call wrapped functions, other
 * preloaded libraries in both orders, and this one twice. */
#include "counted.h"

#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *shared(const char *name)
{
    const char *library = counted_compiled(counted_format("tests/fixture/library/%s.so", name),
                                           counted_format("library/%s", name), "-O1 -shared -fPIC");
    if (!library)
        fail_msg("%s.so: not built", name);
    return library;
}

static void looks(const struct counted_setup *setup, uint64_t calls)
{
    struct counted run = RUN(setup, FIXTURE("endings"), "return");
    assert_exit(&run, 0);
    assert_calls(&run, "lstat", calls);
    assert_int_equal(run.table->processes, 1);
    assert_string_equal(run.errors, "");
    counted_free(&run);
}

static void constructors_and_destructors_of_others_are_counted(void **state)
{
    (void)state;
    looks(SETUP(.first = shared("constructor")), 3 + 23 + 2);
    looks(SETUP(.last = shared("constructor")), 3 + 23 + 2);
}

static void constructors_of_needed_libraries_are_counted(void **state)
{
    (void)state;
    const char *flags = counted_format("-O1 -fno-builtin -Wl,--no-as-needed %s", shared("constructor"));
    const char *program = counted_compiled("tests/fixture/endings.needs", "endings", flags);
    struct counted run = RUN(SETUP(), program, "_exit");
    assert_exit(&run, 3);
    assert_calls(&run, "lstat", 3 + 23);
    counted_free(&run);
}

static void the_bare_library_counts_constructors_and_destructors_too(void **state)
{
    (void)state;
    for (int after = 0; after < 2; after++) {
        const char *other = shared("constructor");
        struct counted run = RUN(SETUP(.bare = true, .first = after ? NULL : other, .last = after ? other : NULL),
                                 FIXTURE("endings"), "return");
        assert_exit(&run, 0);
        if (!strstr(run.errors, "        28            lstat     lstat\n"))
            fail_msg("%s", run.errors);
        counted_free(&run);
    }
}

static void a_loaded_plugin_is_counted_unless_it_binds_deeply(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(), FIXTURE("plugin"), shared("constructor"));
    assert_exit(&run, 0);
    assert_calls(&run, "lstat", 3 + 2);
    counted_free(&run);
    run = RUN(SETUP(), FIXTURE("plugin"), shared("constructor"), "deep");
    assert_exit(&run, 0);
    assert_calls(&run, "lstat", 0);  /* RTLD_DEEPBIND asks for libc before anybody else: a limit that README names */
    counted_free(&run);
}

/* An allocator that calls wrapped functions: each of its calls counts, and none waits for another. */
static void an_allocator_may_call_wrapped_functions(void **state)
{
    (void)state;
    static const char *const words[] = { "ls", "-l", "/usr", NULL };
    const char *allocator = shared("allocator");
    for (int after = 0; after < 2; after++) {
        struct counted run = counted_run(SETUP(.first = after ? NULL : allocator, .last = after ? allocator : NULL),
                                         words);
        struct counted native = counted_run(SETUP(.native = true), words);
        assert_exit(&run, 0);
        assert_string_equal(run.output, native.output);
        assert_true(counted_row(&run, "lstat").calls > 100);
        assert_true(counted_row(&run, "open").calls == counted_row(&run, "lstat").calls);
        counted_free(&run);
        counted_free(&native);
    }
}

/* libfaketime leaves its shared memory behind where a process ends by _exit, without us too. */
static void clean_after_faketime(void)
{
    glob_t found;
    if (glob("/dev/shm/*faketime_*_*", 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (kill(atoi(strrchr(found.gl_pathv[i], '_') + 1), 0) != 0)
            unlink(found.gl_pathv[i]);
    globfree(&found);
}

/* Libraries that wrap the same functions, or malloc. The environment is equal in the run without us. */
static void other_preloaded_libraries_work_in_both_orders(void **state)
{
    (void)state;
    static const char *const others[] = { "libjemalloc.so.2", "libeatmydata.so",
                                          "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1" };
    static const char script[] = "date +%Y >/dev/null; ls -l /etc/passwd; sync; (echo a; echo b) | sort -r";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_same_as_native(SETUP(.first = others[i]), "sh", "-c", script);
        assert_same_as_native(SETUP(.last = others[i]), "sh", "-c", script);
        looks(SETUP(.first = others[i]), 23);
        looks(SETUP(.last = others[i]), 23);
    }
    assert_same_as_native(SETUP(.last = others[2], .environment = ENVIRONMENT("FAKETIME=@2001-02-03 04:05:06")),
                          "date", "+%F");
    assert_same_as_native(SETUP(.first = others[2], .environment = ENVIRONMENT("FAKETIME=@2001-02-03 04:05:06")),
                          "date", "+%F");
    clean_after_faketime();
}

/* Nothing of what such functions are given is lost, and none of them counts. */
static void functions_of_a_library_with_names_of_libc_are_its_own(void **state)
{
    (void)state;
    const char *library = counted_compiled("tests/fixture/library/queue.so", "library/queue", "-O1 -fno-builtin -shared -fPIC");
    assert_non_null(library);
    const char *program = counted_compiled("tests/fixture/queue", "library/queue_main",
                                           counted_format("-O1 -fno-builtin -Wl,--no-as-needed %s", library));
    assert_non_null(program);
    for (uint32_t flags = COUNTERS_CALLS; flags <= (COUNTERS_CALLS | COUNTERS_SYSCALLS); flags++) {
        assert_same_as_native(SETUP(.flags = flags), program);
        struct counted run = RUN(SETUP(.flags = flags | COUNTERS_TIME), program);
        assert_exit(&run, 0);
        if (flags & COUNTERS_CALLS) {
            static const char *const names[] = { "close", "send", "select", "clone", "open" };
            assert_calls(&run, "lstat", 23);
            for (size_t i = 0; i < sizeof names / sizeof *names; i++)
                assert_calls(&run, names[i], 0);
        }
        counted_free(&run);
    }
}

static void preloaded_twice_it_counts_once(void **state)
{
    (void)state;
    char *folder = counted_folder();
    char *copy = counted_format("%s/libcount.so", folder);
    assert_int_equal(system(counted_format("cp %s %s", LIBRARY, copy)), 0);
    looks(SETUP(.last = LIBRARY), 23);
    looks(SETUP(.first = copy), 23);
    looks(SETUP(.last = copy), 23);
    struct counted run = RUN(SETUP(.last = copy), FIXTURE("processes"), "split");
    assert_exit(&run, 0);
    assert_calls(&run, "lstat", 11 + 5);
    assert_int_equal(run.table->processes, 2);
    counted_free(&run);
    run = RUN(SETUP(.last = copy), "env", "-i", FIXTURE("endings"), "execve");
    assert_exit(&run, 0);
    assert_calls(&run, "lstat", 46);
    counted_free(&run);
    run = RUN(SETUP(.bare = true, .first = copy), FIXTURE("endings"), "_exit");
    assert_non_null(strstr(run.errors, "        23            lstat     lstat\n"));
    assert_null(strstr(strstr(run.errors, "libcount:") + 1, "libcount:"));
    counted_free(&run);
    counted_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constructors_and_destructors_of_others_are_counted),
        cmocka_unit_test(constructors_of_needed_libraries_are_counted),
        cmocka_unit_test(the_bare_library_counts_constructors_and_destructors_too),
        cmocka_unit_test(a_loaded_plugin_is_counted_unless_it_binds_deeply),
        cmocka_unit_test(an_allocator_may_call_wrapped_functions),
        cmocka_unit_test(other_preloaded_libraries_work_in_both_orders),
        cmocka_unit_test(functions_of_a_library_with_names_of_libc_are_its_own),
        cmocka_unit_test(preloaded_twice_it_counts_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
