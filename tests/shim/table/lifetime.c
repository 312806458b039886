/* The shared memory: nothing of it stays behind, what a killed root left goes with the next run, another layout is
 * refused, and where there is none or no room the program runs on. */
#include "counted.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* libcount.UID.PROCESS and what may follow. */
static char *table_of(int process)
{
    return counted_format("/dev/shm/libcount.%d.%d", (int)geteuid(), process);
}

/* Is there such a file, with its random part or as it stands? */
static bool exists(const char *path)
{
    glob_t found = { 0 };
    bool any = access(path, F_OK) == 0 || glob(counted_format("%s.*", path), 0, NULL, &found) == 0;
    globfree(&found);
    return any;
}

static void nothing_stays_behind(void **state)
{
    (void)state;
    static const char *const ways[] = { "return", "exit", "_exit", "_Exit", "quick_exit", "exit_group", "abort",
                                        "execve", "at_quick_exit" };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct counted run = RUN(SETUP(.bare = true), FIXTURE("endings"), ways[i]);
        if (exists(table_of(run.process)))
            fail_msg("%s left %s", ways[i], table_of(run.process));
        assert_non_null(strstr(run.errors, "lstat"));
        counted_free(&run);
    }
    struct counted run = RUN(SETUP(.bare = true), "env", counted_compiled("tests/fixture/endings.static", "endings", "-static"),
                             "_exit");
    assert_false(exists(table_of(run.process)));
    counted_free(&run);
}

static void what_a_killed_root_left_goes_with_the_next_run(void **state)
{
    (void)state;
    struct counted killed = RUN(SETUP(.bare = true), FIXTURE("endings"), "kill");
    assert_signal(&killed, SIGKILL);
    assert_true(exists(table_of(killed.process)));
    struct counted next = RUN(SETUP(.bare = true), FIXTURE("endings"), "return");
    assert_false(exists(table_of(killed.process)));
    counted_free(&killed);
    counted_free(&next);
}

/* What looks like one and belongs to a process that lives is left alone. */
static void the_table_of_a_living_root_is_left_alone(void **state)
{
    (void)state;
    char *path = counted_format("%s.test", table_of((int)getpid()));
    close(open(path, O_WRONLY | O_CREAT, 0600));
    struct counted run = RUN(SETUP(.bare = true), FIXTURE("endings"), "return");
    assert_true(exists(path));
    unlink(path);
    counted_free(&run);
}

/* A table changed by `spoil`, and what a program under it says. */
static void refused(void (*spoil)(struct counters_table *), off_t size)
{
    char *path = counted_format("%s.test", table_of((int)getpid()));
    int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(ftruncate(descriptor, (off_t)counters_size(0)), 0);
    struct counters_table *table = mmap(NULL, counters_size(0), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    counters_initialise(table, COUNTERS_CALLS | COUNTERS_DRIVER, (int32_t)getpid());
    spoil(table);
    assert_int_equal(ftruncate(descriptor, size), 0);
    close(descriptor);
    munmap(table, counters_size(0));
    struct counted run = RUN(SETUP(.bare = true, .environment = ENVIRONMENT(counted_format("LIBCOUNT_TABLE=%s", path))),
                             FIXTURE("endings"), "exit");
    assert_exit(&run, 3);
    assert_string_equal(run.errors, counted_format("libcount: %s: made by another version of libcount; nothing is counted\n",
                                                   path));
    unlink(path);
    counted_free(&run);
}

static void spoil_magic(struct counters_table *table) { table->magic++; }
static void spoil_version(struct counters_table *table) { table->version++; }
static void spoil_layout(struct counters_table *table) { table->layout++; }
static void spoil_size(struct counters_table *table) { table->size++; }
static void spoil_nothing(struct counters_table *table) { (void)table; }

static void a_table_of_another_version_is_refused_with_one_line(void **state)
{
    (void)state;
    refused(spoil_magic, (off_t)counters_size(0));
    refused(spoil_version, (off_t)counters_size(0));
    refused(spoil_layout, (off_t)counters_size(0));
    refused(spoil_size, (off_t)counters_size(0));
    refused(spoil_nothing, 4096);
    refused(spoil_nothing, 0);
}

static void a_table_that_is_gone_says_nothing(void **state)
{
    (void)state;
    struct counted run = RUN(SETUP(.bare = true, .environment = ENVIRONMENT("LIBCOUNT_TABLE=/dev/shm/libcount.none")),
                             FIXTURE("endings"), "exit");
    assert_exit(&run, 3);
    assert_string_equal(run.errors, "");
    counted_free(&run);
}

static void no_file_size(void) { setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 0, 0 }); }
static void little_memory(void) { setrlimit(RLIMIT_AS, &(struct rlimit){ 6 << 20, 6 << 20 }); }
static void no_descriptors(void) { setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 4, 4 }); }

