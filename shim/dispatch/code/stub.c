/* Stubs: the machine code that counts the calls of one site. Here is a site, its stub and the way back:
 *
 *     the site, in libc            the stub, a slot of SLOT_SIZE bytes in dispatch_slots
 *
 *     mov   $39, %eax   ------->   mov   $39, %eax               what the jump displaced
 *       (now jmp stub)             lea   -39(%rax), %rcx         the guard: is it number 39?
 *                                  jrcxz 1f
 *                                  mov   back(%rip), %r11        no: to dispatch_full, or to where the numbers of
 *                                  jmp   *others(%rip)           this site are told apart
 *                                1:mov   %fs:thread, %rcx        this thread's shard of the table
 *                                  ...                           flags to rax, count, flags and rax back
 *     syscall                      syscall
 *     cmp   $-4096, %rax  <------  jmp   *back(%rip)             unless it may be an error: dispatch_error
 *
 * Three kinds, and what tells numbers apart:
 *
 *   plain      moved instructions; guard; count; syscall; error?; jump back          one number, no C at all
 *   full       moved instructions; others                                            numbers that need care
 *   bracketed  moved instructions; guard; dispatch_before; syscall; dispatch_after   calls that return twice
 *   numbers    a jump by the number to one of the site's plain stubs, or to dispatch_full
 *
 * The guard compares the number with the one that the stub was made for, so a stub is right whatever the program has
 * in rax. See README.md for flags, red zone and the rest. */
#include "dispatch/code/stub.h"

#include "counters.h"
#include "dispatch/code/patch.h"
#include "dispatch/frame.h"
#include "dispatch/rows.h"

#define OFFSET(field) offsetof(struct frame, field)
_Static_assert(sizeof(struct frame) == FRAME_SIZE && OFFSET(rax) == FRAME_RAX && OFFSET(back) == FRAME_BACK &&
               OFFSET(flags) == FRAME_FLAGS && OFFSET(rbx) == FRAME_RBX && OFFSET(info) == FRAME_INFO &&
               OFFSET(number) == FRAME_NUMBER && OFFSET(rbp) == FRAME_RBP && OFFSET(r15) == FRAME_R15 &&
               OFFSET(kept) == FRAME_KEPT && OFFSET(resumed) == FRAME_RESUMED, "entry.S");
_Static_assert(offsetof(struct slot_info, back) == INFO_BACK, "entry.S");

