/* Patching a site so that its moved instructions run near it and lead back, without any stub. */
#ifndef TESTS_MOVED_H
#define TESTS_MOVED_H

#include "shim/dispatch/arch/x86_64/decode.h"
#include "shim/dispatch/code/patch.h"

#include <string.h>
#include <sys/mman.h>

static inline bool proves(const uint8_t *back, struct site *site)
{
    return prove_site((uintptr_t)back, site);
}

/* A page near the sites, as a jump of 32 bits needs it. */
static inline uint8_t *near_page(const void *site)
{
    uintptr_t page = (uintptr_t)site & -4096ul;
    for (uintptr_t offset = 1 << 20; offset < 1u << 30; offset += 1 << 20) {
        void *memory = mmap((void *)(page + offset), 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (memory != MAP_FAILED)
            return memory;
    }
    fail_msg("no page near %p", site);
    return NULL;
}

/* Patch a site so that its moved instructions run on a page nearby and lead back to its `syscall`. */
static inline bool patch(const struct site *site, uint8_t **room, const uint8_t *end)
{
    uint8_t *start = *room, *next = patch_move(site, start, end);
    if (!next)
        return false;
    int32_t distance = (int32_t)(site->call - (next + 5));
    *next = 0xe9;
    memcpy(next + 1, &distance, 4);
    *room = next + 5;
    return patch_jump(site, (uintptr_t)start, false);
}

#endif
