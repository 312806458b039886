/* Descriptors that the report keeps where the program does not see them: `ls` closes standard error before it ends, a
 * program that changes its root directory would not find the report's file, nor the table's folder. */
#include "report/kept.h"

#include "table/kernel.h"

#include <fcntl.h>
#include <sys/resource.h>

struct kept kept_error = { .number = -1 }, kept_output = { .number = -1 }, kept_folder = { .number = -1 };
static struct kept *const all[] = { &kept_error, &kept_output, &kept_folder };
enum { ALL = sizeof all / sizeof *all };
static struct kept standard = { .number = 2 };

void kept_begin(void)
{
    kernel_call(SYS_fstat, 2, &standard.status);
}

bool kept_is(int number, const struct kept *kept)
{
    struct stat status;
    return number >= 0 && !kernel_failed(kernel_call(SYS_fstat, number, &status)) && kept->status.st_mode &&
           status.st_dev == kept->status.st_dev && status.st_ino == kept->status.st_ino;
}

/* At a number so high that no program counts on it, below the limit. */
static struct kept keep(int descriptor)
{
    struct kept kept = { .number = -1 };
    struct rlimit limit = { 1024, 1024 };
    kernel_call(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, &limit);
    rlim_t top = limit.rlim_cur < 1024 ? limit.rlim_cur : 1024;
    if (top >= 32 && !kernel_failed(kernel_call(SYS_fstat, descriptor, &kept.status)))
        kept.number = (int)kernel_call(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, top - 16);
    return kept;
}

struct kept kept_take(int descriptor)
{
    struct kept kept = keep(descriptor);
    if (descriptor >= 0)
        kernel_call(SYS_close, descriptor);
    return kept;
}

int kept_standard_error(void)
{
    return kept_is(2, &standard) ? 2 : kept_is(kept_error.number, &standard) ? kept_error.number : -1;
}

void kept_closing(unsigned first, unsigned last)
{
    if (first <= 2 && last >= 2 && kept_is(2, &standard) && !kept_is(kept_error.number, &standard))
        kept_error = keep(2);
}

unsigned kept_lowest(unsigned first, unsigned last)
{
    unsigned lowest = ~0u;
    for (int i = 0; i < ALL; i++) {
        unsigned number = (unsigned)all[i]->number;
        if (first <= number && number <= last && number < lowest && kept_is(all[i]->number, all[i]))
            lowest = number;
    }
    return lowest;
}

void kept_move(unsigned number)
{
    for (int i = 0; i < ALL; i++)
        if (all[i]->number == (int)number && kept_is(all[i]->number, all[i]))
            *all[i] = keep(all[i]->number);
}
