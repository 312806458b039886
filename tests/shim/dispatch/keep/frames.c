/* Frames of signals as processors have them that this machine may not be: plain, AVX, AVX-512 and AMX, moved from our
 * alternate stack to where the kernel would have put them without us. The frames are made up, with the header that the
 * kernel writes (struct _fpx_sw_bytes in asm/sigcontext.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shim/dispatch/keep/stacks.h"

enum { HEADER = 464, MAGIC = 0x46505853, RED = 128, GUARD = 0xa5 };

/* What XSAVE takes, and the kernel's four bytes of a second magic number behind it. */
static const size_t vectors[] = { 0, 512, 832 + 4, 2696 + 4, 11008 + 4 };
enum { KINDS = sizeof vectors / sizeof *vectors, LARGEST = KINDS - 1 };

static stack_t ours;

static int set_up(void **state)
{
    (void)state;
    stacks_begin(true);
    return sigaltstack(NULL, &ours) || ours.ss_flags & SS_DISABLE;
}

/* The program's call of sigaltstack; its result. */
static long set_stack(void *start, size_t size, int flags)
{
    stack_t stack = { .ss_sp = start, .ss_size = size, .ss_flags = flags };
    struct frame frame = { 0 };
    ARGUMENT(&frame, 1) = (long)&stack;
    stacks_enter(&frame);
    return frame.rax;
}

/* The kernel's frame at the top of our stack, with that much vector state. */
static struct signal_frame *strike(size_t size)
{
    uintptr_t top = (uintptr_t)ours.ss_sp + ours.ss_size, floating = (top - size) & -64ul;
    memset(ours.ss_sp, 0, ours.ss_size);
    struct signal_frame *frame = (struct signal_frame *)((((size ? floating : top) - sizeof *frame) & -16ul) - 8);
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)floating)[i] = (uint8_t)(i * 7 + i / 256);
    if (size > 512)
        memcpy((uint8_t *)floating + HEADER, (uint32_t[]){ MAGIC, (uint32_t)size }, 8);
    frame->floating = size ? (uint8_t *)floating : NULL;
    frame->restorer = 0x1234;
    frame->mask = 0x5678;
    frame->info.si_signo = SIGUSR1;
    return frame;
}

/* It stands within the stack, as the ABI has it, and says what it said. */
static void assert_moved(const struct signal_frame *frame, size_t size, uintptr_t top, uintptr_t bottom)
{
    assert_non_null(frame);
    uintptr_t at = (uintptr_t)frame, end = size ? (uintptr_t)frame->floating + size : at + sizeof *frame;
    assert_true(at >= bottom && end <= top);
    assert_true(top - at <= size + 64 + sizeof *frame + 16 + 8);
    assert_int_equal((at + 8) % 16, 0);  /* as behind a call */
    assert_int_equal(frame->restorer, 0x1234);
    assert_int_equal(frame->mask, 0x5678);
    assert_int_equal(frame->info.si_signo, SIGUSR1);
    if (!size) {
        assert_null(frame->floating);
        return;
    }
    assert_int_equal((uintptr_t)frame->floating % 64, 0);
    assert_true((uintptr_t)frame->floating >= at + sizeof *frame);
    struct signal_frame *same = strike(size);
    assert_memory_equal(frame->floating, same->floating, size);
}

static void a_frame_of_any_processor_moves_to_the_programs_stack(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        size_t size = 64 << 10;
        uint8_t *stack = aligned_alloc(4096, size);
        assert_int_equal(set_stack(stack, size, 0), 0);
        struct signal_frame *frame = stacks_deliver(strike(vectors[kind]), (uintptr_t)&frame, true);
        assert_ptr_equal(frame->stack.ss_sp, stack);  /* what the handler sees of it */
        assert_moved(frame, vectors[kind], (uintptr_t)stack + size, (uintptr_t)stack);
        assert_int_equal(set_stack(NULL, 0, SS_DISABLE), 0);
        free(stack);
    }
}

static void without_one_it_moves_below_the_red_zone(void **state)
{
    (void)state;
    static uint8_t stack[64 << 10] __attribute__((aligned(4096)));
    for (int kind = 0; kind < KINDS; kind++) {
        for (unsigned offset = 0; offset < 64; offset += 8) {
            uintptr_t sp = (uintptr_t)stack + sizeof stack - 1024 - offset;
            memset(stack, GUARD, sizeof stack);
            struct signal_frame *frame = stacks_deliver(strike(vectors[kind]), sp, kind % 2);
            assert_moved(frame, vectors[kind], sp - RED, (uintptr_t)stack);
            for (uint8_t *at = (uint8_t *)sp - RED; at < stack + sizeof stack; at++)
                assert_int_equal(*at, GUARD);  /* the program's own data */
        }
    }
}

/* To the byte: what has no room is not written, and is the SIGSEGV that the kernel would send. */
static void a_stack_that_is_too_small_is_not_overrun(void **state)
{
    (void)state;
    static uint8_t memory[64 << 10] __attribute__((aligned(4096)));
    for (int kind = 0; kind < KINDS; kind++) {
        size_t needs = ((vectors[kind] + 63) & -64ul) + sizeof(struct signal_frame) + 8, most = needs + 64;
        for (size_t size = 2048 /* the kernel takes none that is smaller */; size <= most; size += 8) {
            uint8_t *stack = memory + 4096;
            memset(memory, GUARD, sizeof memory);
            if (set_stack(stack, size, 0) != 0)
                continue;  /* this machine's kernel knows that its own frames do not fit */
            struct signal_frame *frame = stacks_deliver(strike(vectors[kind]), (uintptr_t)&frame, true);
            assert_true(frame || size < most);
            assert_true(!frame || size >= sizeof *frame + vectors[kind]);
            if (frame)
                assert_moved(frame, vectors[kind], (uintptr_t)stack + size, (uintptr_t)stack);
            for (uint8_t *at = memory; at < stack; at++)
                assert_int_equal(*at, GUARD);
            for (uint8_t *at = stack; !frame && at < stack + size; at++)
                assert_int_equal(*at, GUARD);
        }
        assert_int_equal(set_stack(NULL, 0, SS_DISABLE), 0);
    }
}

/* Our own takes the largest there is several times: signals that strike in a handler of SIGSYS nest there. */
static void our_stack_has_room_for_the_largest(void **state)
{
    (void)state;
    assert_true(ours.ss_size >= 8 * (vectors[LARGEST] + sizeof(struct signal_frame)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_of_any_processor_moves_to_the_programs_stack),
        cmocka_unit_test(without_one_it_moves_below_the_red_zone),
        cmocka_unit_test(a_stack_that_is_too_small_is_not_overrun),
        cmocka_unit_test(our_stack_has_room_for_the_largest),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
