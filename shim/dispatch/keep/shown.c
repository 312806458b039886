/* The site in place of our code. libc's cancellation looks whether a signal struck at its `syscall`, unwinders and
 * profilers want the program's functions: a handler has to find the registers that it would find without us.
 *
 * Where the way back cannot be told from the site, it stands in words of the signal frame that the kernel leaves alone,
 * and where C was running for a call, its registers are in the call's struct frame. A handler that jumps away or sets
 * another address never comes back to our code, and nothing has to be undone. */
#include "dispatch/keep/shown.h"

#include "dispatch/code/sites.h"
#include "dispatch/keep/gates.h"
#include "dispatch/newborn.h"

#define COOKIE UINT64_C(0x6c6962636f756e74)  /* "libcount" */
enum { GATE_SIZE = 16, CALL = 2 /* bytes of `syscall` */, C_STACK = 16384 };

/* signal->frame where it is none: which registers have to be restored. */
enum { FRAME_NONE, FRAME_BEHIND /* the lowest bit of a frame */, FRAME_STUB, FRAME_ROUTINE = 4 };

_Thread_local uintptr_t dispatch_current;

/* A row of entry.S's table: from here to the next row. The address counts from the field that holds it. */
struct region {
    int32_t from;
    uint8_t kind, behind, info, unused;     /* info: r11 is slot_info */
};
extern const struct region dispatch_regions[], dispatch_regions_end[] __attribute__((visibility("hidden")));
__asm__(".hidden dispatch_regions, dispatch_regions_end");

static uintptr_t from(const struct region *region)
{
    return (uintptr_t)&region->from + (uintptr_t)(intptr_t)region->from;
}

/* The region of an address; NULL where it is none of entry.S. */
static const struct region *find_region(uintptr_t at)
{
    const struct region *found = NULL;
    for (const struct region *region = dispatch_regions; region < dispatch_regions_end && from(region) <= at; region++)
        found = region;
    return found && found + 1 < dispatch_regions_end && found->kind != REGION_NONE ? found : NULL;
}

static void resume_at(struct signal_frame *signal, uintptr_t resume)
{
    signal->cookie = COOKIE;
    signal->shown = (uint64_t)signal->registers[REG_RIP];
    signal->resume = resume;
}

/* A call in C, or on its way to C and back: the program's registers are in its frame. */
static void show_frame(struct signal_frame *signal, struct frame *frame, bool behind)
{
    greg_t *registers = signal->registers;
    uintptr_t at = (uintptr_t)registers[REG_RIP];
    long arguments[7];
    for (int n = 1; n <= 6; n++)
        arguments[n] = frame->kept && frame->index == n ? frame->kept : ARGUMENT(frame, n);
    for (int i = 0; i <= REG_EFL; i++)
        frame->struck[i] = registers[i];

    registers[REG_RDI] = arguments[1];
    registers[REG_RSI] = arguments[2];
    registers[REG_RDX] = arguments[3];
    registers[REG_R10] = arguments[4];
    registers[REG_R8] = arguments[5];
    registers[REG_R9] = arguments[6];
    registers[REG_RBX] = (greg_t)frame->rbx;
    registers[REG_RBP] = (greg_t)frame->rbp;
    registers[REG_R12] = (greg_t)frame->r12;
    registers[REG_R13] = (greg_t)frame->r13;
    registers[REG_R14] = (greg_t)frame->r14;
    registers[REG_R15] = (greg_t)frame->r15;
    registers[REG_EFL] = (greg_t)frame->flags;
    registers[REG_RSP] = (greg_t)((uintptr_t)frame + FRAME_SIZE + RED_ZONE);
    registers[REG_RIP] = (greg_t)(behind ? frame->back : frame->back - CALL);
    if (at != (uintptr_t)dispatch_full_called && at != (uintptr_t)dispatch_full_called - CALL)
        registers[REG_RAX] = frame->rax;

    signal->frame = (uintptr_t)frame | behind;
    resume_at(signal, at);
}

