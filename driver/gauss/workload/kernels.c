/* Instances of the vector code (kernel.h), one per width, and the choice between them. */
#include "kernels.h"

#include <math.h>
#include <string.h>

#if defined __x86_64__
#include <immintrin.h>
#endif

/* gcc otherwise leaves the two polynomials one behind the other, which costs 15 % of the time; clang interleaves them. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("schedule-insns")
#endif

/* Two lanes, for any processor. Without a fused multiply-add instruction fma() is done in software: slow, but right. */
#define LANES 2
#define TARGET
#define NAME(x) generic_##x
#define K(x) (real){ x, x }
#define SQRT(v) (real){ sqrt((v)[0]), sqrt((v)[1]) }
#define ABS(v) (real){ fabs((v)[0]), fabs((v)[1]) }
#define ROUND(v) (real){ rint((v)[0]), rint((v)[1]) }
#define SELECT(mask, yes, no) (real){ (mask)[0] ? (yes)[0] : (no)[0], (mask)[1] ? (yes)[1] : (no)[1] }
#define MIN(a, b) (real){ (a)[0] < (b)[0] ? (a)[0] : (b)[0], (a)[1] < (b)[1] ? (a)[1] : (b)[1] }
#define MAX(a, b) (real){ (a)[0] > (b)[0] ? (a)[0] : (b)[0], (a)[1] > (b)[1] ? (a)[1] : (b)[1] }
#define FMA(a, b, c) (real){ fma((a)[0], (b)[0], (c)[0]), fma((a)[1], (b)[1], (c)[1]) }
#define real generic_real
#include "kernel.h"

#if defined __x86_64__
#define LANES 4
#define TARGET __attribute__((target("avx2,fma")))
#define NAME(x) avx2_##x
#define K(x) (real){ x, x, x, x }
#define SQRT(v) (real)_mm256_sqrt_pd((__m256d)(v))
#define ABS(v) (real)_mm256_andnot_pd(_mm256_set1_pd(-0.0), (__m256d)(v))
#define ROUND(v) (real)_mm256_round_pd((__m256d)(v), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define SELECT(mask, yes, no) (real)_mm256_blendv_pd((__m256d)(no), (__m256d)(yes), (__m256d)(mask))
#define MIN(a, b) (real)_mm256_min_pd((__m256d)(a), (__m256d)(b))
#define MAX(a, b) (real)_mm256_max_pd((__m256d)(a), (__m256d)(b))
#define FMA(a, b, c) (real)_mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c))
#define real avx2_real
#include "kernel.h"

#define LANES 8
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl")))
#define NAME(x) avx512_##x
#define K(x) (real){ x, x, x, x, x, x, x, x }
#define SQRT(v) (real)_mm512_sqrt_pd((__m512d)(v))
#define ABS(v) (real)_mm512_abs_pd((__m512d)(v))
#define ROUND(v) (real)_mm512_roundscale_pd((__m512d)(v), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define SELECT(mask, yes, no) \
    (real)_mm512_mask_blend_pd(_mm512_movepi64_mask((__m512i)(mask)), (__m512d)(no), (__m512d)(yes))
#define MIN(a, b) (real)_mm512_min_pd((__m512d)(a), (__m512d)(b))
#define MAX(a, b) (real)_mm512_max_pd((__m512d)(a), (__m512d)(b))
#define FMA(a, b, c) (real)_mm512_fmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c))
#define real avx512_real
#include "kernel.h"
#endif

#define INSTANCE(name) { #name, name##_variates, name##_slots, name##_cells, name##_polar }

static const struct kernels instances[] = {
#if defined __x86_64__
    INSTANCE(avx512),
    INSTANCE(avx2),
#endif
    INSTANCE(generic),
};

static int usable(const struct kernels *kernels)
{
#if defined __x86_64__
    if (!strcmp(kernels->name, "avx512"))
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (!strcmp(kernels->name, "avx2"))
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
    return kernels != NULL;
}

const struct kernels *kernels_best(void)
{
    const struct kernels *best = instances;
    while (!usable(best))
        best++;
    return best;
}

const struct kernels *kernels_named(const char *name)
{
    for (size_t i = 0; i < sizeof instances / sizeof *instances; i++)
        if (!strcmp(instances[i].name, name) && usable(&instances[i]))
            return &instances[i];
    return NULL;
}
