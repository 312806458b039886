/* The decoder of instructions against objdump, over whole libraries, and at the edge of what may be read. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "shim/dispatch/arch/x86_64/decode.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The bytes of one line of `objdump -d -w`: "  address:\tbytes \tmnemonic operands". 0: no instruction. */
static size_t bytes_of(const char *line, uint8_t *bytes)
{
    const char *at = strchr(line, '\t'), *text = at ? strchr(at + 1, '\t') : NULL;
    size_t count = 0;
    if (!text || strstr(text, "(bad)"))
        return 0;
    for (at++; at < text && *at != ' ' && count < 15 && sscanf(at, "%2hhx", &bytes[count]) == 1; at += 3)
        count++;
    return count;
}

/* Where an instruction is cut off there is none. */
static size_t wrong_when_cut(const uint8_t *bytes, size_t length)
{
    size_t wrong = 0;
    for (size_t cut = 0; cut < length; cut++)
        wrong += decode(bytes, bytes + cut).length != 0;
    return wrong;
}

/* Whether objdump names rcx, r11 or a part of them: implicit operands, of calls and repeated ones, are none that move. */
static bool names_scratch(const char *line)
{
    static const char *const names[] = { "%rcx", "%ecx", "%cx", "%cl", "%ch", "%r11" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(line, names[i]))
            return true;
    return false;
}

/* How many instructions of a file have another length here, or registers that are missed; how many there are in *all. */
static size_t differences(const char *path, size_t *all)
{
    char command[512], line[1024];
    size_t wrong = 0;
    snprintf(command, sizeof command, "objdump -d -w '%s'", path);
    FILE *stream = popen(command, "r");
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream)) {
        uint8_t bytes[16];
        size_t count = bytes_of(line, bytes);
        if (!count)
            continue;
        ++*all;
        if (bytes[0] == 0x9b && count > 1)
            continue;  /* objdump's name for wait and another instruction */
        struct decoded decoded = decode(bytes, bytes + count);
        bool movable = decoded.kind == DECODE_MOVABLE || decoded.kind == DECODE_RELATIVE;
        bool missed = movable && !decoded.scratch && names_scratch(line);
        if (decoded.length != count || wrong_when_cut(bytes, count) || missed) {
            wrong++;
            print_error("length %d%s: %s", decoded.length, missed ? ", registers missed" : "", line);
        }
    }
    assert_int_equal(pclose(stream), 0);
    return wrong;
}

static void lengths_are_those_of_objdump(void **state)
{
    static const char *const files[] = {
        "/lib/x86_64-linux-gnu/libc.so.6",        "/lib64/ld-linux-x86-64.so.2",
        "/lib/x86_64-linux-gnu/libm.so.6",        "/usr/lib/x86_64-linux-gnu/libmpfr.so.6",
        "/usr/lib/x86_64-linux-gnu/libgmp.so.10", "/lib/x86_64-linux-gnu/libgcc_s.so.1",
        "/usr/lib/x86_64-linux-gnu/libzstd.so.1", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
    };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t all = 0;
        if (access(files[i], R_OK) != 0)
            continue;
        assert_int_equal(differences(files[i], &all), 0);
        assert_true(all > 1000);
        print_message("%8zu instructions of %s\n", all, files[i]);
    }
}

/* Random bytes before a page that is not there. */
static void nothing_is_read_at_or_behind_the_end(void **state)
{
    (void)state;
    uint8_t *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_int_equal(mprotect(page + 4096, 4096, PROT_NONE), 0);
    srandom(1);
    for (int i = 0; i < 1000000; i++) {
        size_t room = (size_t)random() % 16;
        for (size_t k = 0; k < room; k++)
            page[4096 - room + k] = (uint8_t)(k == 0 && i % 2 ? 0x0f : random());
        assert_true(decode(page + 4096 - room, page + 4096).length <= room);
    }
    munmap(page, 8192);
}

static void an_instruction_longer_than_15_bytes_is_none(void **state)
{
    uint8_t bytes[20];
    (void)state;
    memset(bytes, 0x66, sizeof bytes);
    bytes[14] = 0x90;
    assert_int_equal(decode(bytes, bytes + sizeof bytes).length, 15);
    bytes[14] = 0x66;
    bytes[15] = 0x90;
    assert_int_equal(decode(bytes, bytes + sizeof bytes).length, 0);
}

static struct decoded of(const char *bytes, size_t length)
{
    struct decoded decoded = decode((const uint8_t *)bytes, (const uint8_t *)bytes + length);
    assert_int_equal(decoded.length, length);
    return decoded;
}
#define KIND(bytes) of(bytes, sizeof bytes - 1).kind

