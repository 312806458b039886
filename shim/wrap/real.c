/* The next definition of each symbol: what would have been called without this library.
 *
 * dlsym(RTLD_NEXT) would do, but it takes the loader's lock, which another thread may hold across a fork, and it may
 * allocate, which recurses when the allocator itself calls a wrapped function. This reads the same tables (the hash,
 * symbol and version sections of each object behind us in the loader's list) and needs neither. */
#include "wrap/real.h"

#include "objects.h"
#include "table/names.h"
#include "table/text.h"

#include <elf.h>
#include <link.h>  /* _DYNAMIC */

static _Atomic(void *) nexts[LIBRARY_CALLS];
static char missing;  /* its address stands for "looked for and not there" */

/* What a lookup needs of one loaded object. */
struct object {
    ElfW(Addr) base;
    const ElfW(Sym) *symbols;
    const char *strings;
    const ElfW(Half) *versions;      /* NULL: the object has none */
    const char *definitions;         /* of versions: ElfW(Verdef) */
    const uint32_t *gnu_hash, *hash;
    const char *soname;
};

/* glibc has relocated the pointers in the dynamic section, except where that is read-only (the vDSO); musl none. */
static const void *pointer(const struct link_map *map, ElfW(Addr) value)
{
    return (const void *)(value < map->l_addr ? value + map->l_addr : value);
}

static struct object read_object(const struct link_map *map)
{
    struct object object = { .base = map->l_addr };
    ElfW(Addr) soname = 0;
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_SYMTAB: object.symbols = pointer(map, entry->d_un.d_ptr); break;
        case DT_STRTAB: object.strings = pointer(map, entry->d_un.d_ptr); break;
        case DT_VERSYM: object.versions = pointer(map, entry->d_un.d_ptr); break;
        case DT_VERDEF: object.definitions = pointer(map, entry->d_un.d_ptr); break;
        case DT_GNU_HASH: object.gnu_hash = pointer(map, entry->d_un.d_ptr); break;
        case DT_HASH: object.hash = pointer(map, entry->d_un.d_ptr); break;
        case DT_SONAME: soname = entry->d_un.d_val; break;
        }
    }
    if (soname && object.strings)
        object.soname = object.strings + soname;
    return object;
}

/* Is the symbol of this version, as the loader would see it: of no version is of any. */
static bool has_version(const struct object *object, uint32_t index, const char *version)
{
    unsigned number = object->versions ? object->versions[index] & 0x7fff : 1;
    for (const char *at = number > 1 ? object->definitions : NULL; at;) {
        const ElfW(Verdef) *definition = (const ElfW(Verdef) *)at;
        const ElfW(Verdaux) *name = (const ElfW(Verdaux) *)(at + definition->vd_aux);
        if ((definition->vd_ndx & 0x7fff) == number)
            return text_equal(object->strings + name->vda_name, version);
        at = definition->vd_next ? at + definition->vd_next : NULL;
    }
    return number == 1;
}

/* A definition that others may bind to. */
static bool defines(const struct object *object, uint32_t index, const char *name)
{
    const ElfW(Sym) *symbol = &object->symbols[index];
    unsigned type = ELF64_ST_TYPE(symbol->st_info), binding = ELF64_ST_BIND(symbol->st_info);
    return symbol->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE) &&
           (binding == STB_GLOBAL || binding == STB_WEAK || binding == STB_GNU_UNIQUE) &&
           text_equal(object->strings + symbol->st_name, name);
}

/* Of several versions of a name the wanted one counts. Where none is wanted it is the default one; a hidden one
 * (name@VERSION, kept for old programs) only where there is no default. 0: not defined here. */
static uint32_t better(const struct object *object, uint32_t best, uint32_t index, const char *version)
{
    if (version)
        return has_version(object, index, version) ? index : best;
    if (!best || !object->versions)
        return index;
    return object->versions[index] & 0x8000 ? best : index;
}

static uint32_t find_gnu(const struct object *object, const char *name, const char *version)
{
    const uint32_t *table = object->gnu_hash;
    uint32_t buckets = table[0], first = table[1], bloom = table[2], hash = 5381, best = 0;
    const uint32_t *bucket = table + 4 + bloom * (sizeof(ElfW(Addr)) / 4), *chain = bucket + buckets;
    for (const char *c = name; *c; c++)
        hash = hash * 33 + (unsigned char)*c;
    uint32_t index = bucket[hash % buckets];
    if (index < first)
        return 0;
    for (;; index++) {
        uint32_t here = chain[index - first];
        if ((here | 1) == (hash | 1) && defines(object, index, name))
            best = better(object, best, index, version);
        if (here & 1)
            return best;
    }
}

static uint32_t find_sysv(const struct object *object, const char *name, const char *version)
{
    uint32_t best = 0;
    for (uint32_t index = 1; index < object->hash[1]; index++)
        if (defines(object, index, name))
            best = better(object, best, index, version);
    return best;
}

