/* Allocation ends the program in good order where there is no memory. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/common/exits.h"
#include "driver/common/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void without_memory_the_driver_says_so_and_ends(void **state)
{
    (void)state;
    char said[64] = "";
    int status, ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        memory_calloc(SIZE_MAX / 4, 2);
        _exit(0);
    }
    close(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), EXIT_OURS);
    assert_true(read(ends[0], said, sizeof said - 1) > 0);
    assert_string_equal(said, "reckon: out of memory\n");
    close(ends[0]);
}

static void nothing_is_a_place_in_memory_too(void **state)
{
    (void)state;
    void *memory = memory_calloc(0, 8);
    assert_non_null(memory);
    memory = memory_realloc(memory, 0, 8);
    assert_non_null(memory);
    free(memory);
}

static void a_format_becomes_a_new_text(void **state)
{
    (void)state;
    char *text = memory_format("%s %d", "calls:", 23), *copy = memory_strdup(text);
    assert_string_equal(copy, "calls: 23");
    free(text);
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_memory_the_driver_says_so_and_ends),
        cmocka_unit_test(nothing_is_a_place_in_memory_too),
        cmocka_unit_test(a_format_becomes_a_new_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
