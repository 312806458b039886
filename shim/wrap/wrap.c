/* The wrappers, expanded from calls.def: count, call the next definition, count its error. Those with variable
 * arguments are written out below; the others that need more are in descriptors.c, processes.c and execs.c. */
#define __NO_INLINE__ 1  /* no inline twins of the functions that are defined here */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <utime.h>

#include "filter/filter.h"
#include "process.h"
#include "report/report.h"
#include "table/kernel.h"
#include "wrap/wrap.h"

/* Functions that old programs call and today's headers hide are declared by the table itself. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define CALL(family, type, name, parameters, arguments, failed) \
    type WRAPPED(name) parameters                                 \
    {                                                           \
        WRAP(name)                                              \
        if (!next)                                              \
            return MISSING_##failed;                            \
        BEFORE_##failed;                                        \
        type result = next arguments;                           \
        if (__builtin_expect(FAILED_##failed, 0))               \
            counters_failed(row, ERRNO_##failed);               \
        if (CARRIES(#type) && __builtin_expect(timed.start != 0, 0)) \
            wrap_bytes(row, (long)result);                      \
        AFTER_##failed;                                         \
        return result;                                          \
    }
#define VOID(family, name, parameters, arguments) \
    void WRAPPED(name) parameters                   \
    {                                             \
        WRAP(name)                                \
        if (next)                                 \
            next arguments;                       \
    }
#define OWN(family, type, name, parameters, failed)

/* They have at most six arguments, all in registers: passing on all registers does what the caller did. */
#define OLD(type, name, tag, version, failed)                                                       \
    __asm__(".symver " #name "_" #tag ", " #name "@" version ", remove");                           \
    EXPORT type name##_##tag(long a, long b, long c, long d, long e, long f)                        \
    {                                                                                               \
        static _Atomic(void *) old;                                                                 \
        struct counter *row = counters_row(CALL_##name);                                            \
        counters_add(&row->calls);                                                                  \
        __attribute__((cleanup(wrap_timed), unused)) struct wrap_time timed = wrap_begin(CALL_##name);      \
        type (*next)(long, long, long, long, long, long) = real_version(&old, #name, version);      \
        if (!next)                                                                                  \
            return MISSING_##failed;                                                                \
        type result = next(a, b, c, d, e, f);                                                       \
        if (__builtin_expect(FAILED_##failed, 0))                                                   \
            counters_failed(row, ERRNO_##failed);                                                   \
        return result;                                                                              \
    }
#include "table/calls.def"

/* The mode is there only when the flags say so (O_TMPFILE holds O_DIRECTORY: __OPEN_NEEDS_MODE knows); reading it
 * always would pass on garbage that no harm comes of, reading it never gives new files no permissions. */
#define OPEN(name, parameters, arguments, flags)        \
    int WRAPPED(name) parameters                          \
    {                                                   \
        WRAP(name)                                      \
        mode_t mode = 0;                                \
        if (__OPEN_NEEDS_MODE(flags)) {                 \
            va_list list;                               \
            va_start(list, flags);                      \
            mode = va_arg(list, mode_t);                \
            va_end(list);                               \
        }                                               \
        return counted_result(row, next arguments);     \
    }
OPEN(open, (const char *path, int flags, ...), (path, flags, mode), flags)
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode), flags)
OPEN(__open, (const char *path, int flags, ...), (path, flags, mode), flags)
OPEN(__open64, (const char *path, int flags, ...), (path, flags, mode), flags)
OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode), flags)
OPEN(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode), flags)

/* One more argument of some type, or none: passing on a register does what the caller did. */
#define VARIADIC(type, name, parameters, arguments, last, failed)       \
    type WRAPPED(name) parameters                                         \
    {                                                                   \
        WRAP(name)                                                      \
        va_list list;                                                   \
        va_start(list, last);                                           \
        void *more = va_arg(list, void *);                              \
        va_end(list);                                                   \
        type result = next arguments;                                   \
        if (FAILED_##failed)                                            \
            counters_failed(row, errno);                                \
        return result;                                                  \
    }
VARIADIC(int, fcntl, (int descriptor, int command, ...), (descriptor, command, more), command, minus)
VARIADIC(int, fcntl64, (int descriptor, int command, ...), (descriptor, command, more), command, minus)
VARIADIC(int, __fcntl, (int descriptor, int command, ...), (descriptor, command, more), command, minus)
VARIADIC(int, ioctl, (int descriptor, unsigned long request, ...), (descriptor, request, more), request, minus)
VARIADIC(void *, mremap, (void *old, size_t size, size_t wanted, int flags, ...), (old, size, wanted, flags, more),
         flags, map)

/* Four more arguments, or fewer. */
int WRAPPED(prctl)(int option, ...)
{
    WRAP(prctl)
    long argument[4];
    va_list list;
    va_start(list, option);
    for (int i = 0; i < 4; i++)
        argument[i] = va_arg(list, long);
    va_end(list);
    filter_enter(SYS_prctl, option, argument[0], argument[1]);
    int result = next(option, argument[0], argument[1], argument[2], argument[3]);
    filter_leave(SYS_prctl, option, argument[0], result);
    return counted_result(row, result);
}

long WRAPPED(syscall)(long number, ...)
{
    WRAP(syscall)
    long argument[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        argument[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_exit_group)
        report_print((int)argument[0] & 0xff);
    filter_enter(number, argument[0], argument[1], argument[2]);
    long result = next(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
    filter_leave(number, argument[0], argument[1], result);
    if (result == -1)
        counters_failed(row, errno);
    if (result == 0 && (number == SYS_clone || number == SYS_clone3 || number == PROCESS_FORK))
        process_forked((unsigned long)argument[0], number);
    return result;
}