static void *find(const struct link_map *map, const char *name, const char *version)
{
    struct object object = read_object(map);
    uint32_t index = 0;
    if (!object.symbols || !object.strings)
        return NULL;
    if (object.gnu_hash && object.gnu_hash[0])
        index = find_gnu(&object, name, version);
    else if (object.hash)
        index = find_sysv(&object, name, version);
    if (!index)
        return NULL;
    const ElfW(Sym) *symbol = &object.symbols[index];
    void *address = (void *)(object.base + symbol->st_value);
    if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC)
        address = ((void *(*)(void))address)();
    return address;
}

static const struct link_map *own_map(void)
{
    for (const struct link_map *map = objects_first(); map; map = map->l_next)
        if (map->l_ld == _DYNAMIC)
            return map;
    return NULL;
}

static void *find_behind(const char *name, const char *version, const struct link_map **whose)
{
    const struct link_map *own = own_map();
    for (*whose = own ? own->l_next : NULL; *whose; *whose = (*whose)->l_next) {
        void *address = find(*whose, name, version);
        if (address)
            return address;
    }
    return NULL;
}

void *real_symbol(const char *name)
{
    const struct link_map *whose;
    return find_behind(name, NULL, &whose);
}

static const struct link_map *last_preloaded;

void real_begin(const char *preload)
{
    for (const struct link_map *map = preload ? own_map() : NULL; map; map = map->l_next)
        if (text_entry(preload, map->l_name) || text_entry(preload, text_base(map->l_name)))
            last_preloaded = map;
}

/* Behind us and preloaded, too: it stands between the program and libc as we do. The loader has all of them in a row. */
static bool preloaded(const struct link_map *whose)
{
    for (const struct link_map *map = last_preloaded ? own_map() : NULL; map; map = map->l_next) {
        if (map == whose)
            return true;
        if (map == last_preloaded)
            break;
    }
    return false;
}

/* libc's libraries, and those that take its place by design. */
static bool stands_for_libc(const struct link_map *whose)
{
    static const char *const known[] = {
        "libc.so", "libpthread.so", "librt.so", "libdl.so", "libresolv.so", "libanl.so", "libutil.so", "libm.so",
        "ld-linux", "libc.musl", "ld-musl", "libcount", "libasan.so", "libtsan.so", "libubsan.so", "liblsan.so",
        "libhwasan.so", "libclang_rt.",
    };
    struct object object = read_object(whose);
    const char *name = text_base(object.soname ? object.soname : whose->l_name);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (text_begins(name, known[i]))
            return true;
    return preloaded(whose);
}

void *real_foreign(enum library_call call)
{
    const struct link_map *whose;
    void *next = find_behind(names_library[call], NULL, &whose);
    return next && !stands_for_libc(whose) ? next : NULL;
}

void *real_vdso(const char *name)
{
    for (const struct link_map *map = objects_first(); map; map = map->l_next) {
        struct object object = read_object(map);
        if (object.soname && text_begins(object.soname, "linux-vdso"))
            return find(map, name, NULL);
    }
    return NULL;
}

/* Where a libc has no name with "64" of its own (musl from 1.2.4 on, whose loader does the same), the name without it
 * is of the same function. */
static void *find_wide(const char *name)
{
    char room[64];
    struct text text = TEXT_IN(room);
    size_t length = text_length(name);
    if (length < 3 || length >= sizeof room || !text_equal(name + length - 2, "64"))
        return NULL;
    text_bytes(&text, name, length - 2);
    return real_symbol(text_end(&text));
}

void *real_next(enum library_call call)
{
    void *next = atomic_load_explicit(&nexts[call], memory_order_relaxed);
    if (__builtin_expect(next == NULL, 0)) {
        next = real_symbol(names_library[call]);
        if (!next)
            next = find_wide(names_library[call]);
        atomic_store_explicit(&nexts[call], next ? next : &missing, memory_order_relaxed);
    }
    return next == &missing ? NULL : next;
}

void *real_version(_Atomic(void *) *next, const char *name, const char *version)
{
    void *found = atomic_load_explicit(next, memory_order_relaxed);
    if (!found) {
        const struct link_map *whose;
        found = find_behind(name, version, &whose);
        atomic_store_explicit(next, found ? found : &missing, memory_order_relaxed);
    }
    return found == &missing ? NULL : found;
}

const char *real_own_path(void)
{
    const struct link_map *own = own_map();
    return own ? own->l_name : "";
}

bool real_second_copy(void)
{
    for (const struct link_map *map = objects_first(); map && map->l_ld != _DYNAMIC; map = map->l_next) {
        struct object object = read_object(map);
        if (object.soname && text_begins(object.soname, "libcount"))
            return true;
    }
    return false;
}
