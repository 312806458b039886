/* The signal mask, unless a filter forbids to touch it. */
#include "dispatch/keep/mask.h"

#include "filter/seal.h"
#include "table/kernel.h"

uint64_t mask_change(int how, uint64_t set)
{
    uint64_t old = 0;
    if (!dispatch_maskless)
        kernel_call(SYS_rt_sigprocmask, how, &set, &old, sizeof set);
    return old;
}