/* Limits that leave no room for the table: the program runs as it does without us. */
static void narrow_limits_harm_nobody(void **state)
{
    (void)state;
    void (*const limits[])(void) = { no_file_size, little_memory, no_descriptors };
    static const char *const ways[] = { "return", "_exit", "abort", "kill", "execve" };
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
            struct counted run = RUN(SETUP(.bare = true, .prepare = limits[i]), FIXTURE("endings"), ways[k]);
            struct counted native = RUN(SETUP(.native = true, .prepare = limits[i]), FIXTURE("endings"), ways[k]);
            if (run.status != native.status)
                fail_msg("limit %zu, %s: status %x, without the library %x\n%s", i, ways[k], run.status, native.status,
                         run.errors);
            counted_free(&run);
            counted_free(&native);
        }
}

/* Under a driver the table is there already, and counts under every limit. */
static void narrow_limits_lose_no_count(void **state)
{
    (void)state;
    void (*const limits[])(void) = { no_file_size, no_descriptors };
    for (size_t i = 0; i < 2; i++) {
        struct counted run = RUN(SETUP(.prepare = limits[i]), FIXTURE("endings"), "exit");
        assert_exit(&run, 3);
        assert_calls(&run, "lstat", 23);
        counted_free(&run);
    }
}

/* The report's file is opened before, and the table removed though its path is out of reach. */
static void a_changed_root_keeps_its_report(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();  /* only root may */
    char *folder = counted_folder();
    char *output = counted_format("LIBCOUNT_OUTPUT=%s/report", folder);
    struct counted run = RUN(SETUP(.bare = true, .environment = ENVIRONMENT(output)), "perl", "-e",
                             counted_format("chroot '%s' or die; chdir '/'; lstat '/' for 1..23;", folder));
    assert_exit(&run, 0);
    char *report = counted_read(counted_format("%s/report", folder));
    assert_non_null(report);
    assert_non_null(strstr(report, "        23            lstat     "));
    assert_string_equal(run.errors, "");
    assert_false(exists(table_of(run.process)));
    free(report);
    counted_free(&run);
    counted_remove(folder);
}

/* The report of a root that becomes a daemon is the daemon's; no other root sweeps its table meanwhile. */
static void a_daemon_keeps_the_table_and_prints(void **state)
{
    (void)state;
    char *folder = counted_folder(), *report = NULL;
    char *output = counted_format("%s/report", folder);
    struct counted run = RUN(SETUP(.bare = true, .folder = folder,
                                   .environment = ENVIRONMENT(counted_format("LIBCOUNT_OUTPUT=%s", output))),
                             FIXTURE("processes"), "daemonise");
    assert_exit(&run, 0);
    struct counted other = RUN(SETUP(.bare = true), FIXTURE("endings"), "return");
    assert_true(exists(table_of(run.process)));
    assert_int_equal(mkdir(counted_format("%s/swept", folder), 0700), 0);
    for (int i = 0; i < 12000 && (!report || !*report); i++) {
        free(report);
        usleep(10000);
        report = counted_read(output);
    }
    assert_non_null(report);
    for (int i = 0; i < 12000 && exists(table_of(run.process)); i++)
        usleep(10000);
    assert_false(exists(table_of(run.process)));
    if (!strstr(report, "        13            lstat     lstat\n") || !strstr(report, "(3 processes)"))
        fail_msg("%s", report);
    free(report);
    counted_free(&run);
    counted_free(&other);
    counted_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_stays_behind),
        cmocka_unit_test(what_a_killed_root_left_goes_with_the_next_run),
        cmocka_unit_test(the_table_of_a_living_root_is_left_alone),
        cmocka_unit_test(a_table_of_another_version_is_refused_with_one_line),
        cmocka_unit_test(a_table_that_is_gone_says_nothing),
        cmocka_unit_test(narrow_limits_harm_nobody),
        cmocka_unit_test(narrow_limits_lose_no_count),
        cmocka_unit_test(a_changed_root_keeps_its_report),
        cmocka_unit_test(a_daemon_keeps_the_table_and_prints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
