/* Where this process adds: the table that it was given, and the shard of each thread. */
#ifndef SHIM_COUNTERS_H
#define SHIM_COUNTERS_H

#include "table/counters.h"

extern struct counters_table *counters_table;                /* NULL: not begun, or counting is off */
extern _Thread_local struct counters_shard *counters_mine;   /* this thread's shard, NULL until it counts */
extern _Thread_local uint64_t counters_waited;               /* how long this thread's system calls have waited, in ns */
extern bool counters_timed;
extern uint32_t counters_asked;                              /* of the flags, what wrappers have to do besides counting */
extern struct counters_shard *counters_own;                  /* of this process's section; NULL: it has none */
struct counters_shard *counters_claim(void);
void counters_begin(struct counters_table *table);
struct counter counters_sum(const struct counters_table *table, size_t row, bool system);
void counters_say(const char *text);                         /* a line under "uncounted", unless a supervisor sees it */
void counters_note(const char *text);                        /* the same, in any case */
/* Count an error of a row, by its errno; 0: by none that is known. */
void counters_failed(struct counter *row, int number) __attribute__((cold));
void counters_tally(enum counters_kind kind, const struct counter *row, uint32_t value, uint64_t amount);
/* How long a call has taken, and how much of it waited; only where counters_timed. */
void counters_took(size_t row, bool system, uint64_t ns, uint64_t waited);

static inline struct counter *counters_row(enum library_call call)
{
    struct counters_shard *mine = counters_mine;
    return &(__builtin_expect(mine != NULL, 1) ? mine : counters_claim())->library[call];
}

static inline void counters_add(_Atomic uint64_t *counter)
{
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

#endif
