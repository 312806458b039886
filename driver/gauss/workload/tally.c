/* A thread's own counts of a workload. */
#include "tally.h"

#include "common/memory.h"

#include <stdlib.h>

#define PAIRED_SHIFT_MAX 6  /* tables of pairs up to 2 * 64 * 64 counts stay in a near cache */

double tally_middle(int64_t index)
{
    return (double)index + (index < 0 ? -0.5 : 0.5);
}

struct tally tally_new(const struct workload *workload, const struct workload_histogram *histogram,
                       const struct kernels *kernels)
{
    struct tally tally = { .kernels = kernels, .slots = histogram->bins + 2 };
    int64_t highest = histogram->lowest + (int64_t)histogram->bins;
    int shift = 0;
    while ((size_t)1 << shift < tally.slots)
        shift++;
    tally.window = (struct kernels_window){
        .scale = 1 / workload->width,
        .offset = workload->mean / histogram->bin_width + 0.5,
        .low = tally_middle(histogram->lowest - 1),
        .high = tally_middle(highest),
        .base = (int32_t)(histogram->lowest - 1),
        .shift = shift,
    };
    tally.counts = memory_calloc(tally.slots + 2, sizeof *tally.counts);
    if (workload->generator == WORKLOAD_FAST && shift <= PAIRED_SHIFT_MAX)
        tally.cells = memory_calloc((size_t)2 << 2 * shift, sizeof *tally.cells);
    return tally;
}

void tally_finish(struct tally *tally, struct workload_histogram *histogram)
{
    int shift = tally->window.shift;
    for (size_t cell = 0; tally->cells && cell < (size_t)2 << 2 * shift; cell++) {
        size_t high = cell >> shift & (((size_t)1 << shift) - 1), low = cell & (((size_t)1 << shift) - 1);
        if (tally->cells[cell]) {
            tally->counts[high][0] += tally->cells[cell];
            tally->counts[low][0] += tally->cells[cell];
        }
    }
    for (size_t slot = 0; histogram && slot < tally->slots; slot++)
        for (size_t way = 0; way < TALLY_WAYS; way++)
            histogram->counts[slot] += tally->counts[slot][way];
    free(tally->counts);
    free(tally->cells);
}
