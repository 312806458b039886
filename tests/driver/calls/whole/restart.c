/* The number of a call, from the code before it: only what is certain may be made again. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/whole/restart.h"

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
#endif

int main(void)
{
#if defined(__x86_64__)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_that_stands_before_the_call_is_known),
        cmocka_unit_test(a_number_that_may_be_another_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
#else
    return 0;
#endif
}
