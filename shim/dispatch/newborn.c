/* How a new task begins to count, by itself or where a signal comes first. */
#include "dispatch/newborn.h"

#include "counters.h"
#include "dispatch/arm.h"
#include "dispatch/keep/stacks.h"
#include "filter/seal.h"

/* Thread data of its own knows of no shard yet; a task without has its creator's. */
void newborn_count(void)
{
    bool thread = !counters_mine;
    if (thread)
        stacks_begin(true);
    arm();
    if (thread)
        counters_claim();
}

void newborn_struck(void)
{
    if (dispatch_armed && !dispatch_sealed && arm_selector)
        newborn_count();
}
