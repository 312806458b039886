/* Counts of real commands agree row by row with a second method: gdb, with a breakpoint on each function, without the
 * library. Skipped where gdb is not there or may not trace. */
#include "counted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
#define CALL(family, type, name, parameters, arguments, failed) #name,
#include "shim/table/calls.def"
};

static char *work;

/* What gdb saw of all functions of the table, one line for each address. NULL where it cannot be used. */
static char *seen_by_gdb(const char *const *command)
{
    char *wanted = counted_format("ORACLE_NAMES="), *output = counted_format("%s/oracle.out", work);
    const char *words[32] = { "gdb", "-nx", "-batch", "-x", counted_source("tests/shim/oracle.py"), "--args" };
    size_t count = 6;
    for (size_t row = 0; row < LIBRARY_CALLS; row++)
        wanted = counted_format("%s %s", wanted, names[row]);
    for (size_t i = 0; command[i]; i++)
        words[count++] = command[i];
    remove(output);
    struct counted gdb = counted_run(SETUP(.native = true, .folder = counted_format("%s/files", work),
                                           .environment = ENVIRONMENT(wanted, counted_format("ORACLE_OUTPUT=%s", output))),
                                     words);
    counted_free(&gdb);
    return counted_read(output);
}

static void agrees(const char *const *command)
{
    struct counted run = counted_run(SETUP(.folder = counted_format("%s/files", work)), command);
    assert_exit(&run, 0);
    char *lines = seen_by_gdb(command), *end;
    if (!lines || !*lines) {
        counted_free(&run);
        skip();
    }
    int wrong = 0;
    for (char *line = strtok_r(lines, "\n", &end); line; line = strtok_r(NULL, "\n", &end)) {
        char *rest, *number = strtok_r(line, " ", &rest);
        uint64_t ours = 0, theirs = strtoull(number, NULL, 10);
        const char *first = rest;
        char *shown = strdup(first);
        for (char *name = strtok_r(NULL, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
            ours += counted_row(&run, name).calls;
        if (ours != theirs) {
            print_error("%s %s: %s: %lu, gdb saw %lu\n", command[0], command[1] ? command[1] : "", shown,
                        (unsigned long)ours, (unsigned long)theirs);
            wrong++;
        }
        free(shown);
    }
    free(lines);
    counted_free(&run);
    assert_int_equal(wrong, 0);
}

#define AGREES(name, ...)                                               \
    static void name(void **state)                                      \
    {                                                                   \
        (void)state;                                                    \
        agrees((const char *const[]){ __VA_ARGS__, NULL });             \
    }
AGREES(ls_l_agrees, "ls", "-l")
AGREES(ls_1_agrees, "ls", "-1")
AGREES(ls_agrees, "ls")
AGREES(find_agrees, "find", "/etc/apt", "-size", "+1")
AGREES(du_agrees, "du", "-a", "/etc/apt")
AGREES(tar_agrees, "tar", "cf", "/dev/null", ".")
AGREES(git_status_agrees, "git", "--no-optional-locks", "-C", "../repository", "status", "--porcelain")
AGREES(python_agrees, "/usr/bin/python3", "-c", "import os; os.listdir('.')")
AGREES(perl_agrees, "perl", "-e", "opendir D, '.'; print readdir D; stat for 1..7")
AGREES(sort_agrees, "sort", "/etc/passwd")

static void a_listing_of_twenty_files_reads_them_all(void **state)
{
    (void)state;
    static const char *const words[] = { "ls", "-l", NULL };
    struct counted run = counted_run(SETUP(.folder = counted_format("%s/files", work)), words);
    assert_calls(&run, "readdir", 23);  /* 20 files, "." and "..", the end */
    assert_errors(&run, "readdir", 0);
    counted_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_listing_of_twenty_files_reads_them_all), cmocka_unit_test(ls_l_agrees),
        cmocka_unit_test(ls_1_agrees),                         cmocka_unit_test(ls_agrees),
        cmocka_unit_test(find_agrees),                         cmocka_unit_test(du_agrees),
        cmocka_unit_test(tar_agrees),                          cmocka_unit_test(git_status_agrees),
        cmocka_unit_test(python_agrees),                       cmocka_unit_test(perl_agrees),
        cmocka_unit_test(sort_agrees),
    };
    work = counted_folder();
    if (system(counted_format("cd %s && mkdir files && touch $(seq -f files/sample.%%g 20) && git init -q repository && "
                              "cp -r files repository && git -C repository add -A", work)) != 0)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    counted_remove(work);
    return failed;
}
