/* Stubs: the machine code that counts the calls of one site. Three kinds, all laid out in a slot of SLOT_SIZE bytes:
 *
 *   plain      moved instructions; guard; count; syscall; error?; jump back          one number, no C at all
 *   full       moved instructions; jump to dispatch_full                             numbers that need care
 *   bracketed  moved instructions; guard; dispatch_before; syscall; dispatch_after   calls that return twice
 *
 * The guard compares the number with the one that the stub was made for, so a stub is right whatever the program has
 * in rax, and any other number goes to dispatch_full. See README.md for flags, red zone and the rest. */
#include "dispatch/code/stub.h"

#include "dispatch/code/island.h"
#include "dispatch/code/patch.h"
#include "dispatch/frame.h"
#include "dispatch/keep/mask.h"
#include "dispatch/rows.h"
#include "dispatch/seal.h"
#include "shim.h"
#include "table/kernel.h"

#include <sys/mman.h>

#define OFFSET(field) __builtin_offsetof(struct frame, field)
_Static_assert(sizeof(struct frame) == FRAME_SIZE && OFFSET(rax) == FRAME_RAX && OFFSET(back) == FRAME_BACK &&
               OFFSET(flags) == FRAME_FLAGS && OFFSET(rbx) == FRAME_RBX && OFFSET(info) == FRAME_INFO, "entry.S");
_Static_assert(__builtin_offsetof(struct slot_info, errors) == INFO_ERRORS &&
               __builtin_offsetof(struct slot_info, thread) == INFO_THREAD &&
               __builtin_offsetof(struct slot_info, number) == INFO_NUMBER, "entry.S");

enum { ENTRIES = 2 * SLOTS, RESERVED = 64, ANY = -1 };

/* Which site has which stub: open addressing, entries are only ever added, read without a lock. */
static struct entry {
    _Atomic uintptr_t back;        /* 0: free */
    long number;                   /* ANY, or the number of a bracketed stub */
    uintptr_t guard;               /* where a call that came by signal goes on; 0: dispatch_full */
} entries[ENTRIES];

static unsigned slots_used, entries_used;
static _Atomic pid_t owner;        /* the thread that makes stubs, or forks: its child must not find one half made */

static pid_t thread_id(void)
{
    return (pid_t)kernel_call(SYS_gettid);
}

/* Signals are blocked wherever this is held, so that no handler ever waits for its own thread. */
static void lock(void)
{
    pid_t self = thread_id(), nobody = 0;
    while (!atomic_compare_exchange_weak(&owner, &nobody, self)) {
        nobody = 0;
        kernel_call(SYS_sched_yield);
    }
}

static void unlock(void)
{
    atomic_store(&owner, 0);
}

static _Thread_local uint64_t mask_before_fork;
static _Thread_local bool forking;

void stub_fork_prepare(void)
{
    if (dispatch_sealed)
        return;
    uint64_t before = mask_change(SIG_BLOCK, ~0ul);
    lock();
    mask_before_fork = before;
    forking = true;
}

void stub_fork_done(void)
{
    if (!forking)
        return;
    uint64_t before = mask_before_fork;
    forking = false;
    unlock();
    mask_change(SIG_SETMASK, before);
}

static struct entry *find(uintptr_t back, long number)
{
    for (size_t i = back * 0x9e3779b97f4a7c15u >> 53;; i++) {
        struct entry *entry = &entries[i % ENTRIES];
        uintptr_t here = atomic_load_explicit(&entry->back, memory_order_acquire);
        if (!here || (here == back && entry->number == number))
            return entry;
    }
}

static void publish(uintptr_t back, long number, uintptr_t guard)
{
    if (entries_used >= ENTRIES / 2)
        return;
    entries_used++;
    struct entry *entry = find(back, number);
    entry->number = number;
    entry->guard = guard;
    atomic_store_explicit(&entry->back, back, memory_order_release);
}

/* Code is written through this; what does not fit makes the stub fail. */
struct writer {
    uint8_t *at, *limit;
    bool failed;
};

static void put(struct writer *writer, const void *bytes, size_t count)
{
    if (writer->at + count > writer->limit) {
        writer->failed = true;
        return;
    }
    for (size_t i = 0; i < count; i++)
        *writer->at++ = ((const uint8_t *)bytes)[i];
}
#define PUT(writer, ...) put(writer, (const uint8_t[]){ __VA_ARGS__ }, sizeof(const uint8_t[]){ __VA_ARGS__ })

static void put_number(struct writer *writer, int32_t number)
{
    put(writer, &number, sizeof number);
}

