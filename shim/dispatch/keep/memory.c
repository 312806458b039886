/* Whether the program's memory can be read or written, asked of the kernel. */
#include "dispatch/keep/memory.h"

#include "filter/seal.h"
#include "table/kernel.h"

#include <errno.h>
#include <signal.h>

enum { SET_SIZE = 8, NO_HOW = 999 /* a `how` that rt_sigprocmask does not have */ };

/* Whether the program's memory at `address` can be read. What lies just above its stack pointer can; for the rest
 * the kernel is asked: with a `how` that does not exist it still reads the set first. */
bool memory_readable(const struct frame *frame, const void *address)
{
    uintptr_t stack = (uintptr_t)frame + FRAME_SIZE, at = (uintptr_t)address;
    if ((frame && at - stack < 4096) || dispatch_maskless)
        return true;
    return kernel_call(SYS_rt_sigprocmask, NO_HOW, address, NULL, SET_SIZE) == -EINVAL;
}

/* Whether `size` bytes at `address` can be written, as far as their ends tell: the kernel writes the mask there. */
bool memory_writable(void *address, size_t size)
{
    uint8_t *last = (uint8_t *)address + size - SET_SIZE;
    return dispatch_maskless || (kernel_call(SYS_rt_sigprocmask, SIG_BLOCK, NULL, address, SET_SIZE) == 0 &&
                               kernel_call(SYS_rt_sigprocmask, SIG_BLOCK, NULL, last, SET_SIZE) == 0);
}
