/* The generator `fast`: blocks of variates that can be made in any order, so on any number of threads or machines.
 *
 * Block b of a seed has KERNELS_STREAMS generators xoshiro256+; their states are consecutive numbers of a SplitMix64
 * sequence (Steele, Lea and Flood 2014; the seeding that xoshiro's authors recommend), begun where the seed says and
 * advanced to b. Blocks are 2^18 numbers of a period of 2^256 from random places: that two overlap in a run of
 * 10^12 variates has probability below 2^-180. */
#include "fast.h"

#include <string.h>

#define STEP (2 * KERNELS_STREAMS)  /* variates of one step of the kernel */
#define CHUNK (128 * STEP)          /* half of a 32 KiB level-1 cache */

static uint64_t splitmix64(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

static void seed_block(uint64_t state[4][KERNELS_STREAMS], uint64_t seed, uint64_t block)
{
    const uint64_t golden = 0x9e3779b97f4a7c15;
    uint64_t position = splitmix64(seed * golden + 1) + block * (4 * KERNELS_STREAMS) * golden;
    for (size_t stream = 0; stream < KERNELS_STREAMS; stream++)
        for (size_t word = 0; word < 4; word++)
            state[word][stream] = splitmix64(position += golden);
}

void fast_variates(uint64_t seed, uint64_t block, double *out, size_t count, const struct kernels *kernels)
{
    uint64_t state[4][KERNELS_STREAMS];
    double buffer[STEP];
    size_t whole = count / STEP;
    seed_block(state, seed, block);
    kernels->variates(state, out, whole);
    if (count % STEP) {
        kernels->variates(state, buffer, 1);
        memcpy(out + whole * STEP, buffer, count % STEP * sizeof *out);
    }
}

/* Two tables of pairs, for the reason of TALLY_WAYS. */
static void count_pairs(struct tally *tally, const double *z, size_t count)
{
    int32_t cells[CHUNK / 2];
    uint64_t *even = tally->cells, *odd = even + ((size_t)1 << 2 * tally->window.shift);
    tally->kernels->cells(&tally->window, z, cells, count);
    for (size_t i = 0; i < count / 2; i += 2) {
        even[cells[i]]++;
        odd[cells[i + 1]]++;
    }
}

static void count_slots(struct tally *tally, const double *z, size_t count)
{
    int32_t slots[CHUNK];
    size_t padded = (count + STEP - 1) / STEP * STEP;
    tally->kernels->slots(&tally->window, z, slots, padded);
    tally_count(tally, slots, count);
}

void fast_block(uint64_t seed, uint64_t block, size_t count, struct tally *tally)
{
    uint64_t state[4][KERNELS_STREAMS];
    double z[CHUNK];
    seed_block(state, seed, block);
    while (count) {
        size_t now = count < CHUNK ? count : CHUNK, steps = (now + STEP - 1) / STEP;
        size_t paired = tally->cells ? now / STEP * STEP : 0;
        tally->kernels->variates(state, z, steps);
        count_pairs(tally, z, paired);
        count_slots(tally, z + paired, now - paired);
        count -= now;
    }
}
