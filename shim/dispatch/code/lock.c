/* A futex with priority inheritance (futex(2), FUTEX_LOCK_PI): its word is the holder's thread id, so that the kernel
 * lends a normal thread the priority of a real-time thread that waits for it, and tells where the holder has died. A
 * child of vfork shares the lock with its parent, and may be killed at any moment. */
#include "dispatch/code/lock.h"

#include "table/kernel.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

static _Atomic uint32_t word;

static long operate(int operation)
{
    return kernel_call(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, 0, 0);
}

static bool take(uint32_t from)
{
    return atomic_compare_exchange_strong(&word, &from, (uint32_t)kernel_call(SYS_gettid));
}

/* The holder `dead` is no more: the lock is ours, unless another was quicker. */
static bool inherit(uint32_t dead, void (*repair)(void))
{
    if (!take(dead))
        return false;
    repair();
    return true;
}

bool lock_try(void (*repair)(void))
{
    if (take(0))
        return true;
    uint32_t holder = word;
    long result = operate(FUTEX_TRYLOCK_PI);
    return result == 0 || (result == -ESRCH && inherit(holder, repair));
}

bool lock_wait(void (*repair)(void))
{
    while (!take(0)) {
        uint32_t holder = word;
        long result = operate(FUTEX_LOCK_PI);
        if (result == 0 || (result == -ESRCH && inherit(holder, repair)))
            return true;
        if (result != -ESRCH && result != -EINTR && result != -EAGAIN)
            return false;
    }
    return true;
}

void lock_release(void)
{
    uint32_t self = (uint32_t)kernel_call(SYS_gettid);
    if (!atomic_compare_exchange_strong(&word, &self, 0))
        operate(FUTEX_UNLOCK_PI);
}

void lock_forget(void)
{
    atomic_store(&word, 0);
}

/* Another task that shares memory may hold it and live: it is known by its own number. */
void lock_survive(pid_t child, void (*repair)(void))
{
    uint32_t holder = word;
    pid_t task = (pid_t)(holder & FUTEX_TID_MASK);
    bool dead = holder && (task == child || kernel_call(SYS_tkill, task, 0) == -ESRCH);
    if (dead && inherit(holder, repair))
        lock_release();
}
