/* Where calls of an exported name go: a name is no identity. A library that a program is linked to may have a function
 * of its own called like one of libc's, with other arguments. */
#include "wrap/entries.h"

#include "counters.h"
#include "wrap/real.h"

extern _Atomic(void *) entries_targets[LIBRARY_CALLS] __attribute__((visibility("hidden")));
extern void *const entries_wrappers[LIBRARY_CALLS] __attribute__((visibility("hidden")));
void *entries_find(enum library_call call) __attribute__((visibility("hidden")));

void *entries_find(enum library_call call)
{
    void *foreign = real_foreign(call), *target = foreign ? foreign : entries_wrappers[call];
    atomic_store_explicit(&entries_targets[call], target, memory_order_relaxed);
    return target;
}

void entries_fill(void)
{
    for (size_t call = 0; call < LIBRARY_CALLS; call++) {
        real_next((enum library_call)call);
        entries_find((enum library_call)call);
    }
}
