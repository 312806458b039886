/* Islands: a jump of five bytes reaches 2 GiB. Where a site is farther from the stubs than that (the program itself
 * is, mostly), its moved instructions stand on a page near the site, and a jump by way of memory leads on. */
#include "dispatch/code/island.h"

#include "table/kernel.h"

#include <sys/mman.h>

enum { ISLANDS = 32, PAGE = 4096, STEP = 1 << 20, TRIES = 64 };

static struct island {
    uintptr_t start;
    size_t used;
} islands[ISLANDS];
static unsigned island_count;

bool island_reaches(uintptr_t from, uintptr_t to)
{
    int64_t distance = (int64_t)(to - from);
    return distance > -(INT64_C(1) << 31) + PAGE && distance < (INT64_C(1) << 31) - PAGE;
}

static uintptr_t map_at(uintptr_t hint)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | (hint ? MAP_FIXED_NOREPLACE : 0);
    long memory = kernel_call(SYS_mmap, hint, PAGE, PROT_READ | PROT_EXEC, flags, -1, 0);
    return kernel_failed(memory) ? 0 : (uintptr_t)memory;
}

/* A free page within reach: where the kernel puts mappings anyway, or below or above the site. */
static uintptr_t map_near(uintptr_t site)
{
    for (int i = 0; i < 2 * TRIES; i++) {
        uintptr_t offset = (uintptr_t)(i / 2 + 1) * STEP;
        uintptr_t hint = i == 0 ? 0 : (site & -(uintptr_t)PAGE) + (i % 2 ? -offset : offset);
        uintptr_t page = map_at(hint);
        if (page && island_reaches(site, page))
            return page;
        if (page)
            kernel_call(SYS_munmap, page, PAGE);
    }
    return 0;
}

uint8_t *island_room(uintptr_t site, size_t bytes)
{
    for (unsigned i = 0; i < island_count; i++)
        if (islands[i].used + bytes <= PAGE && island_reaches(site, islands[i].start))
            return (uint8_t *)islands[i].start + islands[i].used;
    uintptr_t page = island_count < ISLANDS ? map_near(site) : 0;
    if (!page)
        return NULL;
    islands[island_count++] = (struct island){ page, 0 };
    return (uint8_t *)page;
}

void island_use(const uint8_t *room, size_t bytes)
{
    for (unsigned i = 0; i < island_count; i++)
        if ((uintptr_t)room - islands[i].start < PAGE)
            islands[i].used += (bytes + 15) & -(size_t)16;
}

bool island_holds(uintptr_t address)
{
    for (unsigned i = 0; i < island_count; i++)
        if (address - islands[i].start < PAGE)
            return true;
    return false;
}

void island_repair(void)
{
    for (unsigned i = 0; i < island_count; i++)
        kernel_call(SYS_mprotect, islands[i].start, PAGE, PROT_READ | PROT_EXEC);
}
