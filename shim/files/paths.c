/* Paths in the table, each with a place for what was asked for by it: a hash table that many processes, threads and signal
 * handlers fill at once without a lock. A path is written first and then published with one exchange; who comes second
 * with the same path finds the first. No buffer is used: paths are read where they are, with the folder before them. */
#include "files/paths.h"

#include "counters.h"

#include <linux/limits.h>
#include <stddef.h>

#define HASH_BEGIN UINT64_C(0xcbf29ce484222325)    /* FNV-1a */
#define HASH_PRIME UINT64_C(0x100000001b3)

/* The bytes of an absolute path one after the other: those of its folder, then "/part" for each part. */
struct walk {
    const char *folder;
    size_t left;               /* of the folder */
    const char *at;
    bool inside;               /* of a part */
};

/* The next byte, or -1 behind the last. */
static inline int walk_next(struct walk *walk)
{
    if (walk->left) {
        walk->left--;
        return (unsigned char)*walk->folder++;
    }
    if (walk->inside && *walk->at && *walk->at != '/')
        return (unsigned char)*walk->at++;
    const char *at = walk->at;
    while (*at == '/' || (*at == '.' && (at[1] == '/' || !at[1])))
        at++;
    walk->at = at;
    walk->inside = *at;
    return *at ? '/' : -1;
}

static bool same(const struct counters_path *path, uint64_t hash, size_t length, struct walk walk)
{
    if (path->hash != hash || path->length != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (walk_next(&walk) != (unsigned char)path->text[i])
            return false;
    return true;
}

/* Write a path where nobody else writes. Its word, 0: there is no room. */
static uint64_t put(uint64_t hash, size_t length, struct walk walk)
{
    struct counters_table *table = counters_table;
    size_t size = (offsetof(struct counters_path, text) + length + 7) & ~(size_t)7;
    if (atomic_load_explicit(&table->paths_used, memory_order_relaxed) + size > COUNTERS_PATHS)
        return 0;
    uint64_t place = atomic_fetch_add_explicit(&table->paths_used, size, memory_order_relaxed);
    if (place + size > COUNTERS_PATHS)
        return 0;
    struct counters_path *path =
        (struct counters_path *)((char *)counters_part(table, COUNTERS_PART_PATHS) + place);
    path->hash = hash;
    path->length = (uint32_t)length;
    for (size_t i = 0; i < length; i++)
        path->text[i] = (char)walk_next(&walk);
    return hash >> 32 << 32 | (place / 8 + 1);
}

static uint32_t find(uint64_t hash, size_t length, const struct walk *walk)
{
    struct counters_table *table = counters_table;
    uint64_t word = 0;
    for (size_t i = 0; i < COUNTERS_PROBES; i++) {
        uint32_t number = COUNTERS_FILE_FIRST + (uint32_t)((hash + i) % (COUNTERS_FILES - COUNTERS_FILE_FIRST));
        struct counters_file *file = counters_file(table, number);
        uint64_t old = atomic_load_explicit(&file->path, memory_order_acquire);
        if (!old) {
            word = word ? word : put(hash, length, *walk);
            if (!word)
                return COUNTERS_FILE_OTHER;
            if (atomic_compare_exchange_strong(&file->path, &old, word))
                return number;
        }
        const struct counters_path *path = old >> 32 == hash >> 32 ? counters_path(table, old) : NULL;
        if (path && same(path, hash, length, *walk))
            return number;
    }
    return COUNTERS_FILE_OTHER;
}

uint32_t paths_find(uint32_t folder, const char *path)
{
    struct walk begin = { .at = path };
    uint64_t hash = HASH_BEGIN;
    if (*path != '/') {
        uint64_t word = folder < COUNTERS_FILES ? counters_file(counters_table, folder)->path : 0;
        const struct counters_path *known = word ? counters_path(counters_table, word) : NULL;
        if (!known)
            return COUNTERS_FILE_OTHER;
        begin.folder = known->text;
        begin.left = known->length;
        hash = known->hash;
    }

    struct walk walk = begin;
    size_t length = walk.left;
    walk.left = 0;
    for (int byte; (byte = walk_next(&walk)) >= 0; length++)
        hash = (hash ^ (uint64_t)byte) * HASH_PRIME;
    return length < PATH_MAX ? find(hash, length, &begin) : COUNTERS_FILE_OTHER;
}
