/* The number of a call, from the code before it: only what is certain may be made again. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/whole/restart.h"

#include <string.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
static int number_of(const char *code)
{
    return restart_number((const unsigned char *)code);
}

static void a_number_that_stands_before_the_call_is_known(void **state)
{
    (void)state;
    assert_int_equal(number_of("\x00\x00\x00\xb8\x27\x00\x00\x00\x0f\x05"), SYS_getpid);        /* mov $39,%eax */
    assert_int_equal(number_of("\xfa\x1e\xfa\xb8\xb3\x01\x00\x00\x0f\x05"), 435);               /* behind endbr64 */
    assert_int_equal(number_of("\x00\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05"), SYS_rt_sigreturn);  /* mov $15,%rax */
    assert_int_equal(number_of("\x00\x00\x00\x00\x00\x00\x31\xc0\x0f\x05"), SYS_read);          /* xor %eax,%eax */
}

static void a_number_that_may_be_another_is_not(void **state)
{
    (void)state;
    assert_int_equal(number_of("\x00\x00\x41\xb8\x08\x00\x00\x00\x0f\x05"), -1);   /* mov $8,%r8d */
    assert_int_equal(number_of("\x00\x00\x49\xb8\x08\x00\x00\x00\x0f\x05"), -1);   /* the end of a movabs to r8 */
    assert_int_equal(number_of("\x4c\x8b\x4c\x24\x08\x48\x89\xf8\x0f\x05"), -1);   /* mov %rdi,%rax, as syscall() has it */
    assert_int_equal(number_of("\x00\x00\x00\xb8\x27\x00\x01\x40\x0f\x05"), -1);   /* no number at all */
    assert_int_equal(number_of("\x00\x00\x00\xb8\x27\x00\x00\x00\xcd\x80"), -1);   /* int $0x80 */
    assert_int_equal(number_of("\x00\x00\x00\xb8\x27\x00\x00\x00\x90\x90"), -1);   /* no call */
}

/* The same, in as many bytes before the end of `code`. */
static int number_before(const char *code, size_t size)
{
    unsigned char bytes[RESTART_BEFORE];
    memset(bytes, 0xcc, sizeof bytes);
    memcpy(bytes + sizeof bytes - size, code, size);
    return restart_number_before(bytes);
}
#define NUMBER_BEFORE(code) number_before(code, sizeof code - 1)

static void arguments_may_be_moved_between(void **state)
{
    (void)state;
    /* As gcc 15 writes the start of a thread in glibc 2.43: mov 0x14(%rsp),%esi between; movl $,%fs:4(%r8), mov to esi */
    assert_int_equal(NUMBER_BEFORE("\xb8\x4e\x01\x00\x00\x8b\x74\x24\x14\x0f\x05"), SYS_rseq);
    assert_int_equal(NUMBER_BEFORE("\xb8\x4e\x01\x00\x00\x64\x41\xc7\x40\x04\xff\xff\xff\xff\x8b\x74\x24\x04\x0f\x05"), SYS_rseq);
    /* xor %edx,%edx; mov $,%r10d; lea (%rip),%rsi; mov %rsp,%rdi; mov $8,%r8d; nop */
    assert_int_equal(NUMBER_BEFORE("\xb8\x0e\x00\x00\x00\x31\xd2\x41\xba\x08\x00\x00\x00\x48\x8d\x35\x86\xc5\x08\x00"
                                   "\x48\x89\xe7\x41\xb8\x08\x00\x00\x00\x90\x0f\x05"), SYS_rt_sigprocmask);
    assert_int_equal(NUMBER_BEFORE("\xb8\x27\x00\x00\x00\x0f\x05"), SYS_getpid);
    /* As gcc 10 writes mmap in its sanitizers: push %rbp; movslq %r8d,%rbp; push %rbx; movslq %ecx,%rbx; three mov */
    assert_int_equal(NUMBER_BEFORE("\xb8\x09\x00\x00\x00\x55\x49\x63\xe8\x53\x48\x63\xd9\x49\x89\xda\x49\x89\xe8"
                                   "\x4d\x89\xe1\x0f\x05"), SYS_mmap);
}

static void what_may_change_it_may_not(void **state)
{
    (void)state;
    assert_int_equal(NUMBER_BEFORE("\xb8\x27\x00\x00\x00\x8b\x44\x24\x14\x0f\x05"), -1);   /* mov 0x14(%rsp),%eax */
    assert_int_equal(NUMBER_BEFORE("\xb8\x27\x00\x00\x00\x58\x0f\x05"), -1);                /* pop %rax */
    assert_int_equal(NUMBER_BEFORE("\xb8\x27\x00\x00\x00\x89\xf8\x0f\x05"), -1);            /* mov %edi,%eax */
    assert_int_equal(NUMBER_BEFORE("\xb8\x27\x00\x00\x00\x31\xc0\x0f\x05"), -1);            /* xor %eax,%eax */
    assert_int_equal(NUMBER_BEFORE("\xb8\x27\x00\x00\x00\x48\xc7\xc0\x01\x00\x00\x00\x0f\x05"), -1); /* mov $1,%rax */
    assert_int_equal(NUMBER_BEFORE("\xb8\x27\x00\x00\x00\xff\xd2\x0f\x05"), -1);            /* call *%rdx */
    assert_int_equal(NUMBER_BEFORE("\xb8\x27\x00\x00\x00\x74\x00\x0f\x05"), -1);            /* je */
    assert_int_equal(NUMBER_BEFORE("\xb8\x00\x00\x00\x00\x8b\x74\x24\x14\x0f\x05"), -1);   /* read may wait */
    assert_int_equal(NUMBER_BEFORE("\x41\xb8\x27\x00\x00\x00\x8b\x74\x24\x14\x0f\x05"), -1);  /* mov $,%r8d */
    assert_int_equal(NUMBER_BEFORE("\xb8\x27\x00\x00\x00\x8b\x74\x24\x14\xcd\x80"), -1);   /* int $0x80 */
}
#endif

int main(void)
{
#if defined(__x86_64__)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_that_stands_before_the_call_is_known),
        cmocka_unit_test(a_number_that_may_be_another_is_not),
        cmocka_unit_test(arguments_may_be_moved_between),
        cmocka_unit_test(what_may_change_it_may_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
#else
    return 0;
#endif
}