/* Back into C: what the handler made of the result is the result. */
static void resume_frame(struct signal_frame *signal)
{
    struct frame *frame = (struct frame *)(signal->frame & ~(uint64_t)FRAME_BEHIND);
    greg_t result = signal->registers[REG_RAX];
    if (signal->frame & FRAME_BEHIND) {
        frame->rax = result;
        frame->struck[REG_RAX] = signal->resume == (uintptr_t)dispatch_full_called ? result : frame->struck[REG_RAX];
    }
    for (int i = 0; i <= REG_EFL; i++)
        signal->registers[i] = frame->struck[i];
}

/* What a routine, or the stub of an int $0x80, has changed of these is shown as it was. */
static void keep_stack(struct signal_frame *signal)
{
    signal->frame = FRAME_ROUTINE;
    signal->struck_rsp = (uint64_t)signal->registers[REG_RSP];
    signal->struck_rbx = (uint64_t)signal->registers[REG_RBX];
    signal->struck_flags = (uint64_t)signal->registers[REG_EFL];
}

static void show_stub(struct signal_frame *signal, const struct stub_place *place)
{
    greg_t *registers = signal->registers;
    uintptr_t at = (uintptr_t)registers[REG_RIP];
    registers[REG_RIP] = (greg_t)place->shown;
    resume_at(signal, at);
    if (place->below) {
        keep_stack(signal);
        registers[REG_RSP] += place->below;
    }
    if (!place->flags_moved)
        return;

    enum { AH_FLAGS = 0xd5, OVERFLOW = 0x800 };
    signal->frame = FRAME_STUB;
    signal->struck_rax = (uint64_t)registers[REG_RAX];
    signal->struck_flags = (uint64_t)registers[REG_EFL];
    if (place->flags_moved > 1) {
        greg_t flags = (registers[REG_EFL] & ~(greg_t)AH_FLAGS) | (registers[REG_RAX] >> 8 & AH_FLAGS);
        if (place->flags_moved == 2)
            flags = (flags & ~(greg_t)OVERFLOW) | (registers[REG_RAX] & 1 ? OVERFLOW : 0);
        registers[REG_EFL] = flags;
    }
    registers[REG_RAX] = place->number;
}

/* Which gate, as long as r11 says so. */
static size_t gate_of(const greg_t *registers)
{
    uintptr_t offset = (uintptr_t)registers[REG_RIP] - (uintptr_t)dispatch_gates;
    return offset < GATES * GATE_SIZE ? offset / GATE_SIZE : (size_t)registers[REG_R11];
}

bool shown_at_gate(const struct signal_frame *signal, size_t *gate, int *number)
{
    const struct region *region = find_region((uintptr_t)signal->registers[REG_RIP]);
    if (!region || (region->kind != REGION_GATE && region->kind != REGION_GATE_R9))
        return false;
    *gate = gate_of(signal->registers);
    *number = (int)signal->registers[region->kind == REGION_GATE ? REG_RDI : REG_R9];
    return true;
}

/* Between the kernel and a handler: as if the handler had just begun. */
static void show_gate(struct signal_frame *signal, uint8_t kind)
{
    greg_t *registers = signal->registers;
    struct signal_frame *entered = (struct signal_frame *)registers[REG_RSP];
    uintptr_t gates = (uintptr_t)dispatch_gates;
    size_t gate = gate_of(registers);
    bool chosen = kind == REGION_GATE_GO;
    if (kind != REGION_GATE)
        registers[REG_RDI] = registers[REG_R9];
    registers[REG_RSI] = (greg_t)(uintptr_t)&entered->info;
    registers[REG_RDX] = (greg_t)(uintptr_t)&entered->flags;
    registers[REG_RAX] = 0;
    registers[REG_RIP] = chosen ? registers[REG_R8] : (greg_t)gates_handler(gate);
    resume_at(signal, chosen ? (uintptr_t)dispatch_gate_go : gates + gate * GATE_SIZE);
}

