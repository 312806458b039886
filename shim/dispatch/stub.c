/* Stubs: the machine code that counts the calls of one site. Three kinds, all laid out in a slot of SLOT_SIZE bytes:
 *
 *   plain      moved instructions; guard; count; syscall; error?; jump back          one number, no C at all
 *   full       moved instructions; jump to dispatch_full                             numbers that need care
 *   bracketed  moved instructions; guard; dispatch_before; syscall; dispatch_after   calls that return twice
 *
 * The guard compares the number with the one that the stub was made for, so a stub is right whatever the program has
 * in rax, and any other number goes to dispatch_full. See README.md for flags, red zone and the rest. */
#include "dispatch.h"

#include "../kernel.h"

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
static _Atomic pid_t owner;        /* the thread that makes stubs, or keeps others from it around a fork */

static pid_t thread_id(void)
{
    return (pid_t)kernel_call(SYS_gettid);
}

/* Recursive, since a signal handler may run in a thread between stub_fork_prepare and the fork. Signals are blocked
 * wherever an entry is half made. Returns whether it was free. */
static bool lock(void)
{
    pid_t self = thread_id(), nobody = 0;
    if (atomic_load(&owner) == self)
        return false;
    while (!atomic_compare_exchange_weak(&owner, &nobody, self)) {
        nobody = 0;
        kernel_call(SYS_sched_yield);
    }
    return true;
}

static void unlock(void)
{
    atomic_store(&owner, 0);
}

static _Thread_local int forks;

void stub_fork_prepare(void)
{
    if (lock())
        forks = 1;
    else
        forks++;
}

void stub_fork_done(void)
{
    if (--forks == 0)
        unlock();
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
    PUT(writer, 0xe3, 5, 0xe9);                                 /* jrcxz over the jump back */
    put_distance(writer, info->back);
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
    writer->failed |= writer->at > slot + SLOT_INLINE;
    writer->at = slot + SLOT_INLINE;
    PUT(writer, 0x0f, 0x05, 0x4c, 0x8d, 0x1d);                  /* syscall; lea info(%rip), %r11; jmp dispatch_after */
    put_distance(writer, (uintptr_t)info);
    PUT(writer, 0xe9);
    put_distance(writer, (uintptr_t)dispatch_after);
}

/* Write a slot; `site` is NULL where the site cannot be patched. Returns its guard, 0 where it does not fit. */
static uintptr_t write_slot(uint8_t *slot, const struct site *site, uintptr_t back, long number)
{
    enum treatment treatment = dispatch_treatment(number);
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

uintptr_t stub_find(uintptr_t back, long number)
{
    bool bracketed = dispatch_treatment(number) == TREAT_BRACKETED;
    struct entry *entry = find(back, bracketed ? number : ANY);
    return entry->back ? entry->guard : 0;
}

/* A new slot for the site: written, made executable, and the site patched where that is proved to be right. */
static uintptr_t make(uintptr_t back, long number)
{
    enum treatment treatment = dispatch_treatment(number);
    bool bracketed = treatment == TREAT_BRACKETED, first = !find(back, ANY)->back;
    struct site site;
    bool patch = first && patch_prove(back, &site);
    unsigned limit = bracketed ? SLOTS : SLOTS - RESERVED;
    if (slots_used >= limit || (!patch && !bracketed)) {
        publish(back, ANY, 0);  /* stays on the signal */
        return 0;
    }
    uint8_t *slot = (uint8_t *)dispatch_slots + SLOT_SIZE * slots_used;
    if (!patch_writable((uintptr_t)slot, SLOT_SIZE, true))
        return 0;
    uintptr_t guard = patch ? write_slot(slot, &site, back, number) : 0;
    if (patch && !guard)
        patch = false;
    if (!patch && bracketed)
        guard = write_slot(slot, NULL, back, number);
    bool ready = patch_writable((uintptr_t)slot, SLOT_SIZE, false) && guard;
    if (ready) {
        slots_used++;
        if (patch)
            patch_jump(&site, (uintptr_t)slot);
    }
    if (bracketed && ready)
        publish(back, number, guard);
    if (first)
        publish(back, ANY, ready && treatment == TREAT_PLAIN ? guard : 0);
    return ready && treatment != TREAT_FULL ? guard : 0;
}

uintptr_t stub_make(uintptr_t back, long number)
{
    bool bracketed = dispatch_treatment(number) == TREAT_BRACKETED;
    struct entry *entry = find(back, bracketed ? number : ANY);
    if (entry->back)
        return entry->guard;
    if (dispatch_sealed || number < 0 || number >= COUNTERS_NUMBERS)
        return 0;
    bool locked = lock();
    entry = find(back, bracketed ? number : ANY);
    uintptr_t guard = entry->back ? entry->guard : make(back, number);
    if (locked)
        unlock();
    return guard;
}

uintptr_t stub_make_now(uintptr_t back, long number)
{
    uint64_t all = ~0ul, old;
    kernel_call(SYS_rt_sigprocmask, 0 /* SIG_BLOCK */, &all, &old, sizeof old);
    uintptr_t guard = stub_make(back, number);
    kernel_call(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, &old, NULL, sizeof old);
    return guard;
}
