/* The file of a table: its place, its memory, who uses it, what is refused, what is left over. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "shim/table/file.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *format(const char *template, const char *path, const char *more)
{
    char *text;
    assert_true(asprintf(&text, template, path, more) > 0);
    return text;
}

/* /dev/shm/libcount.UID.PID and then `rest`. */
static char *leftover(long pid, const char *rest)
{
    char *text = NULL;
    assert_true(asprintf(&text, "/dev/shm/libcount.%u.%ld%s", (unsigned)geteuid(), pid, rest) > 0);
    return text;
}

static bool exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

/* Run in a child of its own: whether it returned true. */
static bool in_child(bool (*function)(void))
{
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(function() ? 0 : 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* A process id that nobody has. */
static pid_t gone(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    return child;
}

static void a_table_is_ready_and_goes_away_whole(void **state)
{
    (void)state;
    struct file file;
    struct stat status;
    assert_int_equal(file_create(&file, NULL, COUNTERS_CALLS | COUNTERS_TIME, 77), 0);
    assert_true(counters_fits(file.table, file.size));
    assert_int_equal(file.table->flags, COUNTERS_CALLS | COUNTERS_TIME);
    assert_int_equal(file.table->root, 77);
    char *path = strdup(file.path);
    assert_int_equal(strncmp(path, leftover(getpid(), "."), strlen(leftover(getpid(), "."))), 0);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode, S_IFREG | 0600);
    assert_int_equal((size_t)status.st_size, counters_size(COUNTERS_TIME));
    assert_true(status.st_blocks * 512 >= status.st_size);   /* no SIGBUS on a full disk */
    assert_int_equal(fcntl(file.descriptor, F_GETFD), FD_CLOEXEC);
    file_close(&file);
    assert_false(exists(path));
    free(path);
}

/* A daemon of an old run may know the old name. */
static void two_tables_of_a_process_have_two_names(void **state)
{
    (void)state;
    struct file first, second;
    assert_int_equal(file_create(&first, NULL, 0, 1), 0);
    assert_int_equal(file_create(&second, NULL, 0, 1), 0);
    assert_string_not_equal(first.path, second.path);
    assert_int_equal(strncmp(second.path, "/dev/shm/", 9), 0);
    assert_true(exists(first.path));                         /* it is in use, though it bears our number */
    file_close(&second);
    file_close(&first);
}

static void standard_descriptors_are_left_free(void **state)
{
    (void)state;
    struct file file;
    int kept = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    long created = file_create(&file, NULL, 0, 1);
    int taken = fcntl(STDIN_FILENO, F_GETFD);
    dup2(kept, STDIN_FILENO);
    close(kept);
    assert_int_equal(created, 0);
    assert_int_equal(taken, -1);
    assert_true(file.descriptor > STDERR_FILENO);
    file_close(&file);
}

static void others_attach_and_count_into_the_same_memory(void **state)
{
    (void)state;
    struct file file, other;
    assert_int_equal(file_create(&file, NULL, 0, 1), 0);
    assert_int_equal(file_attach(&other, file.path), FILE_ATTACHED);
    assert_int_equal(other.descriptor, -1);
    assert_int_equal(other.size, file.size);
    other.table->shard[3].library[CALL_open].calls = 23;
    assert_int_equal(file.table->shard[3].library[CALL_open].calls, 23);
    munmap(other.table, other.size);
    file_close(&file);
    assert_int_equal(file_attach(&other, "/dev/shm/libcount.none"), FILE_GONE);
}

static void what_is_no_table_is_refused(void **state)
{
    (void)state;
    struct file file, other;
    assert_int_equal(file_create(&file, NULL, 0, 1), 0);
    struct counters_table *table = file.table;
    uint64_t size = table->size;
    uint32_t version = table->version;
    table->magic++;
    assert_int_equal(file_attach(&other, file.path), FILE_STRANGE);
    table->magic--;
    table->layout++;
    assert_int_equal(file_attach(&other, file.path), FILE_STRANGE);
    table->layout--;
    table->version = 0;
    assert_int_equal(file_attach(&other, file.path), FILE_STRANGE);
    table->version = version;
    table->size = 4096;
    assert_int_equal(file_attach(&other, file.path), FILE_STRANGE);
    table->size = size;
    table->flags |= COUNTERS_TIME;                           /* says that it is longer than it is */
    assert_int_equal(file_attach(&other, file.path), FILE_STRANGE);
    table->flags = 0;
    assert_int_equal(file_attach(&other, file.path), FILE_ATTACHED);
    munmap(other.table, other.size);
    static const off_t sizes[] = { 4096, 1, 0 };
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(truncate(file.path, sizes[i]), 0);
        assert_int_equal(file_attach(&other, file.path), FILE_STRANGE);
    }
    assert_int_equal(file_attach(&other, "/dev/null"), FILE_STRANGE);
    assert_int_equal(file_attach(&other, "/dev"), FILE_GONE);
    char *link = format("%s.link", file.path, "");
    assert_int_equal(symlink(file.path, link), 0);
    assert_int_equal(file_attach(&other, link), FILE_GONE);  /* O_NOFOLLOW */
    unlink(link);
    free(link);
    file_close(&file);
}

