/* Which sites are patched, and what is written: sites in assembly, what their moved instructions must be, and sites
 * that must be refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "moved.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A function NAME of assembly, with a `syscall` between `before` and `behind` and the label NAME_back behind it, and NAME_start where the
 * jump is expected. HIDDEN ones have no unwind information. */
#define LABELS(name) \
    extern uint8_t name[] __asm__(#name), name##_back[] __asm__(#name "_back"), name##_start[] __asm__(#name "_start")
#define CALL(name) "syscall; " #name "_back: "
#define FUNCTION(name, before, behind)                                                                               \
    __asm__(".pushsection .text.sites, \"ax\", @progbits\n.balign 64\n" #name ": .cfi_startproc\n" before CALL(name) behind "\n" \
            "ret\n.cfi_endproc\n.popsection");                                                                      \
    LABELS(name)
#define HIDDEN(name, before)                                                                                    \
    __asm__(".pushsection .text.sites, \"ax\", @progbits\n" #name ": " before CALL(name) "ret\n.popsection");   \
    LABELS(name)

FUNCTION(of_number, "of_number_start: mov $39, %eax; ", "");
FUNCTION(of_rex_number, "xor %edi, %edi; of_rex_number_start: mov $1, %r8d; ", "");
FUNCTION(of_stack_argument, "mov %rdi, %rax; of_stack_argument_start: mov 8(%rsp), %r9; ", "");
FUNCTION(of_read, "of_read_start: cmpb $0, of_data(%rip); jne of_read_away; xor %eax, %eax; ",
         "mov $1, %eax; of_read_away: ret");
FUNCTION(of_relative, "of_relative_start: mov of_data(%rip), %edi; xor %eax, %eax; ", "");
FUNCTION(of_immediate, "of_immediate_start: cmpl $5, of_data(%rip); mov %rsi, %rdi; ", "");
FUNCTION(of_far_jump, "mov $39, %eax; test %edi, %edi; of_far_jump_start: .byte 0x0f, 0x84; .long of_far_jump_back - . - 4; ", "");
FUNCTION(of_long, "of_long_start: movabs $39, %rax; ", "");
FUNCTION(of_loop, "of_loop_again: dec %edi; of_loop_start: mov $39, %eax; ", "jne of_loop_again; jne of_loop_start");
__asm__(".data\nof_data: .long 5\n.text");

/* Must be refused. */
HIDDEN(no_entry, "no_entry_start: mov $39, %eax; ");
FUNCTION(too_short, "xor %eax, %eax; ", "");
FUNCTION(at_the_beginning, "", "");
FUNCTION(behind_push, "mov $39, %eax; push %rax; pop %rax; ", "");
FUNCTION(stack_moved, "mov $39, %eax; sub $8, %rsp; ", "add $8, %rsp");
FUNCTION(stack_moved_far, "sub $4096, %rsp; ", "add $4096, %rsp");
FUNCTION(called_between, "mov $39, %eax; call of_number; ", "");
FUNCTION(call_alone, "call of_number; ", "");
FUNCTION(jumped_between, "mov $39, %eax; jmp jumped_between_on; jumped_between_on: ", "");
FUNCTION(jumped_into, "je jumped_into_middle; .byte 0x48, 0x8d, 0x05; jumped_into_middle: .long 0x90909090; ", "");
FUNCTION(jumped_into_from_behind, ".byte 0xb8; from_behind_middle: .long 0x90909090; ", "jne from_behind_middle");
FUNCTION(looped_into, ".byte 0xb8; looped_into_middle: .long 0x90909090; ", "loop looped_into_middle");
FUNCTION(locked, "je locked_1; lock; locked_1: addl $1, of_data(%rip); ", "");
FUNCTION(data_before, "jmp data_before_on; .byte 0x48; data_before_on: mov $39, %eax; ", "");
FUNCTION(undecodable, ".byte 0x06; mov $39, %eax; ", "");
FUNCTION(undecodable_behind, "mov $39, %eax; ", "ret; .byte 0x06, 0x06");
FUNCTION(far_address, "addr32 mov of_data(%eip), %eax; ", "");
FUNCTION(chain_too_long, "mov $39, %eax; .rept 7; nop; .endr; ", "");

static void assert_starts(const uint8_t *back, const uint8_t *start)
{
    struct site site;
    assert_true(proves(back, &site));
    assert_ptr_equal(site.start, start);
    assert_ptr_equal(site.call + 2, back);
}
#define STARTS(name) assert_starts(name##_back, name##_start)

static void one_whole_instruction_of_five_bytes_is_found(void **state)
{
    (void)state;
    STARTS(of_number);
    STARTS(of_rex_number);  /* the prefix too: not the five bytes that look like mov $1, %eax */
    STARTS(of_stack_argument);
    STARTS(of_read);
    STARTS(of_relative);
    STARTS(of_immediate);
    STARTS(of_far_jump);
    STARTS(of_long);
    STARTS(of_loop);        /* a jump to the beginning of what is replaced meets the jump to the stub */
}

static void what_is_not_proved_is_refused(void **state)
{
    struct site site;
    (void)state;
    assert_false(proves(no_entry_back, &site));
    assert_false(proves(too_short_back, &site));
    assert_false(proves(at_the_beginning_back, &site));
    assert_false(proves(behind_push_back, &site));
    assert_false(proves(stack_moved_back, &site));
    assert_false(proves(stack_moved_far_back, &site));
    assert_false(proves(called_between_back, &site));
    assert_false(proves(call_alone_back, &site));
    assert_false(proves(jumped_between_back, &site));
    assert_false(proves(jumped_into_back, &site));
    assert_false(proves(jumped_into_from_behind_back, &site));
    assert_false(proves(looped_into_back, &site));
    assert_false(proves(locked_back, &site));
    assert_false(proves(data_before_back, &site));
    assert_false(proves(undecodable_back, &site));
    assert_false(proves(undecodable_behind_back, &site));
    assert_false(proves(far_address_back, &site));
    assert_false(proves(chain_too_long_back, &site));
    assert_false(proves(of_number_back + 1, &site));    /* no call there */
    assert_false(proves((uint8_t *)&site + 2, &site));  /* not code at all */
}

static int32_t number_at(const uint8_t *at)
{
    int32_t number;
    memcpy(&number, at, 4);
    return number;
}

/* The moved instructions of the site are these bytes; four bytes of -1 are a displacement that leads to `target`,
 * counted from `rest` bytes behind it. */
static void assert_moved(const uint8_t *back, const int *expected, size_t count, const uint8_t *target, int rest)
{
    struct site site;
    uint8_t *page = near_page(back);
    assert_true(proves(back, &site));
    assert_ptr_equal(patch_move(&site, page, page + 4096), page + count);
    for (size_t i = 0; i < count; i++) {
        if (expected[i] >= 0) {
            assert_int_equal(page[i], expected[i]);
        } else {
            assert_ptr_equal(page + i + 4 + rest + number_at(page + i), target);
            i += 3;
        }
    }
    munmap(page, 4096);
}
#define MOVED(name, target, rest, ...) \
    assert_moved(name##_back, (const int[]){ __VA_ARGS__ }, sizeof(int[]){ __VA_ARGS__ } / sizeof(int), target, rest)
extern uint8_t of_data[] __asm__("of_data"), of_read_away[] __asm__("of_read_away");

static void moved_instructions_are_these_bytes(void **state)
{
    (void)state;
    MOVED(of_number, NULL, 0, 0xb8, 39, 0, 0, 0);
    MOVED(of_rex_number, NULL, 0, 0x41, 0xb8, 1, 0, 0, 0);
    MOVED(of_stack_argument, NULL, 0, 0x4c, 0x8b, 0x4c, 0x24, 0x08);
    MOVED(of_relative, of_data, 0, 0x8b, 0x3d, -1, -1, -1, -1, 0x31, 0xc0);
    MOVED(of_immediate, of_data, 1, 0x83, 0x3d, -1, -1, -1, -1, 5, 0x48, 0x89, 0xf7);
    MOVED(of_far_jump, of_far_jump_back, 0, 0x0f, 0x84, -1, -1, -1, -1);
    MOVED(of_long, NULL, 0, 0x48, 0xb8, 39, 0, 0, 0, 0, 0, 0, 0);
}

/* What `je short` becomes, beside a displacement of another instruction. */
static void a_short_jump_becomes_a_long_one(void **state)
{
    struct site site;
    (void)state;
    uint8_t *page = near_page(of_read);
    assert_true(proves(of_read_back, &site));
    assert_ptr_equal(patch_move(&site, page, page + 4096), page + 7 + 6 + 2);
    assert_memory_equal(page, "\x80\x3d", 2);
    assert_ptr_equal(page + 7 + number_at(page + 2), of_data);
    assert_memory_equal(page + 6, "\0\x0f\x85", 3);
    assert_ptr_equal(page + 13 + number_at(page + 9), of_read_away);
    assert_memory_equal(page + 13, "\x31\xc0", 2);
    munmap(page, 4096);
}

static void what_does_not_fit_is_refused(void **state)
{
    struct site site;
    (void)state;
    uint8_t *page = near_page(of_read), *far = mmap((void *)0x100000000000, 4096, PROT_READ | PROT_WRITE,
                                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(proves(of_relative_back, &site));
    assert_null(patch_move(&site, page, page + 12));    /* there has to be room for a jump behind */
    assert_non_null(patch_move(&site, page, page + 13));
    assert_null(patch_move(&site, far, far + 4096));    /* the displacement does not reach */
    assert_true(proves(of_number_back, &site));
    assert_non_null(patch_move(&site, far, far + 4096));
    uint8_t before[5];
    memcpy(before, site.start, 5);
    assert_false(patch_jump(&site, (uintptr_t)far, false));
    assert_memory_equal(before, site.start, 5);
    munmap(page, 4096);
    munmap(far, 4096);
}

/* rax, the zero flag and rdi behind a call of the function with rdi and rsi as given. */
static uint64_t run(const uint8_t *function, long rdi, long rsi)
{
    long rax = 39;
    uint8_t zero;
    __asm__ volatile("sub $128, %%rsp; push $77; push $88; call *%4; setz %1; pop %%rcx; pop %%rcx; add $128, %%rsp"
                     : "+a"(rax), "=&r"(zero), "+D"(rdi), "+S"(rsi) : "r"(function)
                     : "rcx", "rdx", "r8", "r9", "r10", "r11", "memory", "cc");
    return (uint64_t)rax * 4 + (uint64_t)zero * 2 + (uint64_t)(rdi == 5);
}

/* The functions give the same before and after their sites are patched. */
static void patched_sites_do_the_same(void **state)
{
#define SITE(name) { name, name##_back }
    static const struct { const uint8_t *function, *back; } sites[] = {
        SITE(of_number), SITE(of_rex_number), SITE(of_stack_argument), SITE(of_relative),
        SITE(of_immediate), SITE(of_far_jump), SITE(of_long), SITE(of_read),
    };
    (void)state;
    for (size_t i = 0; i < sizeof sites / sizeof *sites; i++) {
        uint8_t *room = near_page(sites[i].function), *end = room + 4096;
        struct site site;
        assert_true(proves(sites[i].back, &site));
        patch_threads = false;
        for (int threads = 0; threads < 2; threads++) {
            uint64_t before[2] = { run(sites[i].function, 39, 0), run(sites[i].function, 0, 0) };
            uint8_t kept[16];
            memcpy(kept, site.start, sizeof kept);
            patch_threads = false;
            if (threads)
                patch_expect_threads(true);
            assert_true(patch(&site, &room, end));
            assert_int_equal(site.start[0], 0xe9);
            assert_int_equal(run(sites[i].function, 39, 0), before[0]);
            assert_int_equal(run(sites[i].function, 0, 0), before[1]);
            assert_true(patch_writable((uintptr_t)site.start, 16, true));
            memcpy(site.start, kept, sizeof kept);
            assert_true(patch_writable((uintptr_t)site.start, 16, false));
        }
    }
    patch_threads = false;
}

/* The permissions of the mapping that holds the address, as in /proc/self/maps. */
static void permissions(const void *address, char *text)
{
    unsigned long start, end;
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    strcpy(text, "none");
    while (fgets(line, sizeof line, maps)) {
        char found[8];
        if (sscanf(line, "%lx-%lx %4s", &start, &end, found) == 3 && (uintptr_t)address - start < end - start)
            strcpy(text, found);
    }
    fclose(maps);
}

static void text_is_not_writable_after_it_was_patched(void **state)
{
    char text[8];
    struct site site;
    (void)state;
    uint8_t *room = near_page(of_loop);
    assert_true(proves(of_loop_back, &site));
    assert_true(patch(&site, &room, room + 4096));
    permissions(site.start, text);
    assert_string_equal(text, "r-xp");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_whole_instruction_of_five_bytes_is_found),
        cmocka_unit_test(what_is_not_proved_is_refused),
        cmocka_unit_test(moved_instructions_are_these_bytes),
        cmocka_unit_test(a_short_jump_becomes_a_long_one),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(patched_sites_do_the_same),
        cmocka_unit_test(text_is_not_writable_after_it_was_patched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
