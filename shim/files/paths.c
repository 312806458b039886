/* Paths in the table, each with a place for what was asked for by it: a hash table that many processes, threads and signal
 * handlers fill at once without a lock. A path is written first and then published with one exchange; who comes second
 * with the same path finds the first. No buffer is used: paths are read where they are, with the folder before them. */
#include "files/paths.h"

#include "counters.h"
#include "table/file.h"

#include <linux/limits.h>
#include <stddef.h>

enum { HASH_BEGIN = 0x811c9dc5, HASH_PRIME = 0x01000193 };    /* FNV-1a */
enum { BEGINNING = 256 << 10 };

static _Atomic uint32_t *places;     /* of the numbers */
static char *files;

/* A path that is looked for: that of a folder, 0 for none, and then "/part" for each part. */
struct wanted {
    uint32_t folder, hash;
    size_t before, length;           /* of the folder, of all */
    const char *path;
};

void paths_begin(struct counters_table *table)
{
    if (!(table->flags & COUNTERS_PER_FILE))
        return;
    places = counters_part(table, COUNTERS_PART_FILES);
    files = counters_part(table, COUNTERS_PART_PATHS);
    size_t ready = atomic_load(&table->paths_ready);
    file_populate(places, COUNTERS_FILES * sizeof *places + (ready < BEGINNING ? ready : BEGINNING));
}

struct counters_file *paths_file(uint32_t number)
{
    return (struct counters_file *)(files + (size_t)number * 8);
}

/* Where the next part begins: behind slashes and dots. */
static inline const char *part(const char *at)
{
    while (*at == '/' || (*at == '.' && (at[1] == '/' || !at[1])))
        at++;
    return at;
}

static inline bool inside(char byte)
{
    return byte && byte != '/';
}

static inline uint32_t hashed(uint32_t hash, char byte)
{
    return (hash ^ (unsigned char)byte) * HASH_PRIME;
}

/* The byte of a file's path that stands there. Folders came earlier: whatever stands in the table, this ends. */
static inline char byte_at(const struct counters_file *file, size_t at)
{
    while (at < (size_t)(file->length - file->own)) {
        const struct counters_file *folder = counters_file(files, file->folder);
        if (!folder || folder >= file)
            return 0;
        file = folder;
    }
    return file->text[at - (size_t)(file->length - file->own)];
}

static bool same(const struct counters_file *file, const struct wanted *wanted)
{
    if (file->hash != wanted->hash || file->length != wanted->length)
        return false;
    size_t at = file->folder == wanted->folder ? wanted->before : 0;
    for (; at < wanted->before; at++)
        if (byte_at(file, at) != byte_at(paths_file(wanted->folder), at))
            return false;
    for (const char *from = part(wanted->path); *from; from = part(from)) {
        if (byte_at(file, at++) != '/')
            return false;
        for (; inside(*from); from++)
            if (byte_at(file, at++) != *from)
                return false;
    }
    return true;
}

/* Whether there is memory up to that place; files get more of it a step at a time. */
static bool ready(struct counters_table *table, uint64_t end)
{
    uint64_t now = atomic_load_explicit(&table->paths_ready, memory_order_acquire);
    if (end <= now)
        return true;
    uint64_t more = (end + COUNTERS_PATHS_STEP - 1) & ~(uint64_t)(COUNTERS_PATHS_STEP - 1);
    if (!file_populate(files + now, more - now))
        return false;
    while (now < more && !atomic_compare_exchange_weak(&table->paths_ready, &now, more))
        continue;
    return true;
}

/* Write a file where nobody else writes. Its number, 0: there is no room. */
static uint32_t put(const struct wanted *wanted)
{
    struct counters_table *table = counters_table;
    size_t own = wanted->length - wanted->before;
    size_t size = (offsetof(struct counters_file, text) + own + 7) & ~(size_t)7;
    if (atomic_load_explicit(&table->paths_used, memory_order_relaxed) + size > COUNTERS_PATHS)
        return 0;
    uint64_t place = atomic_fetch_add_explicit(&table->paths_used, size, memory_order_relaxed);
    if (place + size > COUNTERS_PATHS || !ready(table, place + size))
        return 0;
    struct counters_file *file = (struct counters_file *)(files + place);
    file->hash = wanted->hash;
    file->folder = wanted->folder;
    file->length = (uint16_t)wanted->length;
    file->own = (uint16_t)own;
    char *to = file->text;
    for (const char *from = part(wanted->path); *from; from = part(from)) {
        *to++ = '/';
        while (inside(*from))
            *to++ = *from++;
    }
    return (uint32_t)(place / 8);
}

static uint32_t find(const struct wanted *wanted)
{
    uint32_t number = 0, upper = wanted->hash >> COUNTERS_FILE_BITS << COUNTERS_FILE_BITS;
    for (size_t i = 0; i < COUNTERS_PROBES; i++) {
        _Atomic uint32_t *place = &places[(wanted->hash + i) % COUNTERS_FILES];
        uint32_t old = atomic_load_explicit(place, memory_order_acquire);
        if (!old) {
            number = number ? number : put(wanted);
            if (!number)
                return COUNTERS_FILE_OTHER;
            if (atomic_compare_exchange_strong(place, &old, upper | number))
                return number;
        }
        const struct counters_file *file = (old ^ upper) >> COUNTERS_FILE_BITS ? NULL : counters_file(files, old);
        if (file && same(file, wanted))
            return old ^ upper;
    }
    return COUNTERS_FILE_OTHER;
}

uint32_t paths_find(uint32_t folder, const char *path)
{
    struct wanted wanted = { .hash = HASH_BEGIN, .path = path };
    if (*path != '/') {
        if (folder < COUNTERS_FILE_FIRST)
            return COUNTERS_FILE_OTHER;
        const struct counters_file *known = paths_file(folder);
        wanted.folder = folder;
        wanted.hash = known->hash;
        wanted.before = wanted.length = known->length;
    }
    for (const char *at = part(path); *at; at = part(at)) {
        wanted.hash = hashed(wanted.hash, '/');
        const char *begin = at;
        for (; inside(*at); at++)
            wanted.hash = hashed(wanted.hash, *at);
        wanted.length += (size_t)(at - begin) + 1;
    }
    return wanted.length < PATH_MAX ? find(&wanted) : COUNTERS_FILE_OTHER;
}
