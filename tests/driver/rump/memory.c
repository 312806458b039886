/* The memory cap ends the program in good order instead of letting GMP abort it. */
#include "support.h"

#include "common/errors.h"
#include "rump/memory.h"

#include <sys/wait.h>
#include <unistd.h>

/* In a child: cap, then ask for a number of so many bits. Returns the exit status, what is said to standard error in `said`. */
static int ask_for(unsigned long bits, size_t cap, char *said, size_t size)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        memory_limit(cap);
        mpz_t number;
        mpz_init(number);
        mpz_setbit(number, bits);
        mpz_clear(number);
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], said + length, size - 1 - length)) > 0;)
        length += (size_t)got;
    said[length] = '\0';
    close(ends[0]);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void more_than_the_cap_is_an_error_with_a_message(void **state)
{
    (void)state;
    char said[256];
    assert_int_equal(ask_for(1UL << 33, (size_t)64 << 20, said, sizeof said), EXIT_USAGE);
    assert_string_equal(said, "reckon: rump: this needs more than 64 MiB of memory\n");
}

static void less_than_the_cap_is_given(void **state)
{
    (void)state;
    char said[256];
    assert_int_equal(ask_for(1UL << 28, (size_t)64 << 20, said, sizeof said), 0);
    assert_string_equal(said, "");
}

static void what_is_given_back_does_not_count(void **state)
{
    (void)state;
    memory_limit((size_t)1 << 20);
    for (int i = 0; i < 1000; i++) {
        mpz_t number;
        mpz_init(number);
        mpz_setbit(number, 1UL << 20);
        mpz_setbit(number, 1UL << 21);
        mpz_clear(number);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_than_the_cap_is_an_error_with_a_message),
        cmocka_unit_test(less_than_the_cap_is_given),
        cmocka_unit_test(what_is_given_back_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
