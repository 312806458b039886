/* The fast path: a jump to the stub in place of one whole instruction before a `syscall`. Proof first, then bytes. */
#include "dispatch.h"

#include "table/kernel.h"
#include "decode.h"

#include <elf.h>
#include <link.h>
#include <linux/membarrier.h>
#include <sys/auxv.h>
#include <sys/mman.h>

enum { OBJECTS = 64, JUMP = 5, CHAIN = 6, MOVED = 48 };

bool dispatch_threads;

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
    const struct link_map *map = _r_debug.r_map;
    uintptr_t vdso = getauxval(AT_SYSINFO_EHDR);
    if (map)
        add_object(map->l_addr, (const ElfW(Phdr) *)getauxval(AT_PHDR), getauxval(AT_PHNUM));
    for (map = map ? map->l_next : NULL; map; map = map->l_next) {
        const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)map->l_addr;
        if (map->l_addr && map->l_addr != vdso && header->e_ident[0] == 0x7f)
            add_object(map->l_addr, (const ElfW(Phdr) *)(map->l_addr + header->e_phoff), header->e_phnum);
    }
}

/* A little-endian 32-bit number. */
static int32_t number_at(const uint8_t *at)
{
    return (int32_t)((uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24);
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
    int32_t low = 0, high = number_at(header + 8);
    const uint8_t *table = header + 12;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if ((uintptr_t)(header + number_at(table + 8 * middle)) <= address)
            low = middle;
        else
            high = middle;
    }
    const uint8_t *start = header + number_at(table + 8 * low), *entry = header + number_at(table + 8 * low + 4);
    const uint8_t *begin = entry + 8;
    if (high <= low || begin + number_at(begin) != start || number_at(entry) == -1)
        return false;
    *function = (struct function){ start, start + (uint32_t)number_at(begin + 4) };
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
        if (!decoded.length || (decoded.target > at && decoded.target < at + JUMP))
            return false;
        code += decoded.length;
    }
    return true;
}

bool patch_prove(uintptr_t back, struct site *site)
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
        if (decoded.length >= JUMP) {
            *site = (struct site){ (uint8_t *)chain[n], call };
            return nothing_leads_into(chain[n], &function);
        }
    }
    return false;
}

static bool put_relative(uint8_t *at, const uint8_t *target)
{
    int64_t distance = target - (at + 4);
    if (distance != (int32_t)distance)
        return false;
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)((uint32_t)distance >> (8 * i));
    return true;
}

uint8_t *patch_move(const struct site *site, uint8_t *to, const uint8_t *limit)
{
    for (const uint8_t *from = site->start; from < site->call;) {
        struct decoded decoded = decode(from, site->call);
        if (to + decoded.length + JUMP > limit)
            return NULL;
        if (decoded.kind == DECODE_CONDITIONAL) {
            *to++ = 0x0f;
            *to++ = 0x80 | decoded.condition;
            if (!put_relative(to, decoded.target))
                return NULL;
            to += 4;
        } else {
            for (int i = 0; i < decoded.length; i++)
                to[i] = from[i];
            const uint8_t *target = from + decoded.offset + 4;  /* what the displacement counts from, less the rest */
            if (decoded.kind == DECODE_RELATIVE &&
                !put_relative(to + decoded.offset, target + number_at(from + decoded.offset)))
                return NULL;
            to += decoded.length;
        }
        from += decoded.length;
    }
    return to;
}

bool patch_writable(uintptr_t start, size_t size, bool writable)
{
    uintptr_t first = start & -4096ul, end = (start + size + 4095) & -4096ul;
    int protection = PROT_READ | PROT_EXEC | (writable ? PROT_WRITE : 0);
    return !kernel_failed(kernel_call(SYS_mprotect, first, end - first, protection));
}

/* The kernel wants to know early that a process will ask for this: with one thread it costs a system call, with
 * several ten milliseconds and more, for it waits until all processors have been through the scheduler. */
void patch_expect_threads(bool tell)
{
    if (!dispatch_threads && tell)
        kernel_call(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0);
    dispatch_threads = true;
}

/* All threads have fetched anew what they execute. */
static bool synchronise(void)
{
    return !kernel_failed(kernel_call(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0));
}

/* Other threads may be about to execute these bytes. The first two become a jump to itself, in one store; when all
 * have seen it nobody can be inside the instruction; then the rest, and last the first two again. A store of two
 * bytes is atomic unless it crosses a cache line, and such a site is left alone. */
static bool write_beside_threads(uint8_t *at, const uint8_t *jump)
{
    if (((uintptr_t)at & 63) == 63 || !synchronise())
        return false;
    *(volatile uint16_t *)at = 0xfeeb;
    synchronise();
    for (int i = 2; i < JUMP; i++)
        ((volatile uint8_t *)at)[i] = jump[i];
    synchronise();
    *(volatile uint16_t *)at = (uint16_t)(jump[0] | jump[1] << 8);
    synchronise();
    return true;
}

bool patch_jump(const struct site *site, uintptr_t stub)
{
    uint8_t jump[JUMP] = { 0xe9 };
    int64_t distance = (int64_t)stub - (int64_t)(site->start + JUMP);
    bool done = true;
    if (distance != (int32_t)distance || !patch_writable((uintptr_t)site->start, JUMP, true))
        return false;
    for (int i = 0; i < 4; i++)
        jump[1 + i] = (uint8_t)((uint32_t)distance >> (8 * i));
    if (dispatch_threads)
        done = write_beside_threads(site->start, jump);
    else
        for (int i = 0; i < JUMP; i++)
            site->start[i] = jump[i];
    patch_writable((uintptr_t)site->start, JUMP, false);
    return done;
}