static void a_table_is_read_though_somebody_truncates_it(void **state)
{
    (void)state;
    struct file file;
    assert_int_equal(file_create(&file, NULL, 0, 1), 0);
    struct counters_table *copy = aligned_alloc(4096, file.size);
    file.table->shard[1].library[CALL_open].calls = 29;
    assert_true(file_read(&file, copy));
    assert_int_equal(copy->shard[1].library[CALL_open].calls, 29);
    static const off_t sizes[] = { 4096, 0 };
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(truncate(file.path, sizes[i]), 0);
        assert_false(file_read(&file, copy));
    }
    assert_int_equal(truncate(file.path, (off_t)file.size), 0);
    assert_false(file_read(&file, copy));                    /* zeros */
    free(copy);
    file_close(&file);
}

static void a_process_that_has_it_mapped_is_seen(void **state)
{
    (void)state;
    struct file file, other;
    int ready[2];
    char byte;
    assert_int_equal(file_create(&file, NULL, 0, 1), 0);
    assert_false(file_shared(file.descriptor));
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        munmap(file.table, file.size);
        close(file.descriptor);
        if (file_attach(&other, file.path) == FILE_ATTACHED && write(ready[1], "", 1) == 1)
            pause();
        _exit(0);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_true(file_shared(file.descriptor));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_false(file_shared(file.descriptor));
    close(ready[0]);
    close(ready[1]);
    file_close(&file);
}

static void make(const char *path)
{
    close(open(path, O_RDWR | O_CREAT | O_EXCL, 0600));
    assert_true(exists(path));
}

static void what_a_killed_process_left_is_removed(void **state)
{
    (void)state;
    struct file file, used;
    pid_t dead = gone();
    char *table = leftover(dead, ".0123abcd"), *old = leftover(dead, ""), *link = leftover(dead, ".0123abcd.so");
    char *alone = leftover(dead, ".so"), *living = leftover(1, ".0123abcd"), *own = leftover(getpid(), ".0123abcd");
    char *own_link = leftover(getpid(), ".so"), *no_number = leftover(0, "x"), *mapped = leftover(dead, ".ffffffff");
    char *mapped_link = leftover(dead, ".ffffffff.so");
    assert_int_equal(file_create(&used, NULL, 0, 1), 0);     /* as if its maker were dead, and a child of it counted on */
    assert_int_equal(rename(used.path, mapped), 0);
    close(used.descriptor);
    char *const removed[] = { table, old, own }, *const kept[] = { living, no_number };
    char *const removed_links[] = { link, alone }, *const kept_links[] = { own_link, mapped_link };
    for (int i = 0; i < 3; i++)
        make(removed[i]);
    for (int i = 0; i < 2; i++) {
        make(kept[i]);
        assert_int_equal(symlink("/lib/x.so", removed_links[i]) | symlink("/lib/x.so", kept_links[i]), 0);
    }

    assert_int_equal(file_create(&file, NULL, 0, 1), 0);
    for (int i = 0; i < 3; i++)
        assert_false(exists(removed[i]));
    for (int i = 0; i < 2; i++)
        assert_true(exists(kept[i]) && exists(kept_links[i]) && !exists(removed_links[i]));
    assert_true(exists(mapped));
    file_close(&file);
    munmap(used.table, used.size);
    assert_int_equal(file_create(&file, NULL, 0, 1), 0);
    assert_false(exists(mapped));
    file_close(&file);
    unlink(living), unlink(no_number), unlink(own_link), unlink(mapped_link);
}

