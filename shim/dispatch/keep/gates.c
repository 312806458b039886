/* One gate for each different handler: the address that the kernel has says which handler it is. So there is no state
 * of the process that an action, a fork or a child of vfork could get wrong, and entries are only ever added. */
#include "dispatch/keep/gates.h"

#include "dispatch/frame.h"

#include <signal.h>
#include <stdatomic.h>

enum { GATE_SIZE = 16 };

static _Atomic uintptr_t handlers[GATES];

uintptr_t gates_close(uintptr_t handler)
{
    if (handler == (uintptr_t)SIG_DFL || handler == (uintptr_t)SIG_IGN)
        return handler;

    for (size_t i = 0; i < GATES; i++) {
        uintptr_t here = 0;
        if (atomic_compare_exchange_strong(&handlers[i], &here, handler) || here == handler)
            return (uintptr_t)dispatch_gates + i * GATE_SIZE;
    }
    return handler;  /* none is left: it runs on our stack, and sees our code */
}

uintptr_t gates_open(uintptr_t address)
{
    size_t gate = (address - (uintptr_t)dispatch_gates) / GATE_SIZE;
    return address >= (uintptr_t)dispatch_gates && gate < GATES ? handlers[gate] : address;
}

uintptr_t gates_handler(size_t gate)
{
    return handlers[gate];
}
