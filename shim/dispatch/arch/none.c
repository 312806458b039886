/* Where there is no folder for the processor: library calls are counted, and the report says why no system calls are. */
#include "dispatch/dispatch.h"

#include "counters.h"
#include "dispatch/arm.h"

void dispatch_begin(void)
{
    atomic_fetch_or(&counters_table->dispatch, DISPATCH_ARCHITECTURE);
}

void arm_give_up(const char *why)
{
    (void)why;  /* there is nothing to give up */
}
