/* Which object made a library call: the one whose code the call returns to. The loader of glibc 2.35 and later finds it
 * without a lock (_dl_find_object); with an older one this walks the loader's list and reads each object's program
 * headers. An address in no object is of code that was made at run time. */
#include "wrap/callers.h"

#include "auxiliary.h"
#include "counters.h"
#include "objects.h"
#include "table/kernel.h"
#include "table/text.h"
#include "wrap/real.h"

#include <fcntl.h>
#include <limits.h>
#include <link.h>

enum { FREE, WRITTEN, READABLE };

/* As _dl_find_object() of glibc fills it in. */
struct found {
    unsigned long long flags;
    void *start, *end;
    struct link_map *map;
    void *unwinding;
    unsigned long long reserved[7];
};

static int (*find_object)(void *address, struct found *found);
static char program[COUNTERS_NAME_SIZE];

void callers_begin(void)
{
    char path[PATH_MAX];
    long length = kernel_call(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    struct text text = TEXT_IN(program);
    text_put(&text, length > 0 ? text_base(path) : "the program");
    text_end(&text);
    find_object = (int (*)(void *, struct found *))real_symbol("_dl_find_object");
}

/* Whether an address is in the mapped segments of an object. The program's headers are where the kernel says. */
static bool holds(const struct link_map *map, uintptr_t address)
{
    const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)map->l_addr;
    bool first = map == objects_first();
    const ElfW(Phdr) *segment = first ? (const ElfW(Phdr) *)auxiliary_value(AT_PHDR)
                                      : (const ElfW(Phdr) *)(map->l_addr + header->e_phoff);
    size_t count = first ? auxiliary_value(AT_PHNUM) : header->e_phnum;
    for (size_t i = 0; segment && i < count; i++)
        if (segment[i].p_type == PT_LOAD && address - map->l_addr - segment[i].p_vaddr < segment[i].p_memsz)
            return true;
    return false;
}

static const struct link_map *find_map(void *address)
{
    struct found found;
    if (find_object)
        return find_object(address, &found) ? NULL : found.map;
    for (const struct link_map *map = objects_first(); map; map = map->l_next)
        if (holds(map, (uintptr_t)address))
            return map;
    return NULL;
}

/* Names are cut where they are kept. */
static bool same(const char *kept, const char *name)
{
    size_t i = 0;
    while (i < COUNTERS_NAME_SIZE - 1 && name[i] && kept[i] == name[i])
        i++;
    return i == COUNTERS_NAME_SIZE - 1 || kept[i] == name[i];
}

/* The number of an object of this name, taking one where it has none yet; 0: there is none to take. Two threads that
 * come at once may take one each, with the same name. */
static uint32_t number_of(const char *name)
{
    static _Atomic uint32_t last;
    struct counters_table *table = counters_table;
    uint32_t guess = atomic_load_explicit(&last, memory_order_relaxed);
    if (guess && same(counters_object(table, guess - 1)->name, name))
        return guess;
    for (uint32_t i = 0; i < COUNTERS_OBJECTS; i++) {
        struct counters_object *object = counters_object(table, i);
        uint32_t state = atomic_load(&object->state);
        if (state == FREE && atomic_compare_exchange_strong(&object->state, &state, WRITTEN)) {
            for (size_t k = 0; k < COUNTERS_NAME_SIZE - 1 && name[k]; k++)
                object->name[k] = name[k];
            atomic_store(&object->state, READABLE);
        } else if (state != READABLE || !same(object->name, name)) {
            continue;
        }
        atomic_store_explicit(&last, i + 1, memory_order_relaxed);
        return i + 1;
    }
    return 0;
}

void callers_count(enum library_call call, const void *address)
{
    const struct link_map *map = find_map((char *)address - 1);
    uint32_t number = 0;
    if (map)
        number = number_of(map == objects_first() ? program : text_base(map->l_name));
    counters_tally(COUNTERS_CALLER, counters_row(call), number, 1);
}
