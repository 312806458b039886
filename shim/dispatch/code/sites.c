/* Sites and their stubs: a stub is made at a site's first call, under a lock that nobody waits for who can do without. */
#include "dispatch/code/sites.h"

#include "counters.h"
#include "dispatch/arm.h"
#include "dispatch/code/island.h"
#include "dispatch/code/lock.h"
#include "dispatch/code/patch.h"
#include "dispatch/frame.h"
#include "dispatch/keep/mask.h"
#include "dispatch/rows.h"
#include "filter/seal.h"

#include <stdatomic.h>

enum { ENTRIES = 2 * SLOTS, RESERVED = 64, SWITCHES = 16, ANY = -1, ISLAND_ROOM = 96, CALL = 2 /* bytes of `syscall` */ };

/* Open addressing; entries are only ever added, and read without a lock. */
static struct entry {
    _Atomic uintptr_t back;        /* 0: free */
    long number;                   /* ANY, or the number that a stub of its own is for */
    uintptr_t guard;               /* where a call that came by signal goes on; 0: dispatch_full */
    struct stub *stub;             /* the one that the site jumps to; NULL: it is not patched */
} entries[ENTRIES];

static struct stub stubs[SLOTS];                 /* of each slot */
static struct stub_numbers switches[SWITCHES];
static unsigned stubs_used, entries_used, switches_used;

static uint8_t *slot_of(const struct stub *stub)
{
    return (uint8_t *)dispatch_slots + SLOT_SIZE * (stub - stubs);
}

static void repair(void)
{
    patch_repair();
    patch_writable((uintptr_t)dispatch_slots, SLOT_SIZE * SLOTS, false);
    island_repair();
}

/* Signals wait while a stub is made, but for those that the program's own instructions raise, which cannot. */
static uint64_t hold_signals(void)
{
    static const int raised[] = { SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS };
    uint64_t held = ~UINT64_C(0);
    for (size_t i = 0; i < sizeof raised / sizeof *raised; i++)
        held &= ~(UINT64_C(1) << (raised[i] - 1));
    return mask_change(SIG_BLOCK, held);
}

static _Thread_local uint64_t mask_before_fork;
static _Thread_local bool forking;

void sites_fork_prepare(void)
{
    if (dispatch_sealed)
        return;
    uint64_t before = hold_signals();
    forking = lock_wait(repair);
    mask_before_fork = before;
    if (!forking)
        mask_change(SIG_SETMASK, before);
}

void sites_fork_done(bool child)
{
    if (!forking)
        return;
    uint64_t before = mask_before_fork;
    forking = false;
    if (child)
        lock_forget();
    else
        lock_release();
    mask_change(SIG_SETMASK, before);
}

void sites_survive(pid_t child)
{
    lock_survive(child, repair);
}

static struct entry *find(uintptr_t back, long number)
{
    for (size_t i = (back + (uintptr_t)number) * 0x9e3779b97f4a7c15u >> 53;; i++) {
        struct entry *entry = &entries[i % ENTRIES];
        uintptr_t here = atomic_load_explicit(&entry->back, memory_order_acquire);
        if (!here || (here == back && entry->number == number))
            return entry;
    }
}

static void publish(uintptr_t back, long number, uintptr_t guard, struct stub *stub)
{
    if (entries_used >= ENTRIES / 2)
        return;
    entries_used++;
    struct entry *entry = find(back, number);
    entry->number = number;
    entry->guard = guard;
    entry->stub = stub;
    atomic_store_explicit(&entry->back, back, memory_order_release);
}

/* The moved instructions of a site that is far from the slots. NULL: no room within reach. */
static const uint8_t *write_island(struct stub *stub, const struct site *site)
{
    uint8_t *room = island_room((uintptr_t)site->start, ISLAND_ROOM);
    if (!room || !patch_writable((uintptr_t)room, ISLAND_ROOM, true))
        return NULL;
    const uint8_t *end = stub_write_island(room, ISLAND_ROOM, site, (uintptr_t)slot_of(stub) + stub->guard);
    if (!patch_writable((uintptr_t)room, ISLAND_ROOM, false) || !end)
        return NULL;

    island_use(room, ISLAND_ROOM);
    stub->island = room;
    stub->moved = (uint8_t)(end - room);
    return room;
}

/* What goes into a slot: one of these, or a stub without moved instructions. */
struct content {
    const struct site *site;
    struct stub_numbers *numbers;
    size_t i386_row;
};

