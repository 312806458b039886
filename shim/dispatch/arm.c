/* Arming dispatch: the prctl, the range of this library's code, and the selector that lets everything pass. */
#include "dispatch/arm.h"

#include "counters.h"
#include "filter/seal.h"
#include "table/kernel.h"

#include <link.h>

static struct arm_range text;
volatile uint8_t arm_selector;               /* 1: dispatch; 0: let everything pass, the way out in need */

extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

struct arm_range arm_text(void)
{
    if (text.size)
        return text;

    uintptr_t start = (uintptr_t)&__ehdr_start, linked = 0;  /* at the beginning of the first segment */
    const ElfW(Phdr) *segment = (const ElfW(Phdr) *)(start + __ehdr_start.e_phoff);
    for (int i = __ehdr_start.e_phnum; i-- > 0;)
        if (segment[i].p_type == PT_LOAD)
            linked = segment[i].p_vaddr & -(uintptr_t)4096;
    for (int i = 0; i < __ehdr_start.e_phnum; i++) {
        if (segment[i].p_type == PT_LOAD && segment[i].p_flags & PF_X) {
            text.start = start + segment[i].p_vaddr - linked;
            text.size = segment[i].p_memsz;
        }
    }
    return text;
}

long arm(void)
{
    struct arm_range range = arm_text();
    return kernel_call(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, range.start, range.size, &arm_selector);
}

void arm_give_up(const char *why)
{
    counters_say(why);
    arm_selector = 0;
    dispatch_execs = false;
}
