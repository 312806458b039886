/* How a wrapper begins. */
#ifndef WRAP_WRAP_H
#define WRAP_WRAP_H

#include "counters.h"
#include "wrap/failed.h"
#include "wrap/real.h"

#include <time.h>

#define EXPORT __attribute__((visibility("default")))

/* Count a call of `name`; declares `row`, its counter, and `next`, its next definition. The call counts when it is
 * made: it may never return. */
#define WRAP(name)                                      \
    struct counter *row = counters_row(CALL_##name);    \
    counters_add(&row->calls);                          \
    __typeof__(&name) next = real_next(CALL_##name);    \
    __attribute__((cleanup(wrap_timed), unused)) struct wrap_time timed = wrap_time(CALL_##name);

/* The time from here to the end of the wrapper, where it is asked for. */
struct wrap_time {
    enum library_call call;
    uint64_t start;  /* CLOCK_MONOTONIC in nanoseconds; 0: not timed */
};

static inline uint64_t wrap_now(void)
{
    struct timespec now;
    __typeof__(&clock_gettime) clock = real_next(CALL_clock_gettime);
    clock(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline struct wrap_time wrap_time(enum library_call call)
{
    return (struct wrap_time){ call, __builtin_expect(counters_timed, 0) ? wrap_now() : 0 };
}

static inline void wrap_timed(const struct wrap_time *timed)
{
    if (__builtin_expect(timed->start != 0, 0))
        counters_took(timed->call, false, wrap_now() - timed->start);
}

/* Count the error of a function that returns -1 for one and sets errno. */
static inline int counted_result(struct counter *row, int result)
{
    if (__builtin_expect(result == -1, 0))
        counters_failed(row, errno);
    return result;
}

#endif
