/* Programs that are executed past libc's functions, or elsewhere than those can know, are counted, or it is said why not. */
#include "counted.h"

#include <libgen.h>
#include <string.h>
#include <unistd.h>

#define LEVELS (COUNTERS_CALLS | COUNTERS_SYSCALLS)

static const char *const ways[] = { "raw", "vfork", "at", "empty", "chdir", "fchdir", "narrow" };
enum { WAYS = sizeof ways / sizeof *ways };

static void whoever_executes_what_is_executed_is_counted(void **state)
{
    (void)state;
    const char *folder = dirname(strdup(FIXTURE("endings")));
    for (int i = 0; i < WAYS; i++) {
        struct counted run = RUN(SETUP(.flags = LEVELS), FIXTURE("exec/ways"), ways[i], folder, "endings", "return");
        if (run.status || counted_row(&run, "lstat").calls != 23)
            print_error("%s:\n", ways[i]);
        assert_exit(&run, 0);
        assert_calls(&run, "lstat", 23);
        assert_int_equal(run.table->processes, 2);
        assert_null(counted_note(&run, 0));
        assert_same_as_native(SETUP(.flags = LEVELS), FIXTURE("exec/ways"), ways[i], dirname(strdup(FIXTURE("exec/view"))),
                              "view", "show");
        counted_free(&run);
    }
}

/* One that names no loader that is known. */
static void a_program_of_another_libc_is_left_alone_and_named(void **state)
{
    (void)state;
    char *folder = counted_folder();
    char *loader = counted_format("%s/loader", folder);
    assert_int_equal(symlink("/lib64/ld-linux-x86-64.so.2", loader), 0);
    const char *program = counted_compiled("tests/fixture/endings.other", "endings",
                                           counted_format("-O1 -fno-builtin -Wl,--dynamic-linker=%s", loader));
    assert_non_null(program);
    const char *place = dirname(strdup(program)), *name = strrchr(program, '/') + 1;
    for (int i = 0; i < WAYS; i++) {
        struct counted run = RUN(SETUP(.flags = LEVELS), FIXTURE("exec/ways"), ways[i], place, name, "return");
        const char *note = counted_note(&run, 0);
        assert_exit(&run, 0);
        assert_string_equal(run.errors, "");
        assert_non_null(note);
        assert_non_null(strstr(note, "endings.other: runs on another libc than glibc"));
        assert_null(counted_note(&run, 1));
        counted_free(&run);
    }
    counted_remove(folder);
}

static void wrong_pointers_are_the_kernel_s_to_refuse(void **state)
{
    (void)state;
    assert_same_as_native(SETUP(.flags = LEVELS), FIXTURE("exec/ways"), "wrong");
}

/* What fits alone fits counted, or runs uncounted. */
static void at_the_edge_of_what_the_kernel_takes_it_runs_uncounted(void **state)
{
    (void)state;
    assert_same_as_native(SETUP(.flags = LEVELS), FIXTURE("exec/view"), "edge");
    struct counted run = RUN(SETUP(.flags = LEVELS), FIXTURE("exec/view"), "edge");
    assert_string_equal(counted_note(&run, 0),
                        "/bin/true: its arguments and environment leave no room for what makes it count");
    counted_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whoever_executes_what_is_executed_is_counted),
        cmocka_unit_test(a_program_of_another_libc_is_left_alone_and_named),
        cmocka_unit_test(wrong_pointers_are_the_kernel_s_to_refuse),
        cmocka_unit_test(at_the_edge_of_what_the_kernel_takes_it_runs_uncounted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