/* What no library at hand holds without data between its instructions. */
static void rare_prefixes_are_known(void **state)
{
    (void)state;
    of("\x8f\x48\x78\xc3\xcb\x2a", 6);                      /* vprotq $42, %xmm11, %xmm9 (XOP) */
    of("\x8f\xe9\x78\x81\xc0", 5);                          /* vfrczpd %xmm0, %xmm0 (XOP) */
    of("\x8f\x00", 2);                                        /* pop (%rax) */
    of("\x62\xf1\x7c\x48\x10\x44\x24\x01", 8);              /* vmovups 64(%rsp), %zmm0 */
    of("\xc5\xf8\x77", 3);                                    /* vzeroupper */
    of("\x66\x66\x2e\x0f\x1f\x84\0\0\0\0\0", 11);         /* nopw, long */
    of("\x48\xb8\1\2\3\4\5\6\7\10", 10);                     /* movabs */
    of("\xa1\1\2\3\4\5\6\7\10", 9);                         /* movabs from an address */
    of("\xf7\x05\0\0\0\0\1\0\0\0", 10);                    /* testl $1, (%rip) */
    of("\xf7\x1d\0\0\0\0", 6);                            /* negl (%rip) */
    of("\x66\xc7\x00\1\0", 5);                             /* movw $1, (%rax) */
}

static void what_does_the_same_anywhere_may_be_moved(void **state)
{
    (void)state;
    assert_int_equal(KIND("\xb8\x6e\0\0\0"), DECODE_MOVABLE);                 /* mov $110, %eax */
    assert_int_equal(KIND("\x41\xb8\1\0\0\0"), DECODE_MOVABLE);               /* mov $1, %r8d */
    assert_int_equal(KIND("\x48\xc7\xc0\x0f\0\0\0"), DECODE_MOVABLE);         /* mov $15, %rax */
    assert_int_equal(KIND("\x31\xc0"), DECODE_MOVABLE);                       /* xor %eax, %eax */
    assert_int_equal(KIND("\x4c\x8b\x4c\x24\x08"), DECODE_MOVABLE);           /* mov 8(%rsp), %r9 */
    assert_int_equal(KIND("\x64\x48\x8b\x04\x25\x10\0\0\0"), DECODE_MOVABLE); /* mov %fs:16, %rax */
    assert_int_equal(KIND("\x48\x8d\x7c\x24\x20"), DECODE_MOVABLE);           /* lea 32(%rsp), %rdi */
}

static void what_counts_from_the_instruction_pointer_is_told(void **state)
{
    (void)state;
    struct decoded decoded = of("\x48\x8b\x05\x44\x33\x22\x11", 7);           /* mov 0x11223344(%rip), %rax */
    assert_int_equal(decoded.kind, DECODE_RELATIVE);
    assert_int_equal(decoded.offset, 3);
    decoded = of("\x83\x3d\x44\x33\x22\x11\x05", 7);                          /* cmpl $5, 0x11223344(%rip) */
    assert_int_equal(decoded.kind, DECODE_RELATIVE);
    assert_int_equal(decoded.offset, 2);
    static const char near[64] = "\x0f\x84\x10\0\0\0", short_jump[] = "\x75\xfe";
    decoded = of(near, 6);
    assert_int_equal(decoded.kind, DECODE_CONDITIONAL);
    assert_int_equal(decoded.condition, 4);
    assert_ptr_equal(decoded.target, near + 6 + 16);
    decoded = of(short_jump, 2);
    assert_int_equal(decoded.kind, DECODE_CONDITIONAL);
    assert_int_equal(decoded.condition, 5);
    assert_ptr_equal(decoded.target, short_jump);
}

static void registers_that_a_call_destroys_are_told(void **state)
{
    (void)state;
    assert_false(of("\xb8\x6e\0\0\0", 5).scratch);             /* mov $110, %eax */
    assert_false(of("\x48\x8d\x7c\x24\x20", 5).scratch);       /* lea 32(%rsp), %rdi */
    assert_false(of("\x48\x8b\x75\x10", 4).scratch);            /* mov 16(%rbp), %rsi */
    assert_true(of("\x49\x89\xca", 3).scratch);                  /* mov %rcx, %r10 */
    assert_true(of("\x4c\x89\xda", 3).scratch);                  /* mov %r11, %rdx */
    assert_true(of("\x8b\x04\x0f", 3).scratch);                  /* mov (%rdi,%rcx), %eax */
    assert_true(of("\x88\xe8", 2).scratch);                       /* mov %ch, %al */
    assert_false(of("\x40\x88\xe8", 3).scratch);                 /* mov %bpl, %al */
    assert_true(of("\xd3\xe0", 2).scratch);                       /* shl %cl, %eax */
}

