/* A cap on the memory of GMP and MPFR: their allocation functions cannot fail, so ours end the program
 * in good order. */
#include "memory.h"

#include "common/errors.h"
#include "common/memory.h"

#include <gmp.h>
#include <limits.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

/* Long numbers come and go: a heap that keeps their pages saves a fifth of the time of a million digits. */
#define MAPPED_BYTES (32 << 20)  /* the most that mallopt takes */

static size_t limit, used;

static void *reallocate(void *old, size_t old_size, size_t size)
{
    used -= old_size;
    if (size > limit || used > limit - size) {
        errors_say("rump: this needs more than %zu MiB of memory", limit >> 20);
        exit(EXIT_USAGE);
    }
    used += size;
    return memory_realloc(old, size, 1);
}

static void *allocate(size_t size)
{
    return reallocate(NULL, 0, size);
}

static void release(void *old, size_t size)
{
    used -= size;
    free(old);
}

void memory_limit(size_t bytes)
{
    limit = bytes;
    mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mp_set_memory_functions(allocate, reallocate, release);
}

size_t memory_half(void)
{
    return (size_t)sysconf(_SC_PHYS_PAGES) / 2 * (size_t)sysconf(_SC_PAGESIZE);
}