/* On the way into a routine or out of it: the stack pointer is `below` the program's. */
static void show_routine(struct signal_frame *signal, const struct region *region, uintptr_t below)
{
    greg_t *registers = signal->registers;
    uintptr_t at = (uintptr_t)registers[REG_RIP], back = (uintptr_t)registers[REG_R11];
    keep_stack(signal);
    if (region->kind == REGION_ERROR_PUSHED)
        registers[REG_EFL] = *(const greg_t *)registers[REG_RSP];
    if (region->kind == REGION_KEPT)
        registers[REG_RBX] = (greg_t)((const struct frame *)registers[REG_RSP])->rbx;
    if (region->info)
        back = ((const struct slot_info *)back)->back;

    registers[REG_RSP] += (greg_t)below;
    registers[REG_RIP] = (greg_t)(region->behind ? back : back - CALL);
    resume_at(signal, at);
}

static void show_region(struct signal_frame *signal, const struct region *region)
{
    enum { LOWERED = RED_ZONE + FRAME_SIZE };
    greg_t *registers = signal->registers;
    uintptr_t stub;
    switch (region->kind) {
    case REGION_PLAIN: show_routine(signal, region, 0); break;
    case REGION_LOWERED: case REGION_KEPT: show_routine(signal, region, LOWERED); break;
    case REGION_PUSHED: show_routine(signal, region, LOWERED + 8); break;
    case REGION_ERROR: show_routine(signal, region, RED_ZONE); break;
    case REGION_ERROR_PUSHED: show_routine(signal, region, RED_ZONE + 8); break;
    case REGION_I386: show_routine(signal, region, RED_ZONE + SAVED_I386 + 8); break;
    case REGION_RBX: show_frame(signal, (struct frame *)registers[REG_RBX], region->behind); break;
    case REGION_RSP: show_frame(signal, (struct frame *)registers[REG_RSP], region->behind); break;
    case REGION_RCX: registers[REG_RIP] = registers[REG_RCX]; break;
    case REGION_R11:
        stub = (uintptr_t)registers[REG_R11];
        registers[REG_RIP] = registers[REG_RCX] - CALL;
        resume_at(signal, stub);
        break;
    case REGION_GATE: case REGION_GATE_R9: case REGION_GATE_GO: show_gate(signal, region->kind); break;
    }
}

void shown_begin(struct signal_frame *signal)
{
    uintptr_t at = (uintptr_t)signal->registers[REG_RIP], current = dispatch_current;
    const struct region *region = find_region(at);
    struct stub_place place;
    signal->cookie = 0;
    signal->frame = FRAME_NONE;
    signal->current = current;
    dispatch_current = 0;
    if (sites_place(at, &place))
        show_stub(signal, &place);
    else if (region)
        show_region(signal, region);
    else if (current - (uintptr_t)signal->registers[REG_RSP] < C_STACK)  /* a task may have another's thread data */
        show_frame(signal, (struct frame *)(current & ~(uintptr_t)1), current & 1);
    if (signal->cookie == COOKIE && !signal->registers[REG_RAX])
        newborn_struck();
}

uintptr_t shown_end(struct signal_frame *signal)
{
    greg_t *registers = signal->registers;
    bool ours = signal->cookie == COOKIE && signal->shown == (uint64_t)registers[REG_RIP];
    signal->cookie = 0;
    if (!ours)
        return 0;

    registers[REG_RIP] = (greg_t)signal->resume;
    switch (signal->frame) {
    case FRAME_STUB:
        registers[REG_RAX] = (greg_t)signal->struck_rax;
        registers[REG_EFL] = (greg_t)signal->struck_flags;
        return 0;
    case FRAME_ROUTINE:
        registers[REG_RSP] = (greg_t)signal->struck_rsp;
        registers[REG_RBX] = (greg_t)signal->struck_rbx;
        registers[REG_EFL] = (greg_t)signal->struck_flags;
        return 0;
    case FRAME_NONE:
        return signal->current;
    }
    resume_frame(signal);
    return signal->current;
}
