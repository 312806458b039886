/* Clocks, in seconds. */
#include "timing.h"

#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double timing_wall(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double timing_thread_cpu(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double timing_process_cpu(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}
