/* How a wrapper begins. */
#ifndef WRAP_WRAP_H
#define WRAP_WRAP_H

#include "counters.h"
#include "table/waits.h"
#include "wrap/callers.h"
#include "wrap/failed.h"
#include "wrap/real.h"

#include <time.h>

#define EXPORT __attribute__((visibility("default")))

/* What the entry of that name (exports.S) jumps to. */
#define WRAPPED(name) wrapped_##name

/* Count a call of `name`; declares `row`, its counter, and `next`, its next definition. The call counts when it is
 * made: it may never return. */
#define WRAP(name)                                      \
    struct counter *row = counters_row(CALL_##name);    \
    counters_add(&row->calls);                          \
    __typeof__(&WRAPPED(name)) next = real_next(CALL_##name); \
    __attribute__((cleanup(wrap_timed), unused)) struct wrap_time timed = wrap_begin(CALL_##name);

/* What is asked for besides counting: the time from here to the end of the wrapper, and who called. */
struct wrap_time {
    enum library_call call;
    uint64_t start;  /* CLOCK_MONOTONIC in nanoseconds; 0: nothing is asked for, UNTIMED: something else */
    uint64_t waited; /* counters_waited at that time */
};

static inline uint64_t wrap_now(void)
{
    struct timespec now;
    __typeof__(&clock_gettime) clock = real_next(CALL_clock_gettime);
    clock(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

enum { UNTIMED = 1 };

static __attribute__((cold, noinline, unused)) uint64_t wrap_asked(enum library_call call, const void *caller)
{
    if (counters_asked & COUNTERS_CALLERS)
        callers_count(call, caller);
    return counters_timed ? wrap_now() : UNTIMED;
}

/* In the wrapper itself: the caller is where that returns to. */
#define wrap_begin(call) \
    { call, __builtin_expect(counters_asked != 0, 0) ? wrap_asked(call, __builtin_return_address(0)) : 0, \
      __builtin_expect(counters_asked != 0, 0) ? counters_waited : 0 }

/* What waited in it is known where its system calls are counted, too. By value: in registers it costs others nothing. */
static __attribute__((cold, noinline, unused)) void wrap_took(enum library_call call, uint64_t start, uint64_t before)
{
    uint64_t ns = wrap_now() - start, waited = counters_waited - before;
    counters_took(call, false, ns, waits_library(call) || waited > ns ? ns : waited);
}

static inline void wrap_timed(const struct wrap_time *timed)
{
    if (__builtin_expect(timed->start > UNTIMED, 0))
        wrap_took(timed->call, timed->start, timed->waited);
}

/* Add the result of a function whose results are numbers of bytes. */
static inline void wrap_bytes(struct counter *row, long result)
{
    if (counters_asked & COUNTERS_BYTES && result > 0)
        counters_tally(COUNTERS_CARRIED, row, 0, (uint64_t)result);
}
#define CARRIES(type) (!__builtin_strcmp(type, "ssize_t") || !__builtin_strcmp(type, "__ssize_t"))

/* Count the error of a function that returns -1 for one and sets errno. */
static inline int counted_result(struct counter *row, int result)
{
    if (__builtin_expect(result == -1, 0))
        counters_failed(row, errno);
    return result;
}

#endif
