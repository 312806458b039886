/* The file of counters: its place, its users, its removal. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/measure/table_file.h"
#include "driver/common/memory.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void a_table_is_ready_and_goes_away_whole(void **state)
{
    (void)state;
    struct table_file file;
    struct stat status;
    assert_int_equal(table_file_create(&file, COUNTERS_CALLS | COUNTERS_TIME), 0);
    assert_true(counters_fits(file.table, file.size));
    assert_int_equal(file.table->flags, COUNTERS_CALLS | COUNTERS_TIME | COUNTERS_DRIVER);
    assert_int_equal(file.table->root, getpid());
    char *path = memory_strdup(file.path);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode, S_IFREG | 0600);
    assert_int_equal((size_t)status.st_size, counters_size(COUNTERS_TIME));
    assert_true(status.st_blocks * 512 >= status.st_size);   /* no SIGBUS on a full disk */
    assert_int_equal(fcntl(file.descriptor, F_GETFD), FD_CLOEXEC);
    table_file_remove(&file);
    assert_int_not_equal(stat(path, &status), 0);
    free(path);
}

static void standard_descriptors_are_left_free(void **state)
{
    (void)state;
    struct table_file file;
    int kept = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    int created = table_file_create(&file, 0);
    int taken = fcntl(STDIN_FILENO, F_GETFD);
    dup2(kept, STDIN_FILENO);
    close(kept);
    assert_int_equal(created, 0);
    assert_int_equal(taken, -1);
    assert_true(file.descriptor > STDERR_FILENO);
    table_file_remove(&file);
}

/* A child that maps the table, as the library does, tells so, and sleeps. */
static pid_t start_user(const struct table_file *file)
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
    struct table_file file;
    size_t count = 99;
    assert_int_equal(table_file_create(&file, 0), 0);
    assert_null(table_file_users(&file, &count));
    assert_int_equal(count, 0);
    pid_t child = start_user(&file);
    char *expected = memory_format("table_file (%d)", (int)child);
    char *users = table_file_users(&file, &count);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_non_null(users);
    assert_string_equal(users, expected);
    assert_int_equal(count, 1);
    assert_null(table_file_users(&file, &count));
    free(users);
    free(expected);
    table_file_remove(&file);
}

static void a_leftover_of_our_own_number_is_replaced(void **state)
{
    (void)state;
    struct table_file first, second;
    assert_int_equal(table_file_create(&first, 0), 0);
    munmap(first.table, first.size);
    close(first.descriptor);                /* as if a process with our number had been killed */
    assert_int_equal(table_file_create(&second, COUNTERS_TIME), 0);
    assert_string_equal(second.path, first.path);
    free(first.path);
    table_file_remove(&second);
}

static void where_shared_memory_is_taken_the_temporary_folder_serves(void **state)
{
    (void)state;
    struct table_file file;
    char *taken = memory_format("/dev/shm/libcount.%u.%d", (unsigned)geteuid(), (int)getpid());
    char folder[] = "/tmp/table-file-test.XXXXXX";
    assert_int_equal(mkdir(taken, 0700), 0);
    assert_non_null(mkdtemp(folder));
    setenv("TMPDIR", folder, 1);
    int created = table_file_create(&file, 0);
    rmdir(taken);
    assert_int_equal(created, 0);
    assert_int_equal(strncmp(file.path, folder, strlen(folder)), 0);
    table_file_remove(&file);
    assert_int_equal(rmdir(folder), 0);
    unsetenv("TMPDIR");
    free(taken);
}

static void only_a_name_that_the_loader_would_split_gets_a_link(void **state)
{
    (void)state;
    struct table_file file;
    struct stat status;
    char target[64] = "";
    assert_int_equal(table_file_create(&file, 0), 0);
    assert_string_equal(table_file_library(&file, "/usr/lib/libcount.so"), "/usr/lib/libcount.so");
    const char *name = table_file_library(&file, "/a b/c:d/$LIB/libcount.so");
    assert_non_null(name);
    assert_null(strpbrk(name, " :$"));
    assert_true(readlink(name, target, sizeof target - 1) > 0);
    assert_string_equal(target, "/a b/c:d/$LIB/libcount.so");
    char *copy = memory_strdup(name);
    table_file_remove(&file);
    assert_int_not_equal(lstat(copy, &status), 0);
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_is_ready_and_goes_away_whole),
        cmocka_unit_test(standard_descriptors_are_left_free),
        cmocka_unit_test(processes_that_have_it_mapped_are_named),
        cmocka_unit_test(a_leftover_of_our_own_number_is_replaced),
        cmocka_unit_test(where_shared_memory_is_taken_the_temporary_folder_serves),
        cmocka_unit_test(only_a_name_that_the_loader_would_split_gets_a_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
