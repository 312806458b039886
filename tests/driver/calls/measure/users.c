/* Processes that still use a table are named. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/measure/users.h"
#include "driver/common/memory.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that maps the table, as the library does, tells so, and sleeps. */
static pid_t start_user(const struct file *file)
{
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        int descriptor = open(file->path, O_RDWR);
        mmap(NULL, file->size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        close(descriptor);
        close(file->descriptor);
        if (write(ready[1], "", 1) == 1)
            sleep(10);
        _exit(0);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return child;
}

static void processes_that_have_it_mapped_are_named(void **state)
{
    (void)state;
    struct file file;
    size_t count = 99;
    assert_int_equal(file_create(&file, NULL, 0, getpid()), 0);
    assert_null(users_of(&file, &count));
    assert_int_equal(count, 0);
    pid_t child = start_user(&file);
    char *expected = memory_format("users (%d)", (int)child);
    char *users = users_of(&file, &count);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_non_null(users);
    assert_string_equal(users, expected);
    assert_int_equal(count, 1);
    assert_null(users_of(&file, &count));
    free(users);
    free(expected);
    file_close(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_that_have_it_mapped_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
