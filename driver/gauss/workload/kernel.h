/* The vector code of the generators, written once, included once per width of vector by kernels.c.
 *
 * The includer defines LANES (doubles in a vector), TARGET (an attribute or nothing), NAME(x), K(constant), SQRT(v), ABS(v),
 * ROUND(v), MIN(a, b), MAX(a, b) (b where one is not a number), SELECT(mask, yes, no) and FMA(a, b, c). Every operation is rounded once, fused where and only where FMA says so (the build forbids contraction),
 * and no mathematical library is called: so all widths give the same bits.
 *
 * Coefficients are minimax polynomials for 53-bit coefficients (Sollya, fpminimax); each function's error is stated. */
#define INLINE static inline __attribute__((always_inline)) TARGET

typedef double NAME(real) __attribute__((vector_size(8 * LANES)));
typedef uint64_t NAME(word) __attribute__((vector_size(8 * LANES)));
typedef int32_t NAME(slot) __attribute__((vector_size(4 * LANES)));

INLINE NAME(real) NAME(load)(const double *from)
{
    NAME(real) value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINE void NAME(store)(double *to, NAME(real) value)
{
    memcpy(to, &value, sizeof value);
}

/* xoshiro256+, one generator per lane (Blackman and Vigna 2021): the authors' choice for floating-point numbers. */
INLINE NAME(word) NAME(xoshiro)(NAME(word) s[4])
{
    NAME(word) result = s[0] + s[3], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

/* The low 52 bits of a word as a double in [1, 2). */
INLINE NAME(real) NAME(fraction)(NAME(word) word)
{
    return (NAME(real))((word & 0x000fffffffffffff) | 0x3ff0000000000000);
}

/* -2 ln(x) for positive normal x = m 2^e with sqrt(1/2) <= m < sqrt(2), by ln m = 2 artanh((m-1)/(m+1)). Error of
 * the polynomial: 1.1e-13, relative. */
INLINE NAME(real) NAME(minus_two_log)(NAME(real) x)
{
    const uint64_t one = 0x3ff0000000000000, root_half = 0x3fe6a09e667f3bcd, two52 = 0x4330000000000000;
    NAME(word) shifted = (NAME(word))x + (one - root_half);
    NAME(real) m = (NAME(real))((shifted & 0x000fffffffffffff) + root_half);
    NAME(real) e = (NAME(real))(shifted >> 52 | two52) - (0x1p52 + 1023);
    NAME(real) s = (m - 1) / (m + 1), z = s * s;
    NAME(real) p = FMA(z, K(-4 * 0x1.8c8ea304e7393p-4), K(-4 * 0x1.c67ab35bcc3a6p-4));
    p = FMA(p, z, K(-4 * 0x1.2493243fb9426p-3));
    p = FMA(p, z, K(-4 * 0x1.999998ca73466p-3));
    p = FMA(p, z, K(-4 * 0x1.5555555564f97p-2));
    p = FMA(p, z, K(-4.0));
    return FMA(e, K(-0x1.62e42fefa39efp0), s * p);
}

/* sin(pi t / 2) for -1 <= t <= 1, with z = t * t. Absolute error 8e-14. */
INLINE NAME(real) NAME(sine)(NAME(real) t, NAME(real) z)
{
    NAME(real) p = FMA(z, K(0x1.d53c6610c4d5ap-25), K(-0x1.e29b9698d4048p-19));
    p = FMA(p, z, K(0x1.50770fc4506cap-13));
    p = FMA(p, z, K(-0x1.32d2c9b448f0ep-8));
    p = FMA(p, z, K(0x1.466bc66ed95d1p-4));
    p = FMA(p, z, K(-0x1.4abbce624ae91p-1));
    p = FMA(p, z, K(0x1.921fb54442bb6p0));
    return p * t;
}

/* cos(pi t / 2) for z = t * t <= 1. Absolute error 2e-15. */
INLINE NAME(real) NAME(cosine)(NAME(real) z)
{
    NAME(real) p = FMA(z, K(-0x1.a52f6101e0d48p-28), K(0x1.f961487d1b8p-22));
    p = FMA(p, z, K(-0x1.a6d0715e17809p-16));
    p = FMA(p, z, K(0x1.e1f500e830a5dp-11));
    p = FMA(p, z, K(-0x1.55d3c7d85c9d4p-6));
    p = FMA(p, z, K(0x1.03c1f0819eddp-2));
    p = FMA(p, z, K(-0x1.3bd3cc9be418bp0));
    return FMA(p, z, K(0x1.fffffffffffefp-1));
}

/* Box and Muller 1958: two variates of two words. u in (0, 1] gives the radius, t in [-1, 1) the angle in the right
 * half of the circle, a sign bit the other half. A step writes KERNELS_STREAMS cosines, then as many sines. */
TARGET static void NAME(variates)(uint64_t state[4][KERNELS_STREAMS], double *out, size_t steps)
{
    for (size_t lane = 0; lane < KERNELS_STREAMS; lane += LANES) {
        NAME(word) s[4];
        for (int i = 0; i < 4; i++)
            memcpy(&s[i], &state[i][lane], sizeof s[i]);
        double *to = out + lane;
        for (size_t step = 0; step < steps; step++, to += 2 * KERNELS_STREAMS) {
            NAME(word) first = NAME(xoshiro)(s), second = NAME(xoshiro)(s);
            NAME(real) u = 2 - NAME(fraction)(first), t = FMA(NAME(fraction)(second), K(2.0), K(-3.0)), z = t * t;
            NAME(real) radius = SQRT(NAME(minus_two_log)(u));
            NAME(real) other = (NAME(real))((NAME(word))radius ^ (second & 0x8000000000000000));
            NAME(store)(to + KERNELS_STREAMS, radius * NAME(sine)(t, z));
            NAME(store)(to, other * NAME(cosine)(z));
        }
        for (int i = 0; i < 4; i++)
            memcpy(&state[i][lane], &s[i], sizeof s[i]);
    }
}

INLINE NAME(real) NAME(clamp)(const struct kernels_window *window, NAME(real) t)
{
    NAME(real) low = K(window->low), high = K(window->high);
    return MIN(MAX(t, low), high);
}

TARGET static void NAME(slots)(const struct kernels_window *window, const double *z, int32_t *slots, size_t count)
{
    const struct kernels_window local = *window;
    NAME(real) scale = K(local.scale), offset = K(local.offset);
    for (size_t i = 0; i < count; i += LANES) {
        NAME(real) t = NAME(clamp)(&local, FMA(NAME(load)(z + i), scale, offset));
        NAME(slot) slot = __builtin_convertvector(t, NAME(slot)) - local.base;
        memcpy(slots + i, &slot, sizeof slot);
    }
}

TARGET static void NAME(cells)(const struct kernels_window *window, const double *z, int32_t *cells, size_t count)
{
    const struct kernels_window local = *window;
    NAME(real) scale = K(local.scale), offset = K(local.offset);
    for (size_t i = 0; i < count; i += 2 * LANES) {
        NAME(real) first = FMA(NAME(load)(z + i), scale, offset), second = FMA(NAME(load)(z + i + LANES), scale, offset);
        NAME(slot) a = __builtin_convertvector(first, NAME(slot)) - local.base;
        NAME(slot) b = __builtin_convertvector(second, NAME(slot)) - local.base;
        NAME(slot) cell = a << local.shift | b;
        memcpy(cells + i / 2, &cell, sizeof cell);
    }
}

/* The polar method: a step is one attempt on each stream, whose numbers are x[0] and x[1] (48 bits, times 2^16). */
TARGET static void NAME(polar)(const struct kernels_window *window, const struct kernels_polar *polar,
                               uint64_t x[2][KERNELS_STREAMS], int32_t *slots, size_t steps)
{
    const struct kernels_window local = *window;  /* nothing that is stored below can change it */
    const uint64_t factor = polar->factor, addend = polar->addend;
    NAME(real) scale = K(local.scale), offset = K(local.offset), guard = K(polar->guard), near_one = K(polar->near_one);
    NAME(real) rejected = K(polar->rejected), doubtful = K(polar->doubtful), one = K(1.0);
    for (size_t lane = 0; lane < KERNELS_STREAMS; lane += LANES) {
        NAME(word) x1, x2;
        memcpy(&x1, &x[0][lane], sizeof x1);
        memcpy(&x2, &x[1][lane], sizeof x2);
        for (size_t step = 0; step < steps; step++) {
            NAME(real) v1 = FMA((NAME(real))(x1 >> 12 | 0x3ff0000000000000), K(2.0), K(-3.0));
            NAME(real) v2 = FMA((NAME(real))(x2 >> 12 | 0x3ff0000000000000), K(2.0), K(-3.0));
            x1 = x1 * factor + addend;
            x2 = x2 * factor + addend;
            NAME(real) r = FMA(v1, v1, v2 * v2), root = SQRT(NAME(minus_two_log)(r) / r);
            NAME(real) t = NAME(clamp)(&local, FMA(v2 * root, scale, offset));
            NAME(real) result = SELECT(ABS(t - ROUND(t)) < guard, doubtful, t);
            result = SELECT(r >= one, rejected, result);
            result = SELECT(ABS(r - one) < near_one, doubtful, result);
            NAME(slot) slot = __builtin_convertvector(result, NAME(slot)) - local.base;
            memcpy(slots + step * KERNELS_STREAMS + lane, &slot, sizeof slot);
        }
        memcpy(&x[0][lane], &x1, sizeof x1);
        memcpy(&x[1][lane], &x2, sizeof x2);
    }
}

#undef LANES
#undef TARGET
#undef NAME
#undef K
#undef SQRT
#undef ABS
#undef ROUND
#undef SELECT
#undef MIN
#undef MAX
#undef FMA
#undef real
#undef INLINE
