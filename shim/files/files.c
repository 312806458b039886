/* What was asked for by which path: each system call that has a path, or a descriptor that was opened by one, adds to the
 * place of that path. An execve adds when it is made, since it does not return; all others when they have returned,
 * since the kernel has said by then whether there is a path at all. */
#include "files/files.h"

#include "files/descriptors.h"
#include "files/paths.h"

#include "counters.h"
#include "filter/seal.h"
#include "table/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>

#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#if !defined(SYS_newfstatat) && defined(SYS_fstatat64)
#define SYS_newfstatat SYS_fstatat64
#endif

enum what { NOTHING, OPENS, EXECUTES, LOOKS, READS, WRITES, COPIES, MOVES };
enum { READLINK = 7 };   /* in place of flags: an empty path is the descriptor's file */

struct call {
    uint8_t what, path, descriptor, flags;   /* COPIES: from `path` to `descriptor` */
};

static const struct call calls[COUNTERS_NUMBERS] = {
#define FILE_CALL(name, what, path, descriptor, flags) [SYS_##name] = { what, path, descriptor, flags },
#define FILE_COPY(name, from, to) [SYS_##name] = { COPIES, from, to, 0 },
#define FILE_MOVE(name) [SYS_##name] = { .what = MOVES },
#include "files/files.def"
};

static const struct call *call_of(long number)
{
    return number >= 0 && number < COUNTERS_NUMBERS ? &calls[number] : &calls[COUNTERS_NUMBERS - 1];
}

bool files_concern(long number)
{
    return call_of(number)->what != NOTHING;
}

/* Whether all of a path can be read: the kernel is asked for eight bytes of each page. */
static bool readable(const char *path)
{
    enum { NO_HOW = 999 /* a `how` that rt_sigprocmask does not have: it reads the set first */, PAGE = 4096 };
    for (const char *at = path;;) {
        uintptr_t word = (uintptr_t)at & ~(uintptr_t)7, end = ((uintptr_t)at | (PAGE - 1)) + 1;
        if (!dispatch_maskless && kernel_call(SYS_rt_sigprocmask, NO_HOW, word, NULL, 8) != -EINVAL)
            return false;
        while ((uintptr_t)at < end)
            if (!*at++)
                return true;
    }
}

/* Whether the kernel has read the path before it gave this result: else it may be a wrong pointer. */
static bool was_read(long result)
{
    static const int16_t behind[] = { ENOENT, ENOTDIR, ENODATA, EOPNOTSUPP, ERANGE, EACCES, EEXIST, ELOOP };
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++)
        if (result == -behind[i])
            return true;
    return !kernel_failed(result);
}

static uint32_t file_of(const struct call *call, const long argument[6], long result)
{
    int descriptor = call->descriptor ? (int)argument[call->descriptor - 1] : AT_FDCWD;
    const char *path = call->path ? (const char *)argument[call->path - 1] : NULL;
    if (result == -EBADF)
        return COUNTERS_FILE_UNNAMED;
    if (!path)
        return descriptor == AT_FDCWD && result == -EFAULT ? COUNTERS_FILE_UNNAMED : descriptors_folder(descriptor);
    if (result == -EFAULT || (!was_read(result) && !readable(path)))
        return COUNTERS_FILE_UNNAMED;
    bool empty = call->flags == READLINK || (call->flags && argument[call->flags - 1] & AT_EMPTY_PATH);
    if (!*path && empty)
        return descriptors_folder(descriptor);
    return paths_find(*path == '/' ? COUNTERS_FILE_OTHER : descriptors_folder(descriptor), path);
}

static void add(_Atomic uint64_t *counter, long amount)
{
    if (amount > 0)
        atomic_fetch_add_explicit(counter, (uint64_t)amount, memory_order_relaxed);
}

static void add_read(uint32_t number, long bytes)
{
    struct counters_file *file = paths_file(number);
    add(&file->reads, 1);
    add(&file->bytes_read, bytes);
}

static void add_written(uint32_t number, long bytes)
{
    struct counters_file *file = paths_file(number);
    add(&file->writes, 1);
    add(&file->bytes_written, bytes);
}

/* A descriptor is forgotten before it is closed: afterwards another thread may have it again. */
void files_before(long number, const long argument[6])
{
    if (number == SYS_close)
        descriptors_closing((unsigned)argument[0], (unsigned)argument[0]);
    else if (number == SYS_close_range && !(argument[2] & 4 /* CLOSE_RANGE_CLOEXEC */))
        descriptors_closing((unsigned)argument[0], (unsigned)argument[1]);
    else if (call_of(number)->what == EXECUTES)
        add(&paths_file(file_of(call_of(number), argument, -EINVAL))->opens, 1);
}

static void move(long number, const long argument[6], long result)
{
    switch (number) {
    case SYS_fcntl:
        if (argument[1] != F_DUPFD && argument[1] != F_DUPFD_CLOEXEC)
            return;
        /* fall through */
    case SYS_dup: case SYS_dup3:
#ifdef SYS_dup2
    case SYS_dup2:
#endif
        descriptors_copied((int)argument[0], (int)result);
        return;
    case SYS_chdir: case SYS_fchdir: case SYS_chroot:
        descriptors_moved();
        return;
    }
}

void files_after(long number, const long argument[6], long result)
{
    const struct call *call = call_of(number);
    if (call->what == COPIES) {
        bool bad = result == -EBADF;
        add_read(bad ? COUNTERS_FILE_UNNAMED : descriptors_file((int)argument[call->path - 1]), result);
        add_written(bad ? COUNTERS_FILE_UNNAMED : descriptors_file((int)argument[call->descriptor - 1]), result);
        return;
    }
    if (call->what == MOVES) {
        if (!kernel_failed(result))
            move(number, argument, result);
        return;
    }

    uint32_t number_of_file = file_of(call, argument, result);
    struct counters_file *file = paths_file(number_of_file);
    add(&file->misses, result == -ENOENT);
    if (call->what == LOOKS) {
        add(&file->looks, 1);
    } else if (call->what == READS) {
        add_read(number_of_file, result);
    } else if (call->what == WRITES) {
        add_written(number_of_file, result);
    } else if (call->what == OPENS) {
        add(&file->opens, 1);
        if (!kernel_failed(result))
            descriptors_opened((int)result, number_of_file);
    }
}
