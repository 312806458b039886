/* Stubs and C find their counters by the thread register, in thread data that libc has laid out. A program that sets the
 * register to something else (the runtime of Go without cgo) is left alone from then on. */
#include "dispatch/leave.h"

#include "dispatch/arm.h"
#include "dispatch/code/sites.h"
#include "dispatch/keep/memory.h"
#include "dispatch/keep/signals.h"
#include "filter/seal.h"
#include "objects.h"

void leave(const char *why)
{
    arm_give_up(why);
    dispatch_armed = false;
    sites_leave();
    signals_leave_all();
}

/* libc's begins with its own address: tcb of glibc's tcbhead_t, whose self is the same, self of musl's struct pthread,
 * whose dtv is next. */
bool leave_for(uintptr_t thread_data)
{
    const uintptr_t *words = (const uintptr_t *)thread_data;
    bool libc = memory_readable(NULL, words) && memory_readable(NULL, words + 2) && words[0] == thread_data &&
                (objects_musl() ? memory_readable(NULL, (const void *)words[1]) : words[2] == thread_data);
    if (!libc)
        leave("system calls of a program that sets its thread register itself: from then on; "
              "`reckon run --whole` counts them");
    return !libc;
}
