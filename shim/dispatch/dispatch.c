/* Begins to count system calls: arms dispatch where that can be done, and says why where it cannot. */
#include "dispatch/dispatch.h"

#include "counters.h"
#include "dispatch/arm.h"
#include "dispatch/frame.h"
#include "dispatch/handler.h"
#include "filter/filter.h"
#include "dispatch/keep/signals.h"
#include "dispatch/rows.h"
#include "filter/seal.h"
#include "table/kernel.h"
#include "table/text.h"
#include "valgrind.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

/* The loader has put the library elsewhere, for something stands where it is linked to be. */
static void say_displaced(void)
{
    char room[COUNTERS_NOTE_SIZE], program[COUNTERS_NOTE_SIZE / 2];
    struct text line = TEXT_IN(room);
    long size = kernel_call(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", program, sizeof program - 1);
    program[size > 0 ? size : 0] = 0;
    text_put(&line, *program ? program : "a program",
             ": uses the address of the library: calls made there are not counted, the library's own are (--whole=kernel "
             "loads none)");
    counters_note(text_end(&line));
}

static uint32_t begin(void)
{
    if (valgrind_runs())
        return DISPATCH_NO_EFFECT;  /* the prctl would be valgrind's own, and kill it */

    struct arm_range text = arm_text();
    if (counters_table->flags & COUNTERS_WHOLE && text.start - COUNTERS_WHOLE_BASE >= COUNTERS_WHOLE_SIZE) {
        say_displaced();
        return 0;  /* the supervisor sees all calls, and would count them twice */
    }
    if (!(counters_table->flags & COUNTERS_WHOLE) && filter_kills(text.start, text.size))
        return DISPATCH_FILTER;
    long memory = kernel_call(SYS_mmap, dispatch_slots, SLOTS * SLOT_SIZE, PROT_READ | PROT_EXEC,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (kernel_failed(memory))
        return DISPATCH_NO_MEMORY;
    if (!signals_begin())
        return DISPATCH_REFUSED;
    arm_selector = 1;  /* signals_end() from here on where it comes to nothing */
    long result = arm();
    if (result == -EINVAL)
        return DISPATCH_NO_KERNEL;
    if (kernel_failed(result))
        return DISPATCH_REFUSED;
    return handler_probe() ? DISPATCH_ARMED : DISPATCH_NO_EFFECT;
}

void dispatch_begin(void)
{
    rows_begin();
    uint32_t outcome = begin();
    dispatch_armed = dispatch_execs = outcome == DISPATCH_ARMED;
    if (!dispatch_armed && arm_selector) {
        arm_selector = 0;
        signals_end();
    }
    atomic_fetch_or(&counters_table->dispatch, outcome);
}