/* The distance from behind the four bytes that are written to `target`. */
static void put_distance(struct writer *writer, uintptr_t target)
{
    int64_t distance = (int64_t)target - (int64_t)(writer->at + 4);
    if (distance != (int32_t)distance)
        writer->failed = true;
    put_number(writer, (int32_t)distance);
}

/* mov back(%rip), %r11; jmp dispatch_full */
static void put_full(struct writer *writer, const struct slot_info *info)
{
    PUT(writer, 0x4c, 0x8b, 0x1d);
    put_distance(writer, (uintptr_t)&info->back);
    PUT(writer, 0xe9);
    put_distance(writer, (uintptr_t)dispatch_full);
}

/* lea -number(%rax), %rcx; jrcxz over what put_full writes: neither changes a flag. Returns where put_full begins. */
static uint8_t *put_guard(struct writer *writer, const struct slot_info *info)
{
    PUT(writer, 0x48, 0x8d, 0x88);
    put_number(writer, -(int32_t)info->number);
    PUT(writer, 0xe3, 12);
    uint8_t *full = writer->at;
    put_full(writer, info);
    return full;
}

static void put_plain(struct writer *writer, const struct slot_info *info)
{
    size_t row = __builtin_offsetof(struct counters_shard, system) + info->number * sizeof(struct counter);
    uint8_t *full = put_guard(writer, info);
    PUT(writer, 0x64, 0x48, 0x8b, 0x0c, 0x25);                  /* mov %fs:thread, %rcx: this thread's shard */
    put_number(writer, (int32_t)info->thread);
    PUT(writer, 0xe3, (uint8_t)(full - (writer->at + 2)));      /* jrcxz: it has none yet */
    PUT(writer, 0x9f, 0x0f, 0x90, 0xc0);                        /* lahf; seto %al: rax is known, the flags go there */
    PUT(writer, 0xf0, 0x48, 0xff, 0x81);                        /* lock incq row(%rcx) */
    put_number(writer, (int32_t)row);
    PUT(writer, 0x04, 0x7f, 0x9e, 0xb8);                        /* add $127, %al; sahf: as they were; mov $number, %eax */
    put_number(writer, (int32_t)info->number);
    PUT(writer, 0x0f, 0x05);                                    /* syscall */
    PUT(writer, 0x48, 0x89, 0xc1, 0x48, 0xf7, 0xd1);            /* mov %rax, %rcx; not %rcx */
    PUT(writer, 0x44, 0x0f, 0xb7, 0xd9, 0x49, 0xf7, 0xd3);      /* movzwl %cx, %r11d; not %r11 */
    PUT(writer, 0x4a, 0x8d, 0x4c, 0x19, 0x01);                  /* lea 1(%rcx,%r11), %rcx: 0 where -65536 <= rax < 0 */
    PUT(writer, 0xe3, 6, 0xff, 0x25);                           /* jrcxz over jmp *back(%rip) */
    put_distance(writer, (uintptr_t)&info->back);
    PUT(writer, 0x4c, 0x8d, 0x1d);                              /* lea info(%rip), %r11; jmp dispatch_error */
    put_distance(writer, (uintptr_t)info);
    PUT(writer, 0xe9);
    put_distance(writer, (uintptr_t)dispatch_error);
}

static void put_bracketed(struct writer *writer, const struct slot_info *info)
{
    uint8_t *slot = (uint8_t *)info - SLOT_INFO;
    put_guard(writer, info);
    PUT(writer, 0x4c, 0x8d, 0x1d);                              /* lea info(%rip), %r11; jmp dispatch_before */
    put_distance(writer, (uintptr_t)info);
    PUT(writer, 0xe9);
    put_distance(writer, (uintptr_t)dispatch_before);
    for (uint8_t sharing = 0; sharing < SHARINGS; sharing++) {
        writer->failed |= writer->at > slot + SLOT_INLINE + INLINE_SIZE * sharing;
        writer->at = slot + SLOT_INLINE + INLINE_SIZE * sharing;
        PUT(writer, 0x0f, 0x05, 0xb9, sharing, 0, 0, 0);        /* syscall; mov $sharing, %ecx */
        PUT(writer, 0x4c, 0x8d, 0x1d);                          /* lea info(%rip), %r11; jmp dispatch_after */
        put_distance(writer, (uintptr_t)info);
        PUT(writer, 0xe9);
        put_distance(writer, (uintptr_t)dispatch_after);
    }
}

/* Write a slot, beginning with the moved instructions of `site` unless that is NULL. Returns its guard, 0 where it
 * does not fit. */
