/* What stands in the way of a supervisor, in words. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/whole/filter.h"

#include <errno.h>
#include <string.h>

static void each_obstacle_has_its_sentence(void **state)
{
    (void)state;
    const int numbers[] = { EBUSY, EINVAL, ENOSYS, EPERM, EIO };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(filter_obstacle(numbers[i]), filter_obstacle(numbers[j]));
    assert_non_null(strstr(filter_obstacle(EBUSY), "another supervisor"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_obstacle_has_its_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
