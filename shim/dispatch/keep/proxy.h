/* SIGSTKFLT stands for SIGSYS wherever the kernel may not have that: the two, in sets and in what the program has set. */
#ifndef DISPATCH_PROXY_H
#define DISPATCH_PROXY_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    PROXY = SIGSTKFLT,
    PROXIED = 0x5dd1,          /* si_errno of a proxy that is a SIGSYS */
    SET_SIZE = 8,              /* bytes of a signal set, as the kernel has it */
};
#define BIT(number) (1ul << ((number) - 1))

/* An action as the kernel has it. */
struct kernel_action {
    uintptr_t handler;
    unsigned long flags;
    uintptr_t restorer;
    uint64_t mask;
};

extern struct kernel_action proxy_actions[2];         /* what the program has set for SIGSYS and for the proxy */
extern _Thread_local bool proxy_blocked;              /* what the program last said of the proxy itself */

static inline struct kernel_action *proxy_action(int number)
{
    return number == SIGSYS ? &proxy_actions[0] : number == PROXY ? &proxy_actions[1] : NULL;
}

static inline bool proxy_ignored(const struct kernel_action *action)
{
    return action->handler == (uintptr_t)SIG_IGN;
}

static inline uint64_t proxy_to_kernel(uint64_t set)
{
    return (set & ~(BIT(SIGSYS) | BIT(PROXY))) | (set & BIT(SIGSYS) ? BIT(PROXY) : 0);
}

static inline uint64_t proxy_to_program(uint64_t set)
{
    return set & BIT(PROXY) ? set | BIT(SIGSYS) : set & ~BIT(SIGSYS);
}

/* The program's mask of this thread, from the kernel's. */
static inline uint64_t proxy_mask(uint64_t mask)
{
    return (proxy_to_program(mask) & ~BIT(PROXY)) | (proxy_blocked ? BIT(PROXY) : 0);
}

#endif
