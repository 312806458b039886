/* The wrappers of functions that close descriptors or replace them, and of chroot: the report needs a descriptor or
 * two of its own until the end. */
#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "report/kept.h"
#include "report/report.h"
#include "table/kernel.h"
#include "wrap/real.h"
#include "wrap/wrap.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Closing standard error: `ls` does so before it ends, and the report is still to come; for that it keeps a descriptor
 * with a high number, which the program does not have: closing it fails as it would, filling it moves ours. */
#define CLOSING(name, parameters, arguments, descriptor)                            \
    int WRAPPED(name) parameters                                                      \
    {                                                                               \
        WRAP(name)                                                                  \
        if (report_root)                                                            \
            kept_closing((unsigned)(descriptor), (unsigned)(descriptor));     \
        if (report_root && kept_lowest((unsigned)(descriptor), (unsigned)(descriptor)) != ~0u) { \
            errno = EBADF;                                                          \
            return counted_result(row, -1);                                         \
        }                                                                           \
        return counted_result(row, next arguments);                                 \
    }
CLOSING(close, (int descriptor), (descriptor), descriptor)
CLOSING(__close, (int descriptor), (descriptor), descriptor)

/* Where libc keeps it is its own; fileno() sets errno for a stream without a descriptor. */
static int descriptor_of(FILE *stream)
{
    int before = errno, descriptor = fileno(stream);
    errno = before;
    return descriptor;
}

CLOSING(fclose, (FILE *stream), (stream), descriptor_of(stream))
CLOSING(_IO_fclose, (FILE *stream), (stream), descriptor_of(stream))

static inline void replacing(int descriptor)
{
    if (report_root) {
        kept_closing((unsigned)descriptor, (unsigned)descriptor);
        kept_move((unsigned)descriptor);
    }
}

#define REPLACING(name, parameters, arguments)      \
    int WRAPPED(name) parameters                      \
    {                                               \
        WRAP(name)                                  \
        replacing(new);                             \
        return counted_result(row, next arguments); \
    }
REPLACING(dup2, (int old, int new), (old, new))
REPLACING(__dup2, (int old, int new), (old, new))
REPLACING(dup3, (int old, int new, int flags), (old, new, flags))

#define REOPENING(name)                                                     \
    FILE *WRAPPED(name)(const char *path, const char *mode, FILE *stream)     \
    {                                                                       \
        WRAP(name)                                                          \
        replacing(descriptor_of(stream));                                         \
        FILE *result = next(path, mode, stream);                            \
        if (!result)                                                        \
            counters_failed(row, errno);                                    \
        return result;                                                      \
    }
REOPENING(freopen)
REOPENING(freopen64)

int WRAPPED(close_range)(unsigned first, unsigned last, int flags)
{
    WRAP(close_range)
    if (!next)  /* before glibc 2.34 */
        return MISSING_minus;
    if (report_root && first <= last && !(flags & 4 /* CLOSE_RANGE_CLOEXEC */)) {
        kept_closing(first, last);
        for (unsigned kept; (kept = kept_lowest(first, last)) != ~0u; first = kept + 1) {
            if (first < kept)
                next(first, kept - 1, flags);
            if (kept == last)
                return 0;
        }
    }
    return counted_result(row, next(first, last, flags));
}

/* By whichever function this libc has. */
static void close_all(unsigned first, unsigned last)
{
    __typeof__(&WRAPPED(close_range)) range = real_next(CALL_close_range);
    __typeof__(&WRAPPED(close)) one = real_next(CALL_close);
    if (range)
        range(first, last, 0);
    for (; !range && first <= last; first++)
        one((int)first);
}

/* Before glibc 2.34 it is libbsd's, or nobody's: a program that finds it by name finds ours, which has to do it then. */
void WRAPPED(closefrom)(int first)
{
    WRAP(closefrom)
    first = first < 0 ? 0 : first;
    if (report_root) {
        kept_closing((unsigned)first, ~0u);
        for (unsigned kept; (kept = kept_lowest((unsigned)first, ~0u)) != ~0u; first = (int)kept + 1)
            if ((unsigned)first < kept)
                close_all((unsigned)first, kept - 1);
    }
    struct rlimit64 limit = { .rlim_cur = 1 << 20 };  /* no more, unless fs.nr_open was raised */
    if (next) {
        next(first);
    } else {
        kernel_call(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit);
        close_all((unsigned)first, limit.rlim_cur < 1 << 20 ? (unsigned)limit.rlim_cur : 1 << 20);
    }
}

int WRAPPED(chroot)(const char *path)
{
    WRAP(chroot)
    report_keep();
    return counted_result(row, next(path));
}
