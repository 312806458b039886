/* The table of this process: where its threads add. */
#include "counters.h"

struct counters_table *counters_table;
_Thread_local struct counters_shard *counters_mine;
_Thread_local uint64_t counters_waited;
bool counters_timed;
uint32_t counters_asked;
struct counters_shard *counters_own;

/* What is counted before there is a table: another library's constructor may call us before ours ran. Afterwards,
 * and for good where counting is off, a place where nobody looks. */
static struct counters_shard aside;
enum { ASIDE_TALLIES = 64 };
static struct counters_tally aside_tally[ASIDE_TALLIES];

/* Add to the place of a key, taking one where it has none yet. False: there is none to take. */
static bool tally_add(struct counters_tally *places, size_t count, uint64_t key, uint64_t amount)
{
    size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    for (size_t i = 0; i < COUNTERS_PROBES; i++) {
        struct counters_tally *place = &places[(at + i) % count];
        uint64_t old = atomic_load_explicit(&place->key, memory_order_relaxed);
        if (old == key || (!old && (atomic_compare_exchange_strong(&place->key, &old, key) || old == key))) {
            atomic_fetch_add_explicit(&place->sum, amount, memory_order_relaxed);
            return true;
        }
    }
    return false;
}

/* Shards of the table stand one behind the other, those of sections last. */
static uint64_t key_of(enum counters_kind kind, const struct counter *row, uint32_t value)
{
    bool before = row >= aside.library && row < aside.system + SYSTEM_CALLS;
    size_t at = (uintptr_t)row - (uintptr_t)(before ? &aside : counters_table->shard);
    size_t shard = at / sizeof(struct counters_shard), number = at % sizeof(struct counters_shard) / sizeof *row;
    return counters_key(kind, shard < COUNTERS_SHARDS ? 0 : shard - COUNTERS_SHARDS + 1, number, value);
}

void counters_tally(enum counters_kind kind, const struct counter *row, uint32_t value, uint64_t amount)
{
    struct counters_table *table = counters_table;
    size_t count = table ? counters_tallies(table->flags) : ASIDE_TALLIES;
    struct counters_tally *places = table ? counters_tally_places(table) : aside_tally;
    if (!tally_add(places, count, key_of(kind, row, value), amount) && table)
        counters_add(&table->tallies_lost);
}

void counters_failed(struct counter *row, int number)
{
    counters_add(&row->errors);
    counters_tally(COUNTERS_ERRNO, row, number > 0 ? (uint32_t)number : 0, 1);
}

struct counters_shard *counters_claim(void)
{
    struct counters_table *table = counters_table;
    if (!table)
        return &aside;
    if (counters_own)
        return counters_mine = counters_own;
    unsigned number = atomic_fetch_add_explicit(&table->threads, 1, memory_order_relaxed);
    counters_mine = &table->shard[number % COUNTERS_SHARDS];
    return counters_mine;
}

void counters_begin(struct counters_table *table)
{
    counters_table = table;
    counters_timed = table->flags & COUNTERS_TIME;
    counters_asked = table->flags & (COUNTERS_TIME | COUNTERS_BYTES | COUNTERS_CALLERS | COUNTERS_PER_FILE);
    struct counters_shard *mine = counters_claim();
    for (size_t i = 0; i < LIBRARY_CALLS; i++) {
        if (!aside.library[i].calls)
            continue;
        atomic_fetch_add_explicit(&mine->library[i].calls, aside.library[i].calls, memory_order_relaxed);
        atomic_fetch_add_explicit(&mine->library[i].errors, aside.library[i].errors, memory_order_relaxed);
    }
    for (size_t i = 0; i < ASIDE_TALLIES; i++)
        if (aside_tally[i].key)
            tally_add(counters_tally_places(table), counters_tallies(table->flags), aside_tally[i].key,
                      aside_tally[i].sum);
}

struct counter counters_sum(const struct counters_table *table, size_t row, bool system)
{
    struct counter sum = { 0, 0 };
    for (size_t i = 0; i < counters_shards(table); i++) {
        const struct counter *counter = system ? &table->shard[i].system[row] : &table->shard[i].library[row];
        sum.calls += atomic_load_explicit(&counter->calls, memory_order_relaxed);
        sum.errors += atomic_load_explicit(&counter->errors, memory_order_relaxed);
    }
    for (size_t i = 0; counters_section_used(table, i); i++) {
        const struct counters_shard *shard = counters_section_shard(table, i);
        const struct counter *counter = system ? &shard->system[row] : &shard->library[row];
        sum.calls += atomic_load_explicit(&counter->calls, memory_order_relaxed);
        sum.errors += atomic_load_explicit(&counter->errors, memory_order_relaxed);
    }
    return sum;
}

static bool same_text(const char *note, const char *text)
{
    size_t i = 0;
    while (i < COUNTERS_NOTE_SIZE - 1 && text[i] && text[i] == note[i])
        i++;
    return i == COUNTERS_NOTE_SIZE - 1 || text[i] == note[i];
}

/* A note that is there already is only counted once more. */
void counters_note(const char *text)
{
    struct counters_table *table = counters_table;
    if (!table)
        return;
    uint32_t used = atomic_load(&table->notes_used);
    for (uint32_t i = 0; i < used && i < COUNTERS_NOTES; i++) {
        struct counters_note *note = &table->notes[i];
        if (atomic_load(&note->state) == 2 && same_text(note->text, text)) {
            atomic_fetch_add(&note->times, 1);
            return;
        }
    }
    uint32_t place = atomic_fetch_add(&table->notes_used, 1);
    if (place >= COUNTERS_NOTES) {
        atomic_fetch_add(&table->notes_lost, 1);
        return;
    }
    struct counters_note *note = &table->notes[place];
    for (size_t k = 0; k < COUNTERS_NOTE_SIZE - 1 && text[k]; k++)
        note->text[k] = text[k];
    atomic_store(&note->times, 1);
    atomic_store(&note->state, 2);
}

void counters_say(const char *text)
{
    struct counters_table *table = counters_table;
    if (table && (table->flags & (COUNTERS_WHOLE | COUNTERS_CALLS)) != COUNTERS_WHOLE)
        counters_note(text);
}

static _Atomic uint64_t *time_slot(struct counter_times *times, uint64_t ns)
{
    uint64_t old = atomic_load_explicit(&times->minimum, memory_order_relaxed);
    while ((!old || ns + 1 < old) && !atomic_compare_exchange_weak(&times->minimum, &old, ns + 1)) {
    }
    old = atomic_load_explicit(&times->maximum, memory_order_relaxed);
    while (ns > old && !atomic_compare_exchange_weak(&times->maximum, &old, ns)) {
    }
    atomic_fetch_add_explicit(&times->total, ns, memory_order_relaxed);
    return &times->bins[counters_bin(ns)];
}

void counters_took(size_t row, bool system, uint64_t ns, uint64_t waited)
{
    struct counters_times *times = counters_times(counters_table);
    struct counter_times *mine = system ? &times->system[row] : &times->library[row];
    atomic_fetch_add_explicit(time_slot(mine, ns), 1, memory_order_relaxed);
    if (waited)
        atomic_fetch_add_explicit(&mine->waited, waited, memory_order_relaxed);
}
