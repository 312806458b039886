/* The table of counters under many threads: nothing is lost and nothing is torn. Built with ThreadSanitizer, too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "shim/counters.h"
#include "shim/dispatch/rows.h"
#include "shim/wrap/real.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 24, ROUNDS = 50021, ROW = CALL_lstat, NUMBER = 39, UNKNOWN = 7000, NOTES = 7 };

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
            counters_add(&mine()->library[ROW].errors);
        rows_call(NUMBER);
        rows_call((long)(UNKNOWN + (self + i) % COUNTERS_OTHERS));
        counters_took(ROW, false, 1 + (self * ROUNDS + i) % 1009);
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
        uint64_t now = counters_sum(table, ROW, false).calls;
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
        unknown += counters_sum(counters_table, COUNTERS_NUMBERS + i, true).calls;
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
        cmocka_unit_test(notes_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
