/* System calls in the table of a counted run, and fixtures that have a name for each thing they do. */
#ifndef TESTS_SYSTEM_H
#define TESTS_SYSTEM_H

#include "counted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

struct row {
    uint64_t calls, errors;
};

/* Calls and errors of a row: of a number below COUNTERS_NUMBERS, or of the row that another number has taken. */
static inline struct row system_row(const struct counted *run, int64_t number)
{
    struct row sum = { 0, 0 };
    size_t row = (size_t)number;
    if (number < 0 || number >= COUNTERS_NUMBERS) {
        for (row = COUNTERS_NUMBERS; row < SYSTEM_CALLS; row++)
            if (run->table->other[row - COUNTERS_NUMBERS] == (int64_t)(uint32_t)number + 1)
                break;
        if (row == SYSTEM_CALLS)
            return sum;
    }
    for (size_t shard = 0; shard < COUNTERS_SHARDS; shard++) {
        sum.calls += run->table->shard[shard].system[row].calls;
        sum.errors += run->table->shard[shard].system[row].errors;
    }
    return sum;
}

static inline void assert_system_at(const struct counted *run, int64_t number, uint64_t calls, uint64_t errors,
                                    const char *file, int line)
{
    struct row row = system_row(run, number);
    if (row.calls == calls && row.errors == errors)
        return;
    print_error("system call %ld: %lu calls, %lu errors; expected %lu, %lu\n%s", (long)number, (unsigned long)row.calls,
                (unsigned long)row.errors, (unsigned long)calls, (unsigned long)errors, run->errors);
    _fail(file, line);
}
#define assert_system(run, number, calls, errors) assert_system_at(run, number, calls, errors, __FILE__, __LINE__)

/* Calls of getppid in ask(n) of the fixtures: n at a patched site, n at that of syscall(), n at one that cannot be. */
#define ASKED(n) (3 * (n))

/* Run a fixture under the library, and without it where `native`: it gives the same and succeeds, unless it has to
 * die of `signal`, and makes that many calls of getppid. */
static inline struct counted check_way(const char *fixture, const char *way, uint64_t asked, int signal, bool native)
{
    static const struct counted_setup setup = { .flags = COUNTERS_CALLS | COUNTERS_SYSCALLS };
    const char *const command[] = { fixture, way, NULL };
    if (native)
        counted_assert_native(&setup, command, way, 0);
    struct counted run = counted_run(&setup, command);
    if (signal)
        counted_assert_signal(&run, signal, way, 0);
    else
        counted_assert_exit(&run, 0, way, 0);
    assert_system_at(&run, SYS_getppid, asked, 0, way, 0);
    assert_true(run.table->dispatch & DISPATCH_ARMED);
    return run;
}

#endif
