/* Names of calls, and the lines about what a table does not hold. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "shim/table/names.h"
#include "shim/table/reasons.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

static void named(const char *architecture, int64_t number, const char *expected, const char *family)
{
    char name[NAMES_SIZE];
    assert_string_equal(names_system(architecture, number, name), family);
    assert_string_equal(name, expected);
}

static void system_calls_have_the_names_of_the_kernel(void **state)
{
    (void)state;
    named("", SYS_getppid, "getppid", "process");
    named("", SYS_openat, "openat", "open");
    named("", SYS_statx, "statx", "lstat");
    named("", 511, "syscall_511", "other");
#ifdef __x86_64__
    named("i386:", 20, "i386:getpid", "process");
    named("i386:", 100000, "i386:syscall_100000", "other");
#endif
    named("arm:", 7, "arm:syscall_7", "other");
}

/* The kernel takes the number for an int, whatever stands above it in the register. */
static void an_unknown_number_has_one_spelling(void **state)
{
    (void)state;
    named("", -1, "syscall_-1", "other");
    named("", 4294967295, "syscall_-1", "other");
    named("", INT64_C(0x7fffffffffffffff), "syscall_-1", "other");
    named("", INT32_MIN, "syscall_-2147483648", "other");
    named("", 100000, "syscall_100000", "other");
    named("", (INT64_C(5) << 32) + SYS_getppid, "getppid", "process");
    named("averyverylongarchitecturenamethatislong:", -2147483648, "averyverylongarchitecturenamethatislong", "other");
}

static void library_calls_have_theirs(void **state)
{
    (void)state;
    char name[NAMES_SIZE];
    assert_string_equal(names_call(CALL_lgetxattr, name), "getxattr");
    assert_string_equal(name, "lgetxattr");
    assert_string_equal(names_family(CALL_fopen), "open");
}

static struct counters_table *new_table(uint32_t flags)
{
    size_t size = (counters_size(flags) + 4095) / 4096 * 4096;
    struct counters_table *table = aligned_alloc(4096, size);
    memset(table, 0, size);
    counters_initialise(table, flags, 1);
    table->processes = 1;
    return table;
}

static void a_row_is_named_by_the_number_that_took_it(void **state)
{
    (void)state;
    struct counters_table *table = new_table(0);
    char name[NAMES_SIZE];
    table->other[0] = 1 + INT64_C(4294967295);
    table->other[1] = 1 + ((int64_t)COUNTERS_I386 << 32 | 4);
    assert_string_equal(names_row(table, SYS_getppid, name), "process");
    assert_string_equal(name, "getppid");
    names_row(table, COUNTERS_NUMBERS, name);
    assert_string_equal(name, "syscall_-1");
#ifdef __x86_64__
    assert_string_equal(names_row(table, COUNTERS_NUMBERS + 1, name), "write");
    assert_string_equal(name, "i386:write");
#endif
    free(table);
}

/* All lines of a table, each with a line feed behind it. */
static const char *lines(const struct counters_table *table)
{
    static char room[4096];
    struct text text = TEXT_IN(room);
    for (size_t n = 0; reasons_line(&text, table, n); n++)
        text_char(&text, '\n');
    return text_end(&text);
}

static void note(struct counters_table *table, const char *text, uint32_t times)
{
    struct counters_note *note = &table->notes[table->notes_used++];
    memcpy(note->text, text, strnlen(text, COUNTERS_NOTE_SIZE));
    note->times = times;
    note->state = 2;
}

static void each_thing_that_is_missing_has_its_line(void **state)
{
    (void)state;
    struct counters_table *table = new_table(COUNTERS_CALLS | COUNTERS_SYSCALLS);
    table->dispatch = DISPATCH_ARMED;
    assert_string_equal(lines(table), "");
    note(table, "/bin/a: statically linked", 1);
    note(table, "/bin/b: statically linked", 3);
    table->notes[table->notes_used++].state = 1;   /* being written, or its writer was killed */
    table->notes_lost = 2;
    table->lost = 7;
    assert_string_equal(lines(table), "/bin/a: statically linked\n/bin/b: statically linked (3 times)\n"
                                      "2 more such notes found no place\n7 system calls with unknown numbers found no row\n");
    table->dispatch |= DISPATCH_REFUSED;
    assert_non_null(strstr(lines(table), "system calls of some processes: a sysctl or a seccomp filter refuses"));
    free(table);
}

static void a_note_that_fills_its_place_is_not_read_beyond(void **state)
{
    (void)state;
    struct counters_table *table = new_table(COUNTERS_CALLS);
    char long_note[COUNTERS_NOTE_SIZE + 1];
    memset(long_note, 'x', COUNTERS_NOTE_SIZE);
    long_note[COUNTERS_NOTE_SIZE] = '\0';
    note(table, long_note, 1);
    table->notes_used = UINT32_MAX;                /* rubbish */
    assert_int_equal(strlen(lines(table)), COUNTERS_NOTE_SIZE + 1);
    free(table);
}

static void each_reason_against_dispatch_is_a_sentence_of_its_own(void **state)
{
    (void)state;
    static const uint32_t bits[] = { 0, DISPATCH_NO_KERNEL, DISPATCH_REFUSED, DISPATCH_FILTER, DISPATCH_NO_EFFECT,
                                     DISPATCH_ARCHITECTURE, DISPATCH_NO_MEMORY };
    enum { BITS = sizeof bits / sizeof *bits };
    char *said[BITS];
    struct counters_table *table = new_table(COUNTERS_SYSCALLS);
    for (int i = 0; i < BITS; i++) {
        table->dispatch = bits[i];
        said[i] = strdup(lines(table));
        assert_int_equal(strncmp(said[i], "system calls: ", 14), 0);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(said[i], said[k]);
    }
    table->flags = COUNTERS_SYSCALLS | COUNTERS_WHOLE;     /* a supervisor counts them */
    assert_string_equal(lines(table), "");
    table->flags = COUNTERS_CALLS;                         /* nobody asked */
    assert_string_equal(lines(table), "");
    for (int i = 0; i < BITS; i++)
        free(said[i]);
    free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(system_calls_have_the_names_of_the_kernel),
        cmocka_unit_test(an_unknown_number_has_one_spelling),
        cmocka_unit_test(library_calls_have_theirs),
        cmocka_unit_test(a_row_is_named_by_the_number_that_took_it),
        cmocka_unit_test(each_thing_that_is_missing_has_its_line),
        cmocka_unit_test(a_note_that_fills_its_place_is_not_read_beyond),
        cmocka_unit_test(each_reason_against_dispatch_is_a_sentence_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