static void what_must_stay_stays(void **state)
{
    (void)state;
    assert_int_equal(KIND("\xe8\0\0\0\0"), DECODE_FIXED);             /* call */
    assert_int_equal(KIND("\xe9\0\0\0\0"), DECODE_FIXED);             /* jmp */
    assert_int_equal(KIND("\xeb\0"), DECODE_FIXED);                   /* jmp */
    assert_int_equal(KIND("\xff\xd0"), DECODE_FIXED);                 /* call *%rax */
    assert_int_equal(KIND("\xff\x25\0\0\0\0"), DECODE_FIXED);         /* jmp *(%rip) */
    assert_int_equal(KIND("\xff\x35\0\0\0\0"), DECODE_FIXED);         /* push (%rip) */
    assert_int_equal(KIND("\xc3"), DECODE_FIXED);                     /* ret */
    assert_int_equal(KIND("\xe3\0"), DECODE_FIXED);                   /* jrcxz */
    assert_int_equal(KIND("\xe2\0"), DECODE_FIXED);                   /* loop */
    assert_int_equal(KIND("\x50"), DECODE_FIXED);                     /* push %rax */
    assert_int_equal(KIND("\x58"), DECODE_FIXED);                     /* pop %rax */
    assert_int_equal(KIND("\x5c"), DECODE_FIXED);                     /* pop %rsp */
    assert_int_equal(KIND("\x48\x83\xec\x08"), DECODE_FIXED);         /* sub $8, %rsp */
    assert_int_equal(KIND("\x48\x81\xec\0\x10\0\0"), DECODE_FIXED);   /* sub $4096, %rsp */
    assert_int_equal(KIND("\x48\x29\xc4"), DECODE_FIXED);             /* sub %rax, %rsp */
    assert_int_equal(KIND("\x48\x2b\xe0"), DECODE_FIXED);             /* sub %rax, %rsp, the other way */
    assert_int_equal(KIND("\x48\x89\xc4"), DECODE_FIXED);             /* mov %rax, %rsp */
    assert_int_equal(KIND("\x48\x8b\x64\x24\x08"), DECODE_FIXED);     /* mov 8(%rsp), %rsp */
    assert_int_equal(KIND("\x48\x8d\x64\x24\x08"), DECODE_FIXED);     /* lea 8(%rsp), %rsp */
    assert_int_equal(KIND("\xbc\1\0\0\0"), DECODE_FIXED);             /* mov $1, %esp */
    assert_int_equal(KIND("\x48\xc7\xc4\1\0\0\0"), DECODE_FIXED);     /* mov $1, %rsp */
    assert_int_equal(KIND("\x48\x94"), DECODE_FIXED);                 /* xchg %rax, %rsp */
    assert_int_equal(KIND("\x48\x87\xc4"), DECODE_FIXED);             /* xchg %rax, %rsp */
    assert_int_equal(KIND("\x48\x0f\x44\xe0"), DECODE_FIXED);         /* cmove %rax, %rsp */
    assert_int_equal(KIND("\xc8\0\0\0"), DECODE_FIXED);               /* enter */
    assert_int_equal(KIND("\xc9"), DECODE_FIXED);                     /* leave */
    assert_int_equal(KIND("\x0f\x05"), DECODE_FIXED);                 /* syscall */
    assert_int_equal(KIND("\x0f\x0b"), DECODE_FIXED);                 /* ud2 */
    assert_int_equal(KIND("\xcc"), DECODE_FIXED);                     /* int3 */
    assert_int_equal(KIND("\xf3\x0f\x1e\xfa"), DECODE_FIXED);         /* endbr64: a jump may land there */
    assert_int_equal(KIND("\xf0\x83\x00\x01"), DECODE_FIXED);         /* lock addl $1, (%rax): a jump may leave out lock */
    assert_int_equal(KIND("\xf3\xa4"), DECODE_FIXED);                 /* rep movsb */
    assert_int_equal(KIND("\xc7\xf8\0\0\0\0"), DECODE_FIXED);         /* xbegin */
    assert_int_equal(KIND("\xc6\xf8\0"), DECODE_FIXED);               /* xabort */
    assert_int_equal(KIND("\x66\x0f\x84\0\0\0\0"), DECODE_FIXED);     /* je with a prefix that processors read differently */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_are_those_of_objdump),
        cmocka_unit_test(nothing_is_read_at_or_behind_the_end),
        cmocka_unit_test(an_instruction_longer_than_15_bytes_is_none),
        cmocka_unit_test(rare_prefixes_are_known),
        cmocka_unit_test(what_does_the_same_anywhere_may_be_moved),
        cmocka_unit_test(what_counts_from_the_instruction_pointer_is_told),
        cmocka_unit_test(registers_that_a_call_destroys_are_told),
        cmocka_unit_test(what_must_stay_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