static uintptr_t write_slot(uint8_t *slot, const struct site *site, uintptr_t back, long number)
{
    enum treatment treatment = rows_treatment(number);
    struct slot_info *info = (struct slot_info *)(slot + SLOT_INFO);
    struct writer writer = { slot, slot + SLOT_INFO, false };
    uint8_t *self;
    __asm__("mov %%fs:0, %0" : "=r"(self));
    *info = (struct slot_info){
        .back = back,
        .errors = __builtin_offsetof(struct counters_shard, system) + (size_t)number * sizeof(struct counter) +
                  __builtin_offsetof(struct counter, errors),
        .thread = (uint64_t)((uint8_t *)&counters_mine - self),
        .number = (uint64_t)number,
    };
    if (site && !(writer.at = patch_move(site, slot, slot + SLOT_INLINE)))
        return 0;
    uintptr_t guard = (uintptr_t)writer.at;
    if (treatment == TREAT_FULL)
        put_full(&writer, info);
    else if (treatment == TREAT_BRACKETED)
        put_bracketed(&writer, info);
    else
        put_plain(&writer, info);
    return writer.failed ? 0 : guard;
}

/* The moved instructions of a site that is far from the slots, and jmp *guard. NULL: no room within reach. */
static uint8_t *write_island(const struct site *site, uintptr_t guard)
{
    enum { ROOM = 96 };
    uint8_t *room = island_room((uintptr_t)site->start, ROOM);
    if (!room || !patch_writable((uintptr_t)room, ROOM, true))
        return NULL;
    struct writer writer = { patch_move(site, room, room + ROOM - 14), room + ROOM, false };
    if (writer.at) {
        PUT(&writer, 0xff, 0x25, 0, 0, 0, 0);                   /* jmp *(%rip) */
        put(&writer, &guard, sizeof guard);
    }
    bool ready = patch_writable((uintptr_t)room, ROOM, false) && writer.at && !writer.failed;
    if (ready)
        island_use(room, ROOM);
    return ready ? room : NULL;
}

uintptr_t stub_find(uintptr_t back, long number)
{
    bool bracketed = rows_treatment(number) == TREAT_BRACKETED;
    struct entry *entry = find(back, bracketed ? number : ANY);
    return entry->back ? entry->guard : 0;
}

/* Write the next slot and, where the site is proved, lead it there. Returns the slot's guard; 0: no stub. */
static uintptr_t build(uintptr_t back, long number, const struct site *site)
{
    uint8_t *slot = (uint8_t *)dispatch_slots + SLOT_SIZE * slots_used;
    bool near = site && island_reaches((uintptr_t)site->start, (uintptr_t)slot);
    if (!patch_writable((uintptr_t)slot, SLOT_SIZE, true))
        return 0;
    uintptr_t guard = write_slot(slot, near ? site : NULL, back, number);
    if (!patch_writable((uintptr_t)slot, SLOT_SIZE, false) || !guard)
        return 0;
    slots_used++;
    const uint8_t *target = near || !site ? slot : write_island(site, guard);
    if (site && target)
        patch_jump(site, (uintptr_t)target);
    return guard;
}

/* A new stub for the site, and the site patched where that is proved to be right. A site that cannot be patched has
 * no use for a stub, unless its call has to be bracketed: it stays on the signal, and dispatch_full. */
static uintptr_t make(uintptr_t back, long number)
{
    enum treatment treatment = rows_treatment(number);
    bool bracketed = treatment == TREAT_BRACKETED, first = !find(back, ANY)->back;
    struct site site;
    bool patch = first && prove_site(back, &site);
    uintptr_t guard = 0;
    if ((patch || bracketed) && slots_used < (bracketed ? SLOTS : SLOTS - RESERVED))
        guard = build(back, number, patch ? &site : NULL);
    if (bracketed && guard)
        publish(back, number, guard);
    if (first)
        publish(back, ANY, treatment == TREAT_PLAIN ? guard : 0);
    return treatment == TREAT_FULL ? 0 : guard;
}

uintptr_t stub_make(uintptr_t back, long number)
{
    bool bracketed = rows_treatment(number) == TREAT_BRACKETED;
    struct entry *entry = find(back, bracketed ? number : ANY);
    if (entry->back)
        return entry->guard;
    if (dispatch_sealed || number < 0 || number >= COUNTERS_NUMBERS)
        return 0;
    lock();
    entry = find(back, bracketed ? number : ANY);
    uintptr_t guard = entry->back ? entry->guard : make(back, number);
    unlock();
    return guard;
}

uintptr_t stub_make_now(uintptr_t back, long number)
{
    if (dispatch_sealed)
        return 0;
    uint64_t before = mask_change(SIG_BLOCK, ~0ul);
    uintptr_t guard = stub_make(back, number);
    mask_change(SIG_SETMASK, before);
    return guard;
}
