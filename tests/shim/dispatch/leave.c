/* What the library leaves alone: programs with thread data of their own, and code that programs write. */
#include "shim/dispatch/system.h"

static void said(const struct counted *run, const char *what)
{
    const char *note = counted_note(run, 0);
    assert_non_null(note);
    assert_non_null(strstr(note, what));
}

/* Counted are the calls before, and it is said that there are others. */
static void a_program_that_sets_its_thread_register_goes_on_uncounted(void **state)
{
    (void)state;
    struct counted run = check_way(FIXTURE("dispatch/foreign"), "set", ASKED(5) + 1, 0, true);
    said(&run, "sets its thread register");
    said(&run, "--whole");
    counted_free(&run);
}

static void so_does_one_whose_thread_has_such_data(void **state)
{
    (void)state;
    struct counted run = check_way(FIXTURE("dispatch/foreign"), "clone", ASKED(3), 0, true);
    said(&run, "sets its thread register");
    counted_free(&run);
}

static void code_that_is_writable_stays_so(void **state)
{
    (void)state;
    struct counted run = check_way(FIXTURE("dispatch/text"), "writable", 4, 0, true);
    counted_free(&run);
    run = check_way(FIXTURE("dispatch/text"), "later", 8, 0, true);
    counted_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_that_sets_its_thread_register_goes_on_uncounted),
        cmocka_unit_test(so_does_one_whose_thread_has_such_data),
        cmocka_unit_test(code_that_is_writable_stays_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