/* Code is written through this; what does not fit makes the stub fail. */
struct writer {
    uint8_t *at, *limit;
    uintptr_t *others;
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

/* mov back(%rip), %r11; jmp *others(%rip): to dispatch_full, or to where the site's other numbers are told apart. */
static void put_others(struct writer *writer, const struct slot_info *info)
{
    PUT(writer, 0x4c, 0x8b, 0x1d);
    put_distance(writer, (uintptr_t)&info->back);
    PUT(writer, 0xff, 0x25);
    put_distance(writer, (uintptr_t)writer->others);
}

/* lea -number(%rax), %rcx; jrcxz over what put_others writes: neither changes a flag. Returns where that begins. */
static uint8_t *put_guard(struct writer *writer, const struct slot_info *info)
{
    PUT(writer, 0x48, 0x8d, 0x88);
    put_number(writer, -(int32_t)info->number);
    PUT(writer, 0xe3, 13);
    uint8_t *others = writer->at;
    put_others(writer, info);
    return others;
}

static void put_plain(struct writer *writer, const struct slot_info *info, struct stub *stub)
{
    uint8_t *slot = (uint8_t *)info - SLOT_INFO;
    size_t row = offsetof(struct counters_shard, system) + info->number * sizeof(struct counter);
    uint8_t *others = put_guard(writer, info);
    PUT(writer, 0x64, 0x48, 0x8b, 0x0c, 0x25);                  /* mov %fs:thread, %rcx: this thread's shard */
    put_number(writer, (int32_t)info->thread);
    PUT(writer, 0xe3, (uint8_t)(others - (writer->at + 2)));      /* jrcxz: it has none yet */
    PUT(writer, 0x9f, 0x0f, 0x90, 0xc0);                        /* lahf; seto %al: rax is known, the flags go there */
    PUT(writer, 0xf0, 0x48, 0xff, 0x81);                        /* lock incq row(%rcx) */
    put_number(writer, (int32_t)row);
    stub->add = (uint8_t)(writer->at - slot);
    PUT(writer, 0x04, 0x7f, 0x9e, 0xb8);                        /* add $127, %al; sahf: as they were; mov $number, %eax */
    put_number(writer, (int32_t)info->number);
    stub->call = (uint8_t)(writer->at - slot);
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

enum { I386_LOWERED = 7, I386_CALLED = 23 };  /* offsets in the next: behind lea, behind call */

/* int $0x80 keeps all registers but rax: what counting uses is saved below the red zone. */
static void put_i386(struct writer *writer, const struct slot_info *info)
{
    PUT(writer, 0xcd, 0x80, 0x48, 0x8d, 0x64, 0x24, 0x80);      /* int $0x80; lea -RED_ZONE(%rsp), %rsp */
    PUT(writer, 0x9c, 0x51, 0x41, 0x53);                        /* pushfq; push %rcx; push %r11 */
    PUT(writer, 0x4c, 0x8d, 0x1d);                              /* lea info(%rip), %r11; call dispatch_error_i386 */
    put_distance(writer, (uintptr_t)info);
    PUT(writer, 0xe8);
    put_distance(writer, (uintptr_t)dispatch_error_i386);
    PUT(writer, 0x41, 0x5b, 0x59, 0x9d);                        /* pop %r11; pop %rcx; popfq */
    PUT(writer, 0x48, 0x8d, 0xa4, 0x24, RED_ZONE, 0, 0, 0);     /* lea RED_ZONE(%rsp), %rsp; jmp *back(%rip) */
    PUT(writer, 0xff, 0x25);
    put_distance(writer, (uintptr_t)&info->back);
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

/* movzbl %ah, %ecx; by that and %al through two tables; neither changes a flag. */
static void put_numbers(struct writer *writer, const struct slot_info *info, const struct stub_numbers *numbers)
{
    PUT(writer, 0x4c, 0x8d, 0x1d);                              /* lea numbers(%rip), %r11 */
    put_distance(writer, (uintptr_t)numbers);
    PUT(writer, 0x0f, 0xb6, 0xcc, 0x4d, 0x8b, 0x1c, 0xcb);      /* movzbl %ah, %ecx; mov (%r11,%rcx,8), %r11 */
    PUT(writer, 0x0f, 0xb6, 0xc8, 0x41, 0xff, 0x24, 0xcb);      /* movzbl %al, %ecx; jmp *(%r11,%rcx,8) */
    writer->at = (uint8_t *)info - SLOT_INFO + STUB_OTHERS;
    put_others(writer, info);
}

static void put_info(struct slot_info *info, uintptr_t back, long number, size_t row)
{
    uint8_t *self;
    __asm__("mov %%fs:0, %0" : "=r"(self));
    *info = (struct slot_info){
        .back = back,
        .row = row,
        .thread = (uint64_t)((uint8_t *)&counters_mine - self),
        .number = (uint64_t)number,
    };
}

bool stub_write(struct stub *stub, uint8_t *slot, const struct site *site)
{
    enum treatment treatment = rows_treatment(stub->number);
    struct slot_info *info = (struct slot_info *)(slot + SLOT_INFO);
    struct writer writer = { slot, slot + SLOT_INFO, &stub->others, false };
    put_info(info, stub->back, stub->number, (size_t)stub->number);
    stub->others = (uintptr_t)dispatch_full;
    if (site && !(writer.at = patch_move(site, slot, slot + SLOT_INLINE)))
        return false;

    stub->guard = (uint8_t)(writer.at - slot);
    if (treatment == TREAT_FULL)
        put_others(&writer, info);
    else if (treatment == TREAT_BRACKETED)
        put_bracketed(&writer, info);
    else
        put_plain(&writer, info, stub);
    return !writer.failed;
}

bool stub_write_numbers(struct stub *stub, uint8_t *slot, struct stub_numbers *numbers)
{
    struct slot_info *info = (struct slot_info *)(slot + SLOT_INFO);
    struct writer writer = { slot, slot + SLOT_INFO, &stub->others, false };
    put_info(info, stub->back, 0, 0);
    stub->others = (uintptr_t)dispatch_full;
    for (int i = 0; i < 256; i++) {
        numbers->high[i] = numbers->low[i < 2 ? i : 2];
        for (int k = 0; k < 3; k++)
            numbers->low[k][i] = (uintptr_t)slot + STUB_OTHERS;
    }
    put_numbers(&writer, info, numbers);
    return !writer.failed;
}

bool stub_write_i386(struct stub *stub, uint8_t *slot, size_t row)
{
    struct slot_info *info = (struct slot_info *)(slot + SLOT_INFO);
    struct writer writer = { slot, slot + SLOT_INFO, NULL, false };
    put_info(info, stub->back, stub->number, row);
    put_i386(&writer, info);
    stub->i386 = true;
    return !writer.failed;
}

uint8_t *stub_write_island(uint8_t *room, size_t size, const struct site *site, uintptr_t guard)
{
    struct writer writer = { patch_move(site, room, room + size - 14), room + size, NULL, false };
    if (!writer.at)
        return NULL;
    uint8_t *end = writer.at;
    PUT(&writer, 0xff, 0x25, 0, 0, 0, 0);                       /* jmp *(%rip) */
    put(&writer, &guard, sizeof guard);
    return writer.failed ? NULL : end;
}

/* lahf comes four bytes before the counting that is 8 bytes before stub->add; behind that add, sahf, mov: 2, 1 and 5. */
static int flags_moved(const struct stub *stub, unsigned offset)
{
    unsigned add = stub->add;
    return !add || offset < add - 11 || offset >= add + 8 ? 0 : offset == add ? 2 : offset == add + 2 ? 3 : 1;
}

/* How far an int $0x80's stub has lowered the stack pointer. */
static unsigned lowered(unsigned offset)
{
    static const uint8_t before[] = { 0, 8, 16, 16, SAVED_I386 }, behind[] = { SAVED_I386, SAVED_I386, 16, 8, 0 };
    if (offset < I386_LOWERED)
        return 0;
    if (offset < I386_CALLED)
        return RED_ZONE + (offset - I386_LOWERED < sizeof before ? before[offset - I386_LOWERED] : SAVED_I386);
    return offset - I386_CALLED < sizeof behind ? RED_ZONE + behind[offset - I386_CALLED] : 0;
}

void stub_place(const struct stub *stub, unsigned offset, struct stub_place *place)
{
    if (stub->i386) {
        *place = (struct stub_place){ offset ? stub->back : stub->back - 2, stub->number, lowered(offset), 0 };
        return;
    }
    bool behind = stub->call && offset > stub->call;
    for (unsigned i = 0; rows_treatment(stub->number) == TREAT_BRACKETED && i < SHARINGS; i++) {
        unsigned call = SLOT_INLINE + INLINE_SIZE * i;
        behind |= offset > call && offset < call + INLINE_SIZE;
    }
    *place = (struct stub_place){ behind ? stub->back : stub->back - 2, stub->number, 0, flags_moved(stub, offset) };
    if (offset < stub->guard)
        place->shown = patch_moved(&stub->site, stub->first, offset);
}
