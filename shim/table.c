/* The shared memory: a file named libcount.UID.PID in /dev/shm (or $TMPDIR, or /tmp), PID being the process that
 * made it. Children, and whatever they exec, open it by the name in LIBCOUNT_TABLE and close it at once: no descriptor
 * stays in the program, and none that the program closes is missed. The root removes it when it ends; what a killed
 * root has left is removed by the next one. */
#include "table/kernel.h"
#include "shim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>

static char path[256];
static char prefix[64];        /* "libcount.UID." */
static const char *folder;

static struct counters_table *map(int descriptor, size_t size)
{
    int flags = descriptor < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED;
    long memory = kernel_call(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, flags, descriptor, 0);
    return kernel_failed(memory) ? NULL : (struct counters_table *)memory;
}

/* The table that LIBCOUNT_TABLE names, or NULL: gone, not ours, or of another layout. */
static struct counters_table *attach(const char *name)
{
    int descriptor = (int)kernel_call(SYS_openat, AT_FDCWD, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);
    if (descriptor < 0)
        return NULL;
    long size = kernel_call(SYS_lseek, descriptor, 0, SEEK_END);
    struct counters_table *table = NULL;
    bool fits = size >= (long)sizeof *table;
    if (fits)
        table = map(descriptor, (size_t)size);
    kernel_call(SYS_close, descriptor);
    if (!fits || (table && !counters_fits(table, (size_t)size))) {
        if (table)
            kernel_call(SYS_munmap, table, size);
        text_warn(2, name, ": made by another version of libcount; nothing is counted", "");
        return NULL;
    }
    return table;
}

/* Whether a process still has the table: while it is mapped the kernel grants nobody a write lease on it (fcntl(2)). */
static bool in_use(int folder_descriptor, const char *name)
{
    int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    int descriptor = (int)kernel_call(SYS_openat, folder_descriptor, name, flags, 0);
    if (descriptor < 0)
        return false;
    bool used = kernel_call(SYS_fcntl, descriptor, F_SETLEASE, F_WRLCK) == -EAGAIN;
    kernel_call(SYS_close, descriptor);
    return used;
}

/* Remove what roots that are no more have left in the folder. */
static void sweep(pid_t self)
{
    char buffer[4096] __attribute__((aligned(8)));
    int descriptor = (int)kernel_call(SYS_openat, AT_FDCWD, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (descriptor < 0)
        return;
    long bytes;
    while ((bytes = kernel_call(SYS_getdents64, descriptor, buffer, sizeof buffer)) > 0) {
        for (long at = 0; at < bytes;) {
            struct dirent64 *entry = (struct dirent64 *)(buffer + at);
            at += entry->d_reclen;
            if (!text_begins(entry->d_name, prefix))
                continue;
            long pid = 0;
            for (const char *c = entry->d_name + text_length(prefix); *c >= '0' && *c <= '9'; c++)
                pid = pid * 10 + (*c - '0');
            if (pid > 0 && pid != self && kernel_call(SYS_kill, pid, 0) == -ESRCH &&
                !in_use(descriptor, entry->d_name))
                kernel_call(SYS_unlinkat, descriptor, entry->d_name, 0);
        }
    }
    kernel_call(SYS_close, descriptor);
}

/* A file that grows beyond RLIMIT_FSIZE would raise SIGXFSZ in the program. */
static bool may_grow(size_t size)
{
    struct rlimit limit;
    long result = kernel_call(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, &limit);
    return !kernel_failed(result) && limit.rlim_cur >= size;
}

static struct counters_table *create_in(const char *where, pid_t self, size_t size)
{
    struct text text = { prefix, prefix, prefix + sizeof prefix - 1 };
    text_put(&text, "libcount.");
    text_number(&text, (uint64_t)kernel_call(SYS_geteuid), 0);
    text_put(&text, ".");
    *text.next = 0;
    folder = where;
    text = (struct text){ path, path, path + sizeof path - 1 };
    text_put(&text, where);
    text_put(&text, "/");
    text_put(&text, prefix);
    text_number(&text, (uint64_t)self, 0);
    *text.next = 0;
    int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
    int descriptor = (int)kernel_call(SYS_openat, AT_FDCWD, path, flags, 0600);
    if (descriptor == -EEXIST && !in_use(AT_FDCWD, path)) {  /* of an earlier process with our number */
        kernel_call(SYS_unlinkat, AT_FDCWD, path, 0);
        descriptor = (int)kernel_call(SYS_openat, AT_FDCWD, path, flags, 0600);
    }
    if (descriptor < 0)
        return NULL;
    struct counters_table *table = NULL;
    if (!kernel_failed(kernel_call(SYS_ftruncate, descriptor, size)))
        table = map(descriptor, size);
    kernel_call(SYS_close, descriptor);
    if (!table)
        kernel_call(SYS_unlinkat, AT_FDCWD, path, 0);
    return table;
}

static struct counters_table *create(pid_t self, char **environment)
{
    const char *temporary = environment_value(environment, "TMPDIR");
    const char *const folders[] = { "/dev/shm", temporary, "/tmp" };
    size_t size = counters_size(settings.flags);
    struct counters_table *table = NULL;
    if (may_grow(size))
        for (int i = 0; i < 3 && !table; i++)
            if (folders[i] && *folders[i] && text_length(folders[i]) < 180)
                table = create_in(folders[i], self, size);
    if (table) {
        sweep(self);
    } else {
        path[0] = 0;  /* shared with forked children only */
        table = map(-1, size);
    }
    if (!table)
        return NULL;
    counters_initialise(table, settings.flags, self);
    counters_table = table;
    if (!path[0])
        counters_say("programs that were executed: no place for shared memory");
    return table;
}

struct counters_table *table_begin(pid_t self, char **environment, const char **name)
{
    if (settings.table) {
        *name = settings.table;
        return attach(settings.table);
    }
    struct counters_table *table = create(self, environment);
    *name = path[0] ? path : NULL;
    return table;
}

/* The length of the folder's part of a table's path, with the last slash. */
static size_t folder_length(const char *name)
{
    size_t length = text_length(name);
    while (length && name[length - 1] != '/')
        length--;
    return length;
}

int table_folder(const char *name)
{
    char where[sizeof path];
    struct text text = { where, where, where + sizeof where - 1 };
    for (size_t i = 0; i < folder_length(name); i++)
        text_char(&text, name[i]);
    *text.next = 0;
    return (int)kernel_call(SYS_openat, AT_FDCWD, where, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
}

void table_end(const char *name, int descriptor)
{
    /* Beside the table there may be a link to this library that a launcher made: where its path holds a space or a
     * colon, LD_PRELOAD cannot name it. */
    char link[sizeof path + 4];
    size_t from = descriptor >= 0 ? folder_length(name) : 0;
    int where = descriptor >= 0 ? descriptor : AT_FDCWD;
    struct text text = { link, link, link + sizeof link - 1 };
    text_put(&text, name);
    text_put(&text, ".so");
    *text.next = 0;
    kernel_call(SYS_unlinkat, where, name + from, 0);
    if (text_equal(real_own_path(), link))
        kernel_call(SYS_unlinkat, where, link + from, 0);
}