static bool fill(struct stub *stub, uint8_t *slot, struct content content)
{
    return content.numbers    ? stub_write_numbers(stub, slot, content.numbers)
           : content.i386_row ? stub_write_i386(stub, slot, content.i386_row)
                              : stub_write(stub, slot, content.site);
}

/* The next slot; NULL where its content does not fit or cannot be written. */
static struct stub *new_stub(uintptr_t back, long number, struct content content)
{
    struct stub *stub = &stubs[stubs_used];
    uint8_t *slot = slot_of(stub);
    *stub = (struct stub){ .back = back, .number = number };
    if (!patch_writable((uintptr_t)slot, SLOT_SIZE, true))
        return NULL;
    bool written = fill(stub, slot, content);
    if (!patch_writable((uintptr_t)slot, SLOT_SIZE, false) || !written)
        return NULL;
    stubs_used++;
    return stub;
}

/* A new stub and, where the site is proved, a jump to it. NULL: no stub. */
static struct stub *build(uintptr_t back, long number, const struct site *site)
{
    uint8_t *slot = slot_of(&stubs[stubs_used]);
    bool near = site && island_reaches((uintptr_t)site->start, (uintptr_t)slot);
    struct stub *stub = new_stub(back, number, (struct content){ .site = near ? site : NULL });
    if (!stub || !site)
        return stub;

    stub->site = *site;
    stub->first = patch_first(site);
    for (int i = 0; i < PROVE_JUMP; i++)
        stub->before[i] = site->start[i];
    stub->moved = stub->guard;
    const uint8_t *target = near ? slot : write_island(stub, site);
    if (!target || !patch_jump(site, (uintptr_t)target, arm_selector))
        stub->site.start = NULL;
    return stub;
}

static uintptr_t guard_of(const struct stub *stub)
{
    return stub ? (uintptr_t)slot_of(stub) + stub->guard : 0;
}

static bool room_for(enum treatment treatment)
{
    return stubs_used < (treatment == TREAT_BRACKETED ? SLOTS : SLOTS - RESERVED);
}

/* A new stub for the site, and the site patched where that is proved to be right. A site that cannot be patched has
 * no use for a stub, unless its call has to be bracketed: it stays on the signal, and dispatch_full. */
static uintptr_t make(uintptr_t back, long number)
{
    enum treatment treatment = rows_treatment(number);
    bool bracketed = treatment == TREAT_BRACKETED, first = !find(back, ANY)->back;
    struct site site;
    bool patch = first && prove_site(back, &site);
    struct stub *stub = NULL;
    if ((patch || bracketed) && room_for(treatment))
        stub = build(back, number, patch ? &site : NULL);
    bool patched = stub && stub->site.start;
    if (bracketed && stub)
        publish(back, number, guard_of(stub), NULL);
    if (first)
        publish(back, ANY, treatment == TREAT_PLAIN ? guard_of(stub) : 0, patched ? stub : NULL);
    return treatment == TREAT_FULL ? 0 : guard_of(stub);
}

uintptr_t sites_moved(uintptr_t back)
{
    if (!patch_threads || find(back, ANY)->back)
        return 0;
    for (size_t i = 0; i < stubs_used; i++)
        if (stubs[i].site.start && (uintptr_t)stubs[i].site.start + CALL == back)
            return stubs[i].island ? (uintptr_t)stubs[i].island : (uintptr_t)slot_of(&stubs[i]);
    return 0;
}

static long key_of(long number)
{
    return rows_treatment(number) == TREAT_BRACKETED ? number : ANY;
}

static bool may_make(long number)
{
    return !dispatch_sealed && number >= 0 && number < COUNTERS_NUMBERS;
}

uintptr_t sites_find(uintptr_t back, long number)
{
    struct entry *entry = find(back, key_of(number));
    return entry->back ? entry->guard : 0;
}

uintptr_t sites_make(uintptr_t back, long number)
{
    struct entry *entry = find(back, key_of(number));
    if (entry->back)
        return entry->guard;
    if (!may_make(number) || !lock_try(repair))
        return 0;
    entry = find(back, key_of(number));
    uintptr_t guard = entry->back ? entry->guard : make(back, number);
    lock_release();
    return guard;
}