static volatile sig_atomic_t signals;
static void count_signal(int number) { (void)number; signals++; }

/* Each open for writing breaks a lease; the signal of that must be one that kills nobody. */
static bool survives_a_neighbour(void)
{
    struct file file;
    char *path = leftover(gone(), ".0123abcd");
    for (int number = 1; number < 32; number++)
        if (number != SIGURG)
            signal(number, count_signal);
    pid_t neighbour = fork();
    if (neighbour == 0) {
        alarm(20);
        for (;;)
            close(open(path, O_RDWR | O_CREAT | O_NONBLOCK, 0600));
    }
    for (int i = 0; i < 3000; i++) {
        if (file_create(&file, NULL, 0, 1))
            return false;
        file_close(&file);
    }
    int survived = signals;
    kill(neighbour, SIGKILL);
    waitpid(neighbour, NULL, 0);
    unlink(path);
    return survived == 0;
}

static void a_neighbour_that_opens_a_leftover_kills_nobody(void **state)
{
    (void)state;
    assert_true(in_child(survives_a_neighbour));
}

/* Somebody else's file with a name of ours: it is not opened, since that would wait until he gives up its lease. */
static void a_leased_file_of_another_user_does_not_hold_us_up(void **state)
{
    (void)state;
    struct file file;
    int ready[2];
    char byte, *path = leftover(gone(), ".0123abcd");
    if (geteuid() != 0)
        skip();  /* it takes root to be two users */
    assert_int_equal(pipe(ready), 0);
    make(path);
    assert_int_equal(chown(path, 65534, 65534), 0);
    pid_t other = fork();
    if (other == 0) {
        signal(SIGIO, count_signal);
        alarm(60);
        if (setresuid(65534, 65534, 65534))
            _exit(1);
        int descriptor = open(path, O_RDWR);
        fcntl(descriptor, F_SETLEASE, F_WRLCK);
        if (write(ready[1], "", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    alarm(20);
    assert_int_equal(file_create(&file, NULL, 0, 1), 0);
    file_close(&file);
    assert_int_equal(file_attach(&file, path), FILE_GONE);
    alarm(0);
    assert_true(exists(path));
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    close(ready[0]), close(ready[1]);
    assert_int_equal(file_create(&file, NULL, 0, 1), 0);
    assert_true(exists(path));                               /* nor is it ours to remove when nobody has it open */
    file_close(&file);
    unlink(path);
}

/* With a /dev/shm and a /tmp of its own, of so many bytes. */
static bool small_folders(const char *shm, const char *tmp)
{
    return !unshare(CLONE_NEWNS) && !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
           !mount("tmpfs", "/dev/shm", "tmpfs", 0, shm) && !mount("tmpfs", "/tmp", "tmpfs", 0, tmp);
}

static bool falls_back_to_tmp(void)
{
    struct file file;
    return small_folders("size=64k", "size=64m") && !file_create(&file, NULL, 0, 1) && !strncmp(file.path, "/tmp/", 5) &&
           !access("/dev/shm", F_OK) && !exists(format("/dev/shm/%s", file.path + 5, ""));
}

static bool prefers_the_temporary_folder(void)
{
    struct file file;
    return small_folders("size=64k", "size=64m") && !mkdir("/tmp/mine", 0700) && !file_create(&file, "/tmp/mine", 0, 1) &&
           !strncmp(file.path, "/tmp/mine/", 10) && !file_create(&file, "relative", 0, 1) && !strncmp(file.path, "/tmp/l", 6);
}

static bool is_refused_where_all_is_full(void)
{
    struct file file;
    glob_t left = { 0 };
    return small_folders("size=64k", "size=64k") && file_create(&file, NULL, 0, 1) == -ENOSPC &&
           glob("/dev/shm/*", 0, NULL, &left) == GLOB_NOMATCH && glob("/tmp/*", 0, NULL, &left) == GLOB_NOMATCH &&
           !file_create_private(&file, 0, 1) && counters_fits(file.table, file.size) && !file.path[0] && file.descriptor == -1;
}

static void a_full_folder_is_passed_over(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();  /* it takes root to mount */
    assert_true(in_child(falls_back_to_tmp));
    assert_true(in_child(prefers_the_temporary_folder));
    assert_true(in_child(is_refused_where_all_is_full));
}

/* A file that outgrows the limit raises SIGXFSZ, which kills. */
static bool respects_the_limit(void)
{
    struct file file;
    struct rlimit limit = { 4096, 4096 };
    setrlimit(RLIMIT_FSIZE, &limit);
    return file_create(&file, NULL, 0, 1) == -EFBIG;
}

static void a_limit_of_file_size_is_an_error(void **state)
{
    (void)state;
    assert_true(in_child(respects_the_limit));
}

static void only_the_link_of_the_run_is_its_link(void **state)
{
    (void)state;
    static const char table[] = "/dev/shm/libcount.0.123.89abcdef";
    assert_true(file_links(table, "/dev/shm/libcount.0.123.89abcdef.so"));
    assert_true(file_links(table, "/tmp/libcount.0.123.so"));
    assert_false(file_links(table, "/tmp/libcount.0.1234.so"));
    assert_false(file_links(table, "/tmp/libcount.0.123.89abcdef"));
    assert_false(file_links(table, "/usr/lib/libcount.so"));
    assert_false(file_links(table, ".so"));
    assert_false(file_links(table, ""));
}

static void a_file_is_removed_through_its_folder(void **state)
{
    (void)state;
    struct file file;
    assert_int_equal(file_create(&file, NULL, 0, 1), 0);
    char *path = strdup(file.path);
    int folder = file_folder(path);
    assert_true(folder >= 0);
    file_remove("/nonexistent/name", folder);
    file_remove(strrchr(path, '/'), folder);
    assert_false(exists(path));
    close(folder);
    file_close(&file);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_is_ready_and_goes_away_whole),
        cmocka_unit_test(two_tables_of_a_process_have_two_names),
        cmocka_unit_test(standard_descriptors_are_left_free),
        cmocka_unit_test(others_attach_and_count_into_the_same_memory),
        cmocka_unit_test(what_is_no_table_is_refused),
        cmocka_unit_test(a_table_is_read_though_somebody_truncates_it),
        cmocka_unit_test(a_process_that_has_it_mapped_is_seen),
        cmocka_unit_test(what_a_killed_process_left_is_removed),
        cmocka_unit_test(a_neighbour_that_opens_a_leftover_kills_nobody),
        cmocka_unit_test(a_leased_file_of_another_user_does_not_hold_us_up),
        cmocka_unit_test(a_full_folder_is_passed_over),
        cmocka_unit_test(a_limit_of_file_size_is_an_error),
        cmocka_unit_test(only_the_link_of_the_run_is_its_link),
        cmocka_unit_test(a_file_is_removed_through_its_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
