/* Syscall User Dispatch on and off, and the range of addresses that it lets pass. */
#ifndef DISPATCH_ARM_H
#define DISPATCH_ARM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59  /* Linux 5.11 */
#endif
#ifndef PR_SYS_DISPATCH_ON
#define PR_SYS_DISPATCH_ON 1
#endif

struct arm_range {
    uintptr_t start;
    size_t size;
};
struct arm_range arm_text(void);      /* this library's own code, which dispatch lets pass */
long arm(void);                       /* the calling task; what prctl returns */
extern volatile uint8_t arm_selector; /* 1: dispatch; 0: every system call passes, in all tasks */
void arm_give_up(const char *why);    /* count at patched sites only, and say why */

#endif
