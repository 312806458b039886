/* The proof that one whole instruction before a `syscall` may be replaced by a jump. */
#include "dispatch/code/prove.h"

#include "auxiliary.h"
#include "dispatch/arch/x86_64/decode.h"
#include "objects.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>

enum { OBJECTS = 64, CHAIN = 6, MOVED = 48 };

/* The objects that were loaded at the start: they are never unloaded, so this list needs no lock. */
static struct object {
    uintptr_t text, text_end;
    const uint8_t *frames;         /* .eh_frame_hdr: where each function begins */
} objects[OBJECTS];
static size_t object_count;

static void add_object(uintptr_t base, const ElfW(Phdr) *segment, size_t count)
{
    struct object object = { 0, 0, NULL };
    for (; count--; segment++) {
        if (segment->p_type == PT_LOAD && segment->p_flags == (PF_R | PF_X)) {
            object.text = base + segment->p_vaddr;
            object.text_end = object.text + segment->p_memsz;
        }
        if (segment->p_type == PT_GNU_EH_FRAME)
            object.frames = (const uint8_t *)(base + segment->p_vaddr);
    }
    if (object.text && object.frames && object_count < OBJECTS)
        objects[object_count++] = object;
}

static void read_objects(void)
{
    const struct link_map *map = objects_first();
    uintptr_t vdso = auxiliary_value(AT_SYSINFO_EHDR);
    if (map)
        add_object(map->l_addr, (const ElfW(Phdr) *)auxiliary_value(AT_PHDR), auxiliary_value(AT_PHNUM));
    for (map = map ? map->l_next : NULL; map; map = map->l_next) {
        const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)map->l_addr;
        if (map->l_addr && map->l_addr != vdso && header->e_ident[0] == 0x7f)
            add_object(map->l_addr, (const ElfW(Phdr) *)(map->l_addr + header->e_phoff), header->e_phnum);
    }
}

struct function {
    const uint8_t *start, *end;
};

/* The beginning of the function that `address` is in, by the sorted table of .eh_frame_hdr (Linux Standard Base 5,
 * 10.6.2) and the range in the function's own entry. False where there is none. */
static bool find_function(const struct object *object, uintptr_t address, struct function *function)
{
    const uint8_t *header = object->frames;
    if (header[0] != 1 || header[1] != 0x1b || header[2] != 0x03 || header[3] != 0x3b)
        return false;
    int32_t low = 0, high = decode_number(header + 8);
    const uint8_t *table = header + 12;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if ((uintptr_t)(header + decode_number(table + 8 * middle)) <= address)
            low = middle;
        else
            high = middle;
    }
    const uint8_t *start = header + decode_number(table + 8 * low), *entry = header + decode_number(table + 8 * low + 4);
    const uint8_t *begin = entry + 8;
    if (high <= low || begin + decode_number(begin) != start || decode_number(entry) == -1)
        return false;
    *function = (struct function){ start, start + (uint32_t)decode_number(begin + 4) };
    return address >= (uintptr_t)start && address < (uintptr_t)function->end;
}

/* The last instructions before the call, by decoding the function from its beginning: only so is it known where
 * instructions begin. Returns how many there are in `chain`, oldest first; 0 where decoding does not arrive. */
static size_t decode_to(const uint8_t *start, const uint8_t *call, const uint8_t **chain)
{
    size_t count = 0;
    while (start < call) {
        struct decoded decoded = decode(start, call + 2);
        if (!decoded.length)
            return 0;
        if (count == CHAIN) {
            for (size_t i = 1; i < CHAIN; i++)
                chain[i - 1] = chain[i];
            count--;
        }
        chain[count++] = start;
        start += decoded.length;
    }
    return start == call ? count : 0;
}

/* Whether all of the function can be decoded and no jump in it leads into the bytes that are to be replaced. */
static bool nothing_leads_into(const uint8_t *at, const struct function *function)
{
    for (const uint8_t *code = function->start; code < function->end;) {
        struct decoded decoded = decode(code, function->end);
        if (!decoded.length || (decoded.target > at && decoded.target < at + PROVE_JUMP))
            return false;
        code += decoded.length;
    }
    return true;
}

void prove_leave(uintptr_t start, size_t size)
{
    if (!object_count)
        read_objects();
    for (size_t i = 0; i < object_count; i++)
        if (start < objects[i].text_end && start + size > objects[i].text)
            objects[i].text_end = objects[i].text;  /* it is empty */
}

bool prove_site(uintptr_t back, struct site *site)
{
    uint8_t *call = (uint8_t *)back - 2;
    const uint8_t *chain[CHAIN];
    struct function function;
    bool found = false;
    if (!object_count)
        read_objects();
    for (size_t i = 0; i < object_count && !found; i++)
        found = back - 2 >= objects[i].text && back <= objects[i].text_end && find_function(&objects[i], back - 2, &function);
    if (!found || call[0] != 0x0f || call[1] != 0x05)
        return false;
    for (size_t n = decode_to(function.start, call, chain); n-- > 0;) {
        struct decoded decoded = decode(chain[n], call);
        if (decoded.kind == DECODE_FIXED || call - chain[n] > MOVED)
            return false;
        if (decoded.length >= PROVE_JUMP) {
            *site = (struct site){ (uint8_t *)chain[n], call };
            return nothing_leads_into(chain[n], &function);
        }
    }
    return false;
}
