/* The errors of a row, by errno, and the names of errnos. */
#include "errnos.h"

#include "text.h"

/* From the kernel's headers. */
static const char *const names[] = {
#include "errnos_names.h"
};

const char *errnos_name(uint32_t number, char name[ERRNOS_NAME])
{
    struct text text = { name, name, name + ERRNOS_NAME - 1 };
    if (!number)
        return "other";
    if (number < sizeof names / sizeof *names && names[number])
        return names[number];
    text_put(&text, "errno_");
    text_number(&text, number, 0);
    return text_end(&text);
}

/* Keep the order: most first, then by number. */
static void insert(struct errnos *errnos, uint32_t number, uint64_t calls)
{
    size_t at = 0;
    while (at < errnos->count && errnos->each[at].number != number)
        at++;
    if (at == errnos->count)
        errnos->count++;
    else
        calls += errnos->each[at].calls;  /* of another section */
    for (; at; at--) {
        uint64_t before = errnos->each[at - 1].calls;
        if (before > calls || (before == calls && errnos->each[at - 1].number < number))
            break;
        errnos->each[at] = errnos->each[at - 1];
    }
    errnos->each[at].number = number;
    errnos->each[at].calls = calls;
}

void errnos_read(struct errnos *errnos, const struct counters_table *table, size_t row, uint64_t errors)
{
    uint64_t unknown = errors;
    errnos->count = 0;
    for (size_t i = 0; errors && i < counters_tallies(table->flags); i++) {
        const struct counters_tally *tally = counters_tally_places(table) + i;
        uint64_t key = atomic_load_explicit(&tally->key, memory_order_relaxed);
        uint64_t calls = atomic_load_explicit(&tally->sum, memory_order_relaxed);
        if (counters_key_kind(key) != COUNTERS_ERRNO || counters_key_row(key) != row || !counters_key_value(key))
            continue;
        calls = calls < unknown ? calls : unknown;  /* a call may be between counting its error and naming it */
        if (calls && errnos->count < ERRNOS_MOST - 1) {
            insert(errnos, counters_key_value(key), calls);
            unknown -= calls;
        }
    }
    if (unknown) {
        errnos->each[errnos->count].number = 0;
        errnos->each[errnos->count++].calls = unknown;
    }
}
