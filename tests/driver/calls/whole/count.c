/* What notifications count as, with made-up ones: programs of another architecture, which the kernel at
 * hand may not run, and numbers without a name. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "driver/calls/whole/count.h"

#include <linux/audit.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void notify(struct count_run *run, uint32_t architecture, int number, int times)
{
    struct seccomp_notif notification = { .pid = (uint32_t)getpid(), .data = { .arch = architecture, .nr = number } };
    while (times--)
        count_notification(run, &notification);
}

static uint64_t calls_of(const struct count_list *list, const char *name)
{
    const struct count *row = counts_find(list, name);
    return row ? row->calls : 0;
}

static void numbers_of_this_machine_count_by_name(void **state)
{
    (void)state;
    struct count_run *run = count_new(NULL, 0);
    struct count_list list = { 0 };
    notify(run, AUDIT_ARCH_X86_64, SYS_statx, 23);
    notify(run, AUDIT_ARCH_X86_64, SYS_getdents64, 29);
    count_add(run, &list);
    assert_int_equal(calls_of(&list, "statx"), 23);
    assert_int_equal(calls_of(&list, "getdents64"), 29);
    assert_string_equal(counts_find(&list, "statx")->family, "lstat");
    assert_int_equal(list.count, 2);
    counts_free(&list);
    count_free(run);
}

/* 3 is read on i386 and close on x86-64; 195 is stat64 there. */
static void a_32_bit_program_has_rows_of_its_own(void **state)
{
    (void)state;
    struct count_run *run = count_new(NULL, 0);
    struct count_list list = { 0 };
    notify(run, AUDIT_ARCH_X86_64, 3, 11);
    notify(run, AUDIT_ARCH_I386, 3, 13);
    notify(run, AUDIT_ARCH_I386, 195, 17);
    count_add(run, &list);
    assert_int_equal(calls_of(&list, "close"), 11);
    assert_int_equal(calls_of(&list, "i386:read"), 13);
    assert_int_equal(calls_of(&list, "i386:stat64"), 17);
    assert_string_equal(counts_find(&list, "i386:read")->family, "read");
    counts_free(&list);
    count_free(run);
}

static void numbers_without_a_name_are_not_dropped(void **state)
{
    (void)state;
    struct count_run *run = count_new(NULL, 0);
    struct count_list list = { 0 };
    notify(run, AUDIT_ARCH_X86_64, 511, 2);
    notify(run, AUDIT_ARCH_X86_64, 100003, 3);
    notify(run, AUDIT_ARCH_I386, 100003, 5);
    notify(run, AUDIT_ARCH_ARM, 7, 7);
    count_add(run, &list);
    assert_int_equal(calls_of(&list, "syscall_511"), 2);
    assert_int_equal(calls_of(&list, "syscall_100003"), 3);
    assert_int_equal(calls_of(&list, "i386:syscall_100003"), 5);
    assert_int_equal(calls_of(&list, "arm:syscall_7"), 7);
    counts_free(&list);
    count_free(run);
}

static void errors_are_not_seen_and_said_so(void **state)
{
    (void)state;
    struct count_run *run = count_new(NULL, 0);
    struct count_list list = { 0 };
    notify(run, AUDIT_ARCH_X86_64, SYS_statx, 1);
    count_add(run, &list);
    assert_true(counts_find(&list, "statx")->unseen);
    assert_true(counts_total(&list).unseen);
    counts_free(&list);
    count_free(run);
}

static void a_process_counts_once_and_again_after_its_number_was_given_back(void **state)
{
    (void)state;
    struct count_run *run = count_new(NULL, 0);
    notify(run, AUDIT_ARCH_X86_64, SYS_read, 5);
    assert_int_equal(run->tasks.begun, 1);
    notify(run, AUDIT_ARCH_X86_64, SYS_exit_group, 1);
    notify(run, AUDIT_ARCH_X86_64, SYS_read, 5);
    assert_int_equal(run->tasks.begun, 2);
    count_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_this_machine_count_by_name),
        cmocka_unit_test(a_32_bit_program_has_rows_of_its_own),
        cmocka_unit_test(numbers_without_a_name_are_not_dropped),
        cmocka_unit_test(errors_are_not_seen_and_said_so),
        cmocka_unit_test(a_process_counts_once_and_again_after_its_number_was_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
