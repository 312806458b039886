/* By which path a descriptor of this process was opened, and its working directory. Both are remembered where they are seen
 * to change, are copied by fork, and are asked of the kernel where they are not known: descriptors that a program began
 * with, or got from another process. A child of vfork has the memory of its parent but descriptors of its own: it asks. */
#include "files/descriptors.h"

#include "files/paths.h"

#include "counters.h"
#include "table/kernel.h"
#include "table/text.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <sys/mman.h>

enum { DESCRIPTORS = 16384, ROOM = 512 };

static _Atomic uint32_t opened_by[DESCRIPTORS];  /* 1 + the number of a file, 0: not known */
static _Atomic uint32_t here;                    /* the same of the working directory */
static _Thread_local unsigned lent;

/* The file of a link in /proc, or of the working directory where there is none; by a path in that much room. */
static long ask(const char *link, char *room, size_t size)
{
    long length = link ? kernel_call(SYS_readlinkat, AT_FDCWD, link, room, size - 1) : kernel_call(SYS_getcwd, room, size);
    if (link && length == (long)size - 1)
        return -ERANGE;
    if (length >= 0)
        room[link ? length : length - 1] = 0;
    return length;
}

static uint32_t named(long length, const char *path)
{
    if (length == -ENOENT)
        return COUNTERS_FILE_UNNAMED;   /* no such descriptor */
    if (length <= 0)
        return COUNTERS_FILE_OTHER;
    bool real = *path == '/' && !text_begins(path, "/memfd:");
    return real ? paths_find(COUNTERS_FILE_OTHER, path) : COUNTERS_FILE_UNNAMED;
}

/* There may be little stack: long paths get memory of their own for a moment. */
static __attribute__((noinline)) uint32_t look_up(const char *link)
{
    char room[ROOM];
    long length = ask(link, room, sizeof room);
    if (length != -ERANGE)
        return named(length, room);
    char *more = (char *)kernel_call(SYS_mmap, 0, PATH_MAX, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
    if (kernel_failed((long)more))
        return COUNTERS_FILE_OTHER;
    uint32_t file = named(ask(link, more, PATH_MAX), more);
    kernel_call(SYS_munmap, more, PATH_MAX);
    return file;
}

uint32_t descriptors_file(int descriptor)
{
    bool kept = !lent && descriptor >= 0 && descriptor < DESCRIPTORS;
    uint32_t known = kept ? atomic_load_explicit(&opened_by[descriptor], memory_order_relaxed) : 0;
    if (known)
        return known - 1;
    if (descriptor < 0)
        return COUNTERS_FILE_UNNAMED;
    char name[sizeof "/proc/thread-self/fd/" + 10];
    struct text text = TEXT_IN(name);
    text_put(&text, "/proc/self/fd/");
    text_number(&text, (uint64_t)descriptor, 0);
    uint32_t file = look_up(text_end(&text));
    if (kept)
        atomic_compare_exchange_strong(&opened_by[descriptor], &known, file + 1);
    return file;
}

uint32_t descriptors_folder(int descriptor)
{
    if (descriptor != AT_FDCWD)
        return descriptors_file(descriptor);
    uint32_t known = lent ? 0 : atomic_load_explicit(&here, memory_order_relaxed);
    if (known)
        return known - 1;
    uint32_t file = look_up(NULL);
    if (!lent)
        atomic_compare_exchange_strong(&here, &known, file + 1);
    return file;
}

void descriptors_opened(int descriptor, uint32_t file)
{
    if (!lent && descriptor >= 0 && descriptor < DESCRIPTORS)
        atomic_store_explicit(&opened_by[descriptor], file + 1, memory_order_relaxed);
}

void descriptors_copied(int old, int new)
{
    bool kept = old >= 0 && old < DESCRIPTORS;
    uint32_t known = kept ? atomic_load_explicit(&opened_by[old], memory_order_relaxed) : 0;
    if (!lent && old != new && new >= 0 && new < DESCRIPTORS)
        atomic_store_explicit(&opened_by[new], known, memory_order_relaxed);
}

void descriptors_closing(unsigned first, unsigned last)
{
    for (unsigned i = first; !lent && i <= last && i < DESCRIPTORS; i++)
        if (atomic_load_explicit(&opened_by[i], memory_order_relaxed))
            atomic_store_explicit(&opened_by[i], 0, memory_order_relaxed);
}

void descriptors_moved(void)
{
    if (!lent)
        atomic_store_explicit(&here, 0, memory_order_relaxed);
}

void descriptors_lend(void)
{
    lent++;
}

void descriptors_take_back(void)
{
    lent--;
}
