/* The generator `perl`: the article's arithmetic on Perl's own drand48 (freebsd's, part of Perl since 5.20; POSIX drand48).
 *
 *     X = ((uint64) (uint32) seed << 16) + 0x330E;  X = (X * 0x5DEECE66D + 0xB) mod 2^48;  rand = X / 2^48
 *     do { v1 = 2*rand - 1; v2 = 2*rand - 1; r = v1**2 + v2**2 } while (r >= 1)
 *     x = v2 * sqrt(-2*log(r) / r) * sd + mean        (Marsaglia and Bray 1964)
 *
 * Most variates are computed approximately, in vectors. Where that could pick another bin than Perl does (the value
 * is within a guard of a bin's edge, or r near 1), the variate is computed again as Perl computes it. */
#include "perl.h"

#include <math.h>

#define CHUNK 1024          /* attempts; a multiple of KERNELS_STREAMS */
#define NEAR_ONE 1e-6       /* 1 - r below which rounding errors of r reach ln(r) enlarged */
#define GUARD 1e-11         /* of the approximation, in standard deviations: four times its worst error */

/* X is kept times 2^16, so that 64-bit arithmetic reduces it mod 2^48 by itself. */
struct step { uint64_t factor, addend; };  /* X -> X * factor + addend */
static const struct step single = { 0x5DEECE66D, 0xBull << 16 };

static struct step after(struct step first, struct step then)
{
    return (struct step){ first.factor * then.factor, first.addend * then.factor + then.addend };
}

/* The step that makes `count` single ones. */
static struct step jump(uint64_t count)
{
    struct step result = { 1, 0 }, power = single;
    for (; count; count >>= 1, power = after(power, power))
        if (count & 1)
            result = after(result, power);
    return result;
}

static uint64_t advance(uint64_t *x, struct step step)
{
    return *x = *x * step.factor + step.addend;
}

/* 2*rand - 1, exact: X / 2^48 + 1 is put together from its bits. */
static double symmetric(uint64_t x)
{
    union { uint64_t word; double real; } number = { x >> 12 | 0x3ff0000000000000 };
    return 2 * number.real - 3;
}

/* Perl's `**` calls pow(), whose squares differ from v * v in the last bit once in a thousand times; the compiler
 * must not see the 2, or it multiplies. */
static double perl_square_sum(double v1, double v2)
{
    static const volatile double two = 2;
    return pow(v1, two) + pow(v2, two);
}

/* One attempt from state *x, exactly; a slot, or -1 for a rejected one. */
static int64_t exact_slot(const struct workload *workload, const struct tally *tally, uint64_t *x)
{
    double v1 = symmetric(advance(x, single)), v2 = symmetric(advance(x, single)), r = perl_square_sum(v1, v2);
    if (r >= 1)
        return -1;
    double value = v2 * sqrt(-2 * log(r) / r) * workload->sd + workload->mean, w = workload->sd * workload->width;
    int64_t slot = (int64_t)((value + w / 2) / w) - tally->window.base, last = (int64_t)tally->slots - 1;
    return slot < 0 ? 0 : slot < last ? slot : last;
}

/* State before attempt `number`. */
static uint64_t state_before(const struct workload *workload, uint64_t number)
{
    uint64_t x = (((uint64_t)(uint32_t)workload->seed << 16) + 0x330E) << 16;
    return advance(&x, jump(2 * number));
}

/* What the vectors doubt, computed as Perl does. Returns how many of these attempts are rejected. */
static uint64_t settle(const struct workload *workload, struct tally *tally, uint64_t first, const int32_t *slots,
                       size_t count)
{
    uint64_t rejected = 0;
    for (size_t i = 0; i < count; i++) {
        if ((size_t)slots[i] <= tally->slots)
            continue;
        uint64_t x = state_before(workload, first + i);
        int64_t slot = exact_slot(workload, tally, &x);
        if (slot < 0)
            rejected++;
        else
            tally->counts[slot][0]++;
    }
    return rejected;
}

/* Read the number of attempts that landed in a slot behind the histogram's, and clear it. */
static uint64_t take(struct tally *tally, size_t slot)
{
    uint64_t count = 0;
    for (size_t way = 0; way < TALLY_WAYS; way++) {
        count += tally->counts[slot][way];
        tally->counts[slot][way] = 0;
    }
    return count;
}

uint64_t perl_attempts(const struct workload *workload, uint64_t first, uint64_t attempts, struct tally *tally)
{
    const size_t rejected = tally->slots, doubtful = tally->slots + 1;
    const struct step step = jump(2 * KERNELS_STREAMS);
    const double mean_bins = fabs(workload->mean) / (workload->sd * workload->width);
    const struct kernels_polar polar = {
        .factor = step.factor, .addend = step.addend,
        .guard = GUARD * (1 / workload->width + mean_bins + 1), .near_one = NEAR_ONE,
        .rejected = tally_middle(tally->window.base + (int64_t)rejected),
        .doubtful = tally_middle(tally->window.base + (int64_t)doubtful),
    };
    uint64_t x[2][KERNELS_STREAMS], accepted = attempts;
    int32_t slots[CHUNK];
    for (size_t stream = 0; stream < KERNELS_STREAMS; stream++) {
        uint64_t before = state_before(workload, first + stream);
        x[0][stream] = advance(&before, single);
        x[1][stream] = advance(&before, single);
    }
    for (uint64_t done = 0; done < attempts; done += CHUNK) {
        size_t now = attempts - done < CHUNK ? (size_t)(attempts - done) : CHUNK;
        tally->kernels->polar(&tally->window, &polar, x, slots, (now + KERNELS_STREAMS - 1) / KERNELS_STREAMS);
        tally_count(tally, slots, now);
        if (take(tally, doubtful))
            accepted -= settle(workload, tally, first + done, slots, now);
    }
    return accepted - take(tally, rejected);
}

void perl_until(const struct workload *workload, uint64_t first, uint64_t accepted, struct tally *tally)
{
    uint64_t x = state_before(workload, first);
    while (accepted) {
        int64_t slot = exact_slot(workload, tally, &x);
        if (slot >= 0) {
            tally->counts[slot][0]++;
            accepted--;
        }
    }
}