uintptr_t sites_make_now(uintptr_t back, long number)
{
    if (!may_make(number))
        return 0;
    uint64_t before = hold_signals();
    uintptr_t guard = 0;
    if (lock_wait(repair)) {
        struct entry *entry = find(back, key_of(number));
        guard = entry->back ? entry->guard : make(back, number);
        lock_release();
    }
    mask_change(SIG_SETMASK, before);
    return guard;
}

uintptr_t sites_make_i386(uintptr_t back, long number)
{
    long key = (long)COUNTERS_I386 << 32 | (uint32_t)number, row = rows_row(key);
    struct entry *entry = find(back, key);
    if (entry->back || row < 0 || dispatch_sealed || !lock_wait(repair))
        return entry->back ? entry->guard : 0;
    if (!entry->back) {
        bool room = room_for(TREAT_BRACKETED) && entries_used < ENTRIES / 2;
        struct stub *stub = room ? new_stub(back, key, (struct content){ .i386_row = (size_t)row }) : NULL;
        publish(back, key, guard_of(stub), NULL);
    }
    lock_release();
    return find(back, key)->guard;
}

/* The site's jump by number; made at its second number. NULL: no room. */
static struct stub_numbers *numbers_of(struct stub *site)
{
    if (site->others != (uintptr_t)dispatch_full)
        return &switches[stubs[((site->others - (uintptr_t)dispatch_slots) / SLOT_SIZE)].number];
    if (switches_used == SWITCHES || !room_for(TREAT_PLAIN))
        return NULL;

    struct stub *stub = new_stub(site->back, (long)switches_used, (struct content){ .numbers = &switches[switches_used] });
    if (!stub)
        return NULL;
    switches_used++;
    atomic_thread_fence(memory_order_release);
    site->others = (uintptr_t)slot_of(stub);
    return &switches[switches_used - 1];
}

static void learn(struct stub *site, long number)
{
    struct stub_numbers *numbers = numbers_of(site);
    struct stub *stub = numbers && room_for(TREAT_PLAIN) ? new_stub(site->back, number, (struct content){ 0 }) : NULL;
    publish(site->back, number, guard_of(stub), NULL);
    if (stub)
        atomic_store_explicit((_Atomic uintptr_t *)&numbers->low[number >> 8][number & 255], guard_of(stub),
                              memory_order_release);
}

void sites_learn(uintptr_t back, long number)
{
    struct stub *site = find(back, ANY)->stub;
    if (!site || site->number == number || !may_make(number) || rows_treatment(number) != TREAT_PLAIN ||
        find(back, number)->back || entries_used >= ENTRIES / 2)
        return;

    uint64_t before = hold_signals();
    if (lock_try(repair)) {
        if (!find(back, number)->back)
            learn(site, number);
        lock_release();
    }
    mask_change(SIG_SETMASK, before);
}

void sites_retire(long number)
{
    uint64_t before = hold_signals();
    if (lock_wait(repair)) {
        for (size_t i = 0; i < stubs_used; i++)
            if (stubs[i].number == number && stubs[i].call)
                patch_skip(slot_of(&stubs[i]) + stubs[i].guard, STUB_GUARD - PROVE_JUMP);
        lock_release();
    }
    mask_change(SIG_SETMASK, before);
}

void sites_leave(void)
{
    uint64_t before = hold_signals();
    if (lock_wait(repair)) {
        for (size_t i = 0; i < stubs_used; i++)
            if (stubs[i].site.start)
                patch_undo(&stubs[i].site, stubs[i].before);
        lock_release();
    }
    mask_change(SIG_SETMASK, before);
}

bool sites_place(uintptr_t at, struct stub_place *place)
{
    size_t offset = at - (uintptr_t)dispatch_slots;
    if (offset < SLOT_SIZE * SLOTS && offset / SLOT_SIZE < stubs_used) {
        stub_place(&stubs[offset / SLOT_SIZE], offset % SLOT_SIZE, place);
        return true;
    }
    if (!island_holds(at))
        return false;
    for (size_t i = 0; i < stubs_used; i++) {
        offset = at - (uintptr_t)stubs[i].island;
        if (stubs[i].island && offset < ISLAND_ROOM) {
            const struct stub *stub = &stubs[i];
            uintptr_t shown = offset < stub->moved ? patch_moved(&stub->site, stub->first, (unsigned)offset) : stub->back - 2;
            *place = (struct stub_place){ shown, stub->number, 0, 0 };
            return true;
        }
    }
    return false;
}
