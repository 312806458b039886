/* What the library exports and needs, and that each spelling and version of a function reaches it: fortified, with
 * 64-bit offsets, bound at once without a PLT, of an old glibc, and missing in this one. */
#include "counted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
#define CALL(family, type, name, parameters, arguments, failed) #name,
#include "shim/table/calls.def"
};

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The output of a shell command, which must succeed. */
static char *output_of(const char *command)
{
    struct counted run = RUN(SETUP(.native = true), "sh", "-c", command);
    if (run.status)
        fail_msg("%s: %s", command, run.errors);
    return run.output;
}

static void exports_are_the_table(void **state)
{
    (void)state;
    const char *sorted[LIBRARY_CALLS];
    size_t count = 0;
    memcpy(sorted, names, sizeof sorted);
    qsort(sorted, LIBRARY_CALLS, sizeof *sorted, by_text);
    char *list = output_of(counted_format("nm -D --defined-only %s | awk '$2 != \"A\" {sub(/@.*/, \"\", $3); print $3}' | "
                                          "LC_ALL=C sort -u", LIBRARY));
    for (char *name = strtok(list, "\n"); name; name = strtok(NULL, "\n"), count++)
        if (count >= LIBRARY_CALLS || strcmp(name, sorted[count]) != 0)
            fail_msg("nm has %s where calls.def has %s", name, count < LIBRARY_CALLS ? sorted[count] : "no more");
    assert_int_equal(count, LIBRARY_CALLS);
}

/* A function of libc that the library needs must be there wherever it is loaded, and must not be one that it wraps. */
static void nothing_is_needed_but_these(void **state)
{
    (void)state;
    static const char *const allowed[] = {
        "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable", "__cxa_finalize", "__gmon_start__", "__environ",
        "_environ", "environ", "__errno_location", "_dl_debug_addr", "_r_debug", "feof_unlocked", "ferror_unlocked",
        "fileno", "__asan_init",  /* the last one is weak, and there in sanitized programs alone */
    };
    char *list = output_of(counted_format("nm -D -u %s | awk '{sub(/@.*/, \"\", $2); print $2}'", LIBRARY));
    for (char *name = strtok(list, "\n"); name; name = strtok(NULL, "\n")) {
        size_t i = 0;
        while (i < sizeof allowed / sizeof *allowed && strcmp(name, allowed[i]) != 0)
            i++;
        if (i == sizeof allowed / sizeof *allowed)
            fail_msg("%s is undefined in libcount.so", name);
    }
}

/* A name in x86_64.map that is not this libc's newest would leave its callers uncounted. Versions that this libc is too
 * old to have are for newer ones. */
static void the_versions_are_the_newest_of_this_libc(void **state)
{
    (void)state;
    static const char ours[] = "nm -D --defined-only %s | awk '$3 ~ /@@/ {print $3}'";
    char *list = output_of(counted_format(ours, LIBRARY));
    char *libc = output_of("nm -D --defined-only $(ldconfig -p | awk '/libc\\.so\\.6/ && /64/ {print $NF; exit}')");
    for (char *name = strtok(list, "\n"); name; name = strtok(NULL, "\n"))
        if (strstr(libc, counted_format(" %s\n", strstr(name, "GLIBC"))) &&
            !strstr(libc, counted_format(" %s\n", name)))
            fail_msg("%s is not libc's newest version", name);
    free(libc);
}

