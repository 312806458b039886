/* The rows of system calls: which way a number is counted, its row, and what is added there. */
#include "dispatch/rows.h"

#include "counters.h"
#include "files/files.h"
#include "table/bytes.h"
#include "table/kernel.h"
#include "table/waits.h"
#include "wrap/real.h"

#include <time.h>

static int (*vdso_clock)(clockid_t, struct timespec *);

static _Atomic bool reads_need_care;

void rows_care_for_reads(void)
{
    reads_need_care = true;
}

enum treatment rows_treatment(long number)
{
    switch (number) {
    case SYS_read:
        if (reads_need_care)
            return TREAT_FULL;
        break;
    case SYS_clone: case SYS_clone3: case SYS_fork: case SYS_vfork:
        return TREAT_BRACKETED;
    case SYS_rt_sigaction: case SYS_rt_sigprocmask: case SYS_rt_sigsuspend: case SYS_sigaltstack:
    case SYS_rt_sigpending: case SYS_rt_sigtimedwait: case SYS_rt_sigreturn: case SYS_signalfd: case SYS_signalfd4:
    case SYS_ppoll: case SYS_pselect6: case SYS_epoll_pwait: case SYS_epoll_pwait2: case SYS_io_pgetevents:
    case SYS_execve: case SYS_execveat: case SYS_exit: case SYS_exit_group: case SYS_seccomp: case SYS_prctl:
    case SYS_mprotect: case SYS_pkey_mprotect: case SYS_arch_prctl:
        return TREAT_FULL;
    }
    bool row = number >= 0 && number < COUNTERS_NUMBERS;
    bool carries = counters_asked & COUNTERS_BYTES && bytes_system(number);
    bool file = counters_asked & COUNTERS_PER_FILE && files_concern(number);
    return row && !counters_timed && !carries && !file ? TREAT_PLAIN : TREAT_FULL;
}

long rows_row(int64_t number)
{
    if (number >= 0 && number < COUNTERS_NUMBERS)
        return number;
    int64_t wanted = (number >> 32 == COUNTERS_I386 ? number : (int64_t)(uint32_t)number) + 1;
    for (int i = 0; i < COUNTERS_OTHERS; i++) {
        int64_t unused = 0;
        if (atomic_compare_exchange_strong(&counters_table->other[i], &unused, wanted) || unused == wanted)
            return COUNTERS_NUMBERS + i;
    }
    counters_add(&counters_table->lost);
    return -1;
}

static struct counter *counter_of(long row)
{
    struct counters_shard *mine = counters_mine;
    return &(mine ? mine : counters_claim())->system[row];
}

void rows_call(long number)
{
    long row = rows_row(number);
    if (row >= 0)
        counters_add(&counter_of(row)->calls);
}

void rows_begin(void)
{
    if (counters_timed)
        vdso_clock = real_vdso("__vdso_clock_gettime");
}

uint64_t rows_now(void)
{
    struct timespec time = { 0, 0 };
    if (vdso_clock)
        vdso_clock(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void rows_failed(long row, long result)
{
    counters_failed(counter_of(row), (int)-result);
}

/* How much of a call was waiting. Short ones are not worth a system call to find out. */
static uint64_t waited_in(long number, long descriptor, uint64_t ns)
{
    enum { SHORT = 20000 };
    enum waits waits = waits_system(number);
    bool waited = waits == WAITS_ALWAYS || (waits == WAITS_BY_DESCRIPTOR && ns > SHORT && waits_descriptor(descriptor));
    counters_waited += waited ? ns : 0;
    return waited ? ns : 0;
}

void rows_result(long number, long first, long result, uint64_t start)
{
    long row = rows_row(number);
    if (row < 0)
        return;
    if (kernel_failed(result))
        rows_failed(row, result);
    else if (result > 0 && counters_asked & COUNTERS_BYTES && bytes_system(number))
        counters_tally(COUNTERS_CARRIED, counter_of(row), 0, (uint64_t)result);
    if (start) {
        uint64_t ns = rows_now() - start;
        counters_took((size_t)row, true, ns, waited_in(number, first, ns));
    }
}
