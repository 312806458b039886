/* The inner loops of the generators in vector code; which width runs is chosen when the program runs. */
#ifndef GAUSS_WORKLOAD_KERNELS_H
#define GAUSS_WORKLOAD_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#define KERNELS_STREAMS 8  /* generators that run side by side, whatever the width of the vectors */

/* How a standard normal z becomes an index into a table: i = trunc(z * scale + offset) - base. */
struct kernels_window {
    double scale, offset;
    double low, high;  /* z * scale + offset is clamped to these, the middles of the outermost slots */
    int32_t base;
    int shift;         /* a pair (i, j) of slots has the cell i << shift | j */
};

/* The polar method on a linear congruential generator, approximately; what may be wrong is marked for the caller. */
struct kernels_polar {
    uint64_t factor, addend;  /* x -> x * factor + addend takes a stream to its next attempt */
    double guard;             /* a variate this near to a bin's edge (in bins) is doubtful */
    double near_one;          /* and so is one whose r is this near to 1 */
    double rejected, doubtful;  /* values whose slots stand for them */
};

struct kernels {
    const char *name;

    /* `steps` times 2 * KERNELS_STREAMS standard normal variates. */
    void (*variates)(uint64_t state[4][KERNELS_STREAMS], double *out, size_t steps);

    /* Slots of `count` variates (a multiple of 16). */
    void (*slots)(const struct kernels_window *window, const double *z, int32_t *slots, size_t count);

    /* Cells of count / 2 pairs of them, without the clamp. */
    void (*cells)(const struct kernels_window *window, const double *z, int32_t *cells, size_t count);

    /* The slots of steps * KERNELS_STREAMS attempts of the polar method. `x` are each stream's two numbers. */
    void (*polar)(const struct kernels_window *window, const struct kernels_polar *polar,
                  uint64_t x[2][KERNELS_STREAMS], int32_t *slots, size_t steps);
};

/* The best ones for this processor; environment and options have no say. */
const struct kernels *kernels_best(void);

/* Those of that name ("generic", "avx2", "avx512"), NULL where the processor or the build lacks them. For the tests. */
const struct kernels *kernels_named(const char *name);

#endif
