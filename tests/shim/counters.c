/* The table of counters under many threads: nothing is lost and nothing is torn. Built with ThreadSanitizer, too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "shim/counters.h"
#include "shim/dispatch/rows.h"
#include "shim/table/errnos.h"
#include "shim/wrap/real.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 24, ROUNDS = 50021, ROW = CALL_lstat, NUMBER = 39, UNKNOWN = 7000, NOTES = 7,
       ERRNOS = 20 };

/* The clock of timed calls is the vDSO's; here it stands still. */
void *real_vdso(const char *name)
{
    (void)name;
    return NULL;
}

static void make_table(uint32_t flags)
{
    size_t size = counters_size(flags);
    struct counters_table *table = aligned_alloc(4096, (size + 4095) / 4096 * 4096);
    assert_non_null(table);
    memset(table, 0, size);
    counters_initialise(table, flags, 1);
    counters_begin(table);
}

static struct counters_shard *mine(void)
{
    return counters_mine ? counters_mine : counters_claim();
}

/* As wrappers and stubs do: calls, errors, times, numbers that no row was made for, and notes, the same of all threads. */
static void *work(void *number)
{
    uintptr_t self = (uintptr_t)number;
    if (self % 3)
        counters_mine = &counters_table->shard[0];  /* most in one shard: there they meet */
    for (unsigned i = 0; i < ROUNDS; i++) {
        counters_add(&mine()->library[ROW].calls);
        if (i % 7 == 0)
            counters_failed(&mine()->library[ROW], 1 + (int)((self + i) % ERRNOS));
        rows_call(NUMBER);
        rows_call((long)(UNKNOWN + (self + i) % COUNTERS_OTHERS));
        counters_took(ROW, false, 1 + (self * ROUNDS + i) % 1009, i % 3);
        if (i % 10000 == 0) {
            char text[] = "note 0";
            text[5] = (char)('0' + (self + i / 10000) % NOTES);
            counters_say(text);
        }
    }
    return NULL;
}

/* A reader sees sums that only grow. */
static bool ended;

static void *watch(void *table)
{
    uint64_t before = 0, fell = 0;
    while (!__atomic_load_n(&ended, __ATOMIC_RELAXED)) {
        struct counter sum = counters_sum(table, ROW, false);  /* clang reads no atomic member of a value */
        uint64_t now = sum.calls;
        fell += now < before;
        before = now;
    }
    return (void *)(uintptr_t)fell;
}

static void threads_lose_nothing(void **state)
{
    (void)state;
    make_table(COUNTERS_CALLS | COUNTERS_SYSCALLS | COUNTERS_TIME);
    pthread_t threads[THREADS], watcher;
    void *fell;
    assert_int_equal(pthread_create(&watcher, NULL, watch, counters_table), 0);
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, (void *)i), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    __atomic_store_n(&ended, true, __ATOMIC_RELAXED);
    pthread_join(watcher, &fell);
    assert_null(fell);

    struct counter library = counters_sum(counters_table, ROW, false), system = counters_sum(counters_table, NUMBER, true);
    assert_int_equal(library.calls, THREADS * ROUNDS);
    assert_int_equal(library.errors, THREADS * (ROUNDS / 7 + 1));
    assert_int_equal(system.calls, THREADS * ROUNDS);
    uint64_t unknown = 0, timed = 0;
    for (size_t i = 0; i < COUNTERS_OTHERS; i++) {
        struct counter sum = counters_sum(counters_table, COUNTERS_NUMBERS + i, true);
        unknown += sum.calls;
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(counters_table->other[i], counters_table->other[k]);
    }
    assert_int_equal(unknown, THREADS * ROUNDS);
    assert_int_equal(counters_table->lost, 0);
    const struct counter_times *times = &counters_times(counters_table)->library[ROW];
    for (int bin = 0; bin < COUNTERS_BINS; bin++)
        timed += times->bins[bin];
    assert_int_equal(timed, THREADS * ROUNDS);
    assert_int_equal(times->minimum, 1 + 1);
    assert_int_equal(times->maximum, 1009);
    assert_int_equal(times->waited, THREADS * (ROUNDS / 3 * 3 + (ROUNDS % 3 == 2)));
}

static uint64_t named(const struct errnos *errnos, uint32_t number)
{
    for (size_t i = 0; i < errnos->count; i++)
        if (errnos->each[i].number == number)
            return errnos->each[i].calls;
    return 0;
}

static void errors_are_told_apart(void **state)
{
    (void)state;
    struct errnos errnos;
    uint64_t expected[ERRNOS + 1] = { 0 };
    for (uintptr_t self = 0; self < THREADS; self++)
        for (unsigned i = 0; i < ROUNDS; i += 7)
            expected[1 + (self + i) % ERRNOS]++;
    errnos_read(&errnos, counters_table, ROW, THREADS * (ROUNDS / 7 + 1));
    assert_int_equal(errnos.count, ERRNOS);
    for (uint32_t i = 1; i <= ERRNOS; i++)
        assert_int_equal(named(&errnos, i), expected[i]);
    for (size_t i = 1; i < errnos.count; i++)
        assert_true(errnos.each[i - 1].calls >= errnos.each[i].calls);
    assert_int_equal(counters_table->tallies_lost, 0);
}

/* What finds no place in the table is an error all the same. */
static void errors_without_a_place_are_others(void **state)
{
    (void)state;
    struct errnos errnos;
    make_table(COUNTERS_CALLS);
    counters_mine = NULL;
    for (int i = 1; i <= 4 * COUNTERS_TALLIES; i++)
        counters_failed(&mine()->library[i % LIBRARY_CALLS], i);
    uint64_t errors = 0, others = 0;
    for (size_t row = 0; row < LIBRARY_CALLS; row++) {
        struct counter counter = counters_sum(counters_table, row, false);
        uint64_t sum = 0, failed = counter.errors;
        errnos_read(&errnos, counters_table, row, failed);
        for (size_t i = 0; i < errnos.count; i++)
            sum += errnos.each[i].calls;
        assert_int_equal(sum, failed);
        errors += failed;
        others += named(&errnos, 0);
    }
    assert_int_equal(errors, 4 * COUNTERS_TALLIES);
    assert_int_equal(others, counters_table->tallies_lost);
    assert_true(others >= 3 * COUNTERS_TALLIES);
}

/* Two threads that have the same to say at once may both take a place; what is said is whole, and its times add up. */
static void notes_are_whole(void **state)
{
    (void)state;
    uint32_t used = counters_table->notes_used, times = 0;
    assert_true(used >= NOTES);
    for (uint32_t i = 0; i < used && i < COUNTERS_NOTES; i++) {
        const struct counters_note *note = &counters_table->notes[i];
        assert_int_equal(note->state, 2);
        assert_int_equal(strlen(note->text), strlen("note 0"));
        assert_memory_equal(note->text, "note ", 5);
        times += note->times;
    }
    assert_int_equal(times + counters_table->notes_lost, THREADS * (ROUNDS / 10000 + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_lose_nothing),
        cmocka_unit_test(errors_are_told_apart),
        cmocka_unit_test(notes_are_whole),
        cmocka_unit_test(errors_without_a_place_are_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