/* One source, built four ways: six calls reach us, by whatever names. */
static void each_way_to_build_reaches_us(void **state)
{
    (void)state;
    static const char *const flags[] = {
        "-O2 -U_FORTIFY_SOURCE", "-O2 -D_FORTIFY_SOURCE=2", "-O2 -U_FORTIFY_SOURCE -D_FILE_OFFSET_BITS=64",
        "-O2 -D_FORTIFY_SOURCE=2 -D_FILE_OFFSET_BITS=64", "-O2 -fno-plt -Wl,-z,now -Wl,-z,relro",
        "-O2 -fno-pie -no-pie -Wl,-z,lazy",
    };
    static const char *const open_names[] = { "open", "open64", "__open_2", "__open64_2" };
    static const char *const openat_names[] = { "openat", "openat64", "__openat_2", "__openat64_2" };
    static const char *const stat_names[] = { "stat", "stat64", "lstat", "lstat64", "fstat", "fstat64",
                                              "__xstat", "__xstat64", "__lxstat", "__lxstat64", "__fxstat", "__fxstat64" };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        uint64_t opens = 0, openats = 0, stats = 0;
        char *folder = counted_folder();
        const char *program = counted_compiled(counted_format("tests/fixture/wrap/opens.%zu", i), "wrap/opens", flags[i]);
        assert_non_null(program);
        struct counted run = RUN(SETUP(.folder = folder), program);
        assert_exit(&run, 0);
        for (int k = 0; k < 4; k++) {
            opens += counted_row(&run, open_names[k]).calls;
            openats += counted_row(&run, openat_names[k]).calls;
        }
        for (size_t k = 0; k < sizeof stat_names / sizeof *stat_names; k++)
            stats += counted_row(&run, stat_names[k]).calls;
        if (opens != 4 || openats != 2 || stats != 3)
            fail_msg("%s: %lu, %lu, %lu", flags[i], (unsigned long)opens, (unsigned long)openats, (unsigned long)stats);
        assert_calls(&run, i == 1 ? "__open_2" : i == 3 ? "__open64_2" : i == 2 ? "open64" : "open", i == 1 || i == 3 ? 2 : 4);
        counted_free(&run);
        counted_remove(folder);
    }
}

/* open() gets its mode with O_CREAT and O_TMPFILE, and only then. */
static void files_are_made_with_their_mode(void **state)
{
    (void)state;
    char *folder = counted_folder();
    assert_same_as_native(SETUP(.folder = folder), FIXTURE("wrap/opens"));
    struct counted run = RUN(SETUP(.folder = folder), FIXTURE("wrap/opens"));
    assert_non_null(strstr(run.output, "O_CREAT: mode 100640\n"));
    assert_non_null(strstr(run.output, "O_CREAT at: mode 100604\n"));
    assert_non_null(strstr(run.output, "O_TMPFILE: mode 100640\n"));
    assert_non_null(strstr(run.output, "O_DIRECTORY: mode 4"));
    counted_free(&run);
    counted_remove(folder);
}

static void an_old_program_gets_the_version_that_it_was_built_with(void **state)
{
    (void)state;
    char *with = counted_folder(), *without = counted_folder();
    struct counted run = RUN(SETUP(.folder = with), FIXTURE("wrap/versions"));
    struct counted native = RUN(SETUP(.native = true, .folder = without), FIXTURE("wrap/versions"));
    assert_exit(&run, 0);
    assert_string_equal(run.output, native.output);
#ifdef __x86_64__
    assert_calls(&run, "realpath", 4);
    assert_errors(&run, "realpath", 2);
    assert_calls(&run, "nftw", 2);
    assert_calls(&run, "glob", 2);
    assert_calls(&run, "posix_spawn", 2);
    assert_errors(&run, "posix_spawn", 1);
    assert_calls(&run, "sched_getaffinity", 2);
    assert_calls(&run, "pthread_kill", 2);
    assert_calls(&run, "timer_create", 3);
    assert_calls(&run, "timer_delete", 3);
    assert_int_equal(run.table->processes, 2);
#endif
    counted_free(&run);
    counted_free(&native);
    counted_remove(with);
    counted_remove(without);
}

/* A copy of the library that looks for a function under a name that no libc has: as on a libc without it. */
static void a_function_that_libc_lacks_says_ENOSYS(void **state)
{
    (void)state;
    char *copy = counted_format("%s.lacking", LIBRARY);
    /* In the table of names each has zeros behind it, in the dynamic symbols one. */
    const char *patch = counted_format("perl -0777 -pe 's/\\0lstat(\\0{4})/\\0lsta?$1/g' %s >%s", LIBRARY, copy);
    free(output_of(patch));
    struct counted run = RUN(SETUP(.library = copy), FIXTURE("wrap/errors"), "minus");
    remove(copy);
    assert_exit(&run, 0);
    assert_non_null(strstr(run.output, "lstat(\"/\", &status): -1, errno 38\n"));
    assert_calls(&run, "lstat", 2);
    assert_errors(&run, "close", 1);
    counted_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exports_are_the_table),
        cmocka_unit_test(nothing_is_needed_but_these),
        cmocka_unit_test(the_versions_are_the_newest_of_this_libc),
        cmocka_unit_test(each_way_to_build_reaches_us),
        cmocka_unit_test(files_are_made_with_their_mode),
        cmocka_unit_test(an_old_program_gets_the_version_that_it_was_built_with),
        cmocka_unit_test(a_function_that_libc_lacks_says_ENOSYS),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
