/* The fast path: a jump to the stub in place of one whole instruction before a `syscall`. */
#include "dispatch/code/patch.h"

#include "dispatch/arch/x86_64/decode.h"
#include "table/kernel.h"

#include <linux/membarrier.h>
#include <stddef.h>
#include <sys/mman.h>

bool patch_threads;

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
        if (to + decoded.length + PROVE_JUMP > limit)
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
                !put_relative(to + decoded.offset, target + decode_number(from + decoded.offset)))
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
    if (!patch_threads && tell)
        kernel_call(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0);
    patch_threads = true;
}

/* All threads have fetched anew what they execute. */
static bool synchronise(void)
{
    return !kernel_failed(kernel_call(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0));
}

/* What the first two bytes are while the others are written. */
struct meanwhile {
    uint8_t bytes[2];
};
static const struct meanwhile itself = { { 0xeb, 0xfe } };      /* jmp to itself: until the writer goes on */
static const struct meanwhile caught = { { 0x0f, 0x05 } };      /* syscall: dispatch sends who comes to what was moved */

/* The site that is being written, for who has to go on where its writer died. */
static struct {
    uint8_t *volatile site;
    uint8_t before[PROVE_JUMP];
} unfinished;

/* One store of two bytes, at any address. */
static void store_two(uint8_t *at, uint8_t first, uint8_t second)
{
    struct two {
        uint8_t bytes[2];
    };
    uint16_t value = (uint16_t)(first | second << 8);
    __asm__ volatile("movw %1, %0" : "=m"(*(struct two *)at) : "r"(value));
}

/* Other threads may be about to execute these bytes. The first two become another instruction, in one store; when all
 * have seen it nobody can be inside the old one; then the rest, and last the first two again. A store of two bytes is
 * atomic unless it crosses a cache line, and such a site is left alone. */
static bool write_beside_threads(uint8_t *at, const uint8_t *jump, struct meanwhile meanwhile)
{
    if (((uintptr_t)at & 63) == 63 || !synchronise())
        return false;
    store_two(at, meanwhile.bytes[0], meanwhile.bytes[1]);
    synchronise();
    for (int i = 2; i < PROVE_JUMP; i++)
        ((volatile uint8_t *)at)[i] = jump[i];
    synchronise();
    store_two(at, jump[0], jump[1]);
    synchronise();
    return true;
}

static bool write_site(uint8_t *at, const uint8_t *bytes, struct meanwhile meanwhile)
{
    bool done = true;
    if (!patch_writable((uintptr_t)at, PROVE_JUMP, true))
        return false;
    if (patch_threads)
        done = write_beside_threads(at, bytes, meanwhile);
    else
        for (int i = 0; i < PROVE_JUMP; i++)
            at[i] = bytes[i];
    patch_writable((uintptr_t)at, PROVE_JUMP, false);
    return done;
}

/* The same, so that it can be undone where the writer dies. */
static bool write_noted(uint8_t *at, const uint8_t *bytes, struct meanwhile meanwhile)
{
    for (int i = 0; i < PROVE_JUMP; i++)
        unfinished.before[i] = at[i];
    unfinished.site = at;
    bool done = write_site(at, bytes, meanwhile);
    unfinished.site = NULL;
    return done;
}

/* A `syscall` in place of the first moved instruction destroys rcx and r11 earlier than the site's own. */
static bool may_be_caught(const struct site *site)
{
    struct decoded decoded;
    for (const uint8_t *code = site->start; code < site->call; code += decoded.length) {
        decoded = decode(code, site->call);
        if (!decoded.length || decoded.scratch || decoded.kind == DECODE_CONDITIONAL)
            return false;
    }
    return true;
}

bool patch_jump(const struct site *site, uintptr_t stub, bool dispatched)
{
    uint8_t jump[PROVE_JUMP] = { 0xe9 };
    int64_t distance = (int64_t)stub - (int64_t)(site->start + PROVE_JUMP);
    if (distance != (int32_t)distance || (dispatched && patch_threads && !may_be_caught(site)))
        return false;
    for (int i = 0; i < 4; i++)
        jump[1 + i] = (uint8_t)((uint32_t)distance >> (8 * i));
    return write_noted(site->start, jump, dispatched ? caught : itself);
}

void patch_skip(uint8_t *at, uint8_t bytes)
{
    const uint8_t jump[PROVE_JUMP] = { 0xe9, bytes };
    write_noted(at, jump, itself);
}

void patch_undo(const struct site *site, const uint8_t before[PROVE_JUMP])
{
    write_site(site->start, before, itself);
}

void patch_repair(void)
{
    uint8_t *site = unfinished.site;
    if (site)
        write_site(site, unfinished.before, itself);
    unfinished.site = NULL;
}

uint8_t patch_first(const struct site *site)
{
    return decode(site->start, site->call).length;
}

/* As patch_move has laid them out; the first instruction itself is no longer there. */
uintptr_t patch_moved(const struct site *site, unsigned first, unsigned offset)
{
    const uint8_t *from = site->start;
    unsigned length = first;
    while (offset >= length && from + first < site->call) {
        offset -= length;
        from += from == site->start ? first : decode(from, site->call).length;
        struct decoded decoded = decode(from, site->call);
        length = decoded.kind == DECODE_CONDITIONAL ? 6 : decoded.length;
        if (!length || from >= site->call)
            break;
    }
    return (uintptr_t)from;
}
