/* The file that holds a table, from its making to its removal. */
#include "file.h"

#include "kernel.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

enum { PREFIX = 32, LONGEST_FOLDER = FILE_PATH - 64 };

/* "libcount.UID.": whose files these are. */
static void put_prefix(struct text *text)
{
    text_put(text, "libcount.");
    text_number(text, (uint64_t)kernel_call(SYS_geteuid), 0);
    text_char(text, '.');
}

/* -1 for no number. */
static long leading_number(const char **at)
{
    long number = -1;
    for (; **at >= '0' && **at <= '9' && number < 1 << 26; ++*at)
        number = (number < 0 ? 0 : number) * 10 + (**at - '0');
    return number;
}

/* Whether a process has the file open for writing or mapped: the kernel then grants nobody a lease for reading, which
 * only who opens it for writing breaks, by a signal. SIGURG does no harm, SIGIO, which it would be, kills. */
static bool in_use(int folder, const char *name)
{
    struct stat status;
    long failed = kernel_call(SYS_newfstatat, folder, name, &status, AT_SYMLINK_NOFOLLOW);
    if (kernel_failed(failed) || !S_ISREG(status.st_mode) || status.st_uid != (uid_t)kernel_call(SYS_geteuid))
        return true;  /* not ours to ask: to open what another has leased takes as long as he likes */
    int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    int descriptor = (int)kernel_call(SYS_openat, folder, name, flags, 0);
    if (descriptor < 0)
        return true;
    kernel_call(SYS_fcntl, descriptor, F_SETSIG, SIGURG);
    bool used = kernel_call(SYS_fcntl, descriptor, F_SETLEASE, F_RDLCK) == -EAGAIN;
    kernel_call(SYS_fcntl, descriptor, F_SETLEASE, F_UNLCK);
    kernel_call(SYS_close, descriptor);
    return used;
}

bool file_shared(int descriptor)
{
    kernel_call(SYS_fcntl, descriptor, F_SETSIG, SIGURG);
    long lease = kernel_call(SYS_fcntl, descriptor, F_SETLEASE, F_WRLCK);
    kernel_call(SYS_fcntl, descriptor, F_SETLEASE, F_UNLCK);
    return lease == -EAGAIN;
}

/* Whether `name` is left from a process that is no more, or from an earlier one with our number. A link is in use as
 * long as the table beside it; our own may be how this library got here. */
static bool left_over(int folder, const char *name, const char *prefix, pid_t self)
{
    if (!text_begins(name, prefix))
        return false;
    const char *rest = name + text_length(prefix);
    long maker = leading_number(&rest);
    size_t length = text_length(rest);
    bool link = length >= 3 && text_equal(rest + length - 3, ".so");
    if (maker <= 0 || (maker == self && link))
        return false;
    if (maker != self && kernel_call(SYS_kill, maker, 0) != -ESRCH)
        return false;
    if (!link)
        return !in_use(folder, name);

    char table[NAME_MAX + 1];
    struct text text = TEXT_IN(table);
    struct stat status;
    text_bytes(&text, name, text_length(name) - 3);
    bool alone = kernel_call(SYS_newfstatat, folder, text_end(&text), &status, AT_SYMLINK_NOFOLLOW) == -ENOENT;
    return alone || !in_use(folder, table);
}

static void sweep(const char *place, const char *prefix)
{
    char buffer[4096] __attribute__((aligned(8)));
    int folder = (int)kernel_call(SYS_openat, AT_FDCWD, place, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (folder < 0)
        return;
    pid_t self = (pid_t)kernel_call(SYS_getpid);
    long bytes;
    while ((bytes = kernel_call(SYS_getdents64, folder, buffer, sizeof buffer)) > 0) {
        for (long at = 0; at < bytes;) {
            struct dirent64 *entry = (struct dirent64 *)(buffer + at);
            at += entry->d_reclen;
            if (left_over(folder, entry->d_name, prefix, self))
                kernel_call(SYS_unlinkat, folder, entry->d_name, 0);
        }
    }
    kernel_call(SYS_close, folder);
}

static void put_random(struct text *text)
{
    static const char digits[] = "0123456789abcdef";
    uint32_t bits = 0;
    struct timespec now = { 0, 0 };
    if (kernel_call(SYS_getrandom, &bits, sizeof bits, 1 /* GRND_NONBLOCK */) != sizeof bits) {
        kernel_call(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
        bits = (uint32_t)now.tv_nsec * 2654435761u ^ (uint32_t)((uintptr_t)&now >> 4);
    }
    for (int shift = 28; shift >= 0; shift -= 4)
        text_char(text, digits[bits >> shift & 15]);
}

/* The standard descriptors may be closed: who is counted would then inherit nothing in their place, nor may we take it. */
static int above_standard(int descriptor)
{
    if (descriptor < 0 || descriptor > 2)
        return descriptor;
    int higher = (int)kernel_call(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, 3);
    kernel_call(SYS_close, descriptor);
    return higher;
}

/* Where the file system knows no fallocate, writing does the same. */
static long reserve(int descriptor, size_t size)
{
    static const char zeros[4096];
    long result;
    do
        result = kernel_call(SYS_fallocate, descriptor, 0, 0, size);
    while (result == -EINTR);
    if (result != -EOPNOTSUPP && result != -ENOSYS)
        return result;
    for (size_t at = 0; at < size; at += (size_t)result) {
        size_t part = size - at < sizeof zeros ? size - at : sizeof zeros;
        result = kernel_call(SYS_pwrite64, descriptor, zeros, part, at);
        if (result <= 0)
            return result < 0 ? result : -ENOSPC;
    }
    return 0;
}

/* A file that outgrows RLIMIT_FSIZE raises SIGXFSZ. */
static long grow(const struct file *file, size_t reserved)
{
    struct rlimit limit;
    long result = kernel_call(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, &limit);
    if (kernel_failed(result) || limit.rlim_cur < file->size)
        return -EFBIG;
    result = reserve(file->descriptor, reserved);
    if (!kernel_failed(result) && reserved < file->size)
        result = kernel_call(SYS_ftruncate, file->descriptor, file->size);
    return result;
}

/* Since Linux 5.14 memory can be asked for and refused; before, who touches what there is not gets SIGBUS. */
bool file_populate(void *memory, size_t size)
{
    enum { PAGE = 4096, POPULATE_WRITE = 23 };
    uintptr_t begin = (uintptr_t)memory & ~(uintptr_t)(PAGE - 1);
    return kernel_call(SYS_madvise, begin, (uintptr_t)memory + size - begin, POPULATE_WRITE) == 0;
}

/* Bytes of a new table that get memory at once, for files get theirs when they come, where that can be done. */
static size_t reserved_of(uint32_t flags)
{
    return file_populate(NULL, 0) ? counters_reserved(flags) : counters_size(flags);
}

static void initialise(struct file *file, uint32_t flags, int32_t root, size_t reserved)
{
    counters_initialise(file->table, flags, root);
    if (reserved < file->size)
        file->table->paths_ready = COUNTERS_PATHS_STEP;
}

static struct counters_table *map(int descriptor, size_t size)
{
    int flags = descriptor < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED;
    return (struct counters_table *)kernel_call(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, flags, descriptor, 0);
}

static long create_in(struct file *file, size_t reserved, const char *place, const char *prefix)
{
    struct text text = TEXT_IN(file->path);
    text_put(&text, place, "/", prefix);
    text_number(&text, (uint64_t)kernel_call(SYS_getpid), 0);
    text_char(&text, '.');
    put_random(&text);
    int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
    file->descriptor = above_standard((int)kernel_call(SYS_openat, AT_FDCWD, text_end(&text), flags, 0600));
    if (file->descriptor < 0)
        return file->descriptor;

    long result = grow(file, reserved);
    if (!kernel_failed(result)) {
        file->table = map(file->descriptor, file->size);
        result = kernel_failed((long)file->table) ? (long)file->table : 0;
    }
    if (kernel_failed(result)) {
        kernel_call(SYS_close, file->descriptor);
        file_remove(file->path, -1);
    }
    return result;
}

long file_create(struct file *file, const char *temporary, uint32_t flags, int32_t root)
{
    const char *const places[] = { "/dev/shm", temporary, "/tmp" };
    char name[PREFIX];
    struct text prefix = TEXT_IN(name);
    long result = -ENOENT;
    put_prefix(&prefix);
    text_end(&prefix);
    file->size = counters_size(flags);
    size_t reserved = reserved_of(flags);
    for (int i = 0; i < 3; i++) {
        if (!places[i] || places[i][0] != '/' || text_length(places[i]) > LONGEST_FOLDER)
            continue;
        sweep(places[i], name);
        result = create_in(file, reserved, places[i], name);
        if (!kernel_failed(result)) {
            initialise(file, flags, root, reserved);
            return 0;
        }
    }
    return result;
}

long file_create_private(struct file *file, uint32_t flags, int32_t root)
{
    *file = (struct file){ .size = counters_size(flags), .descriptor = -1 };
    file->table = map(-1, file->size);
    if (kernel_failed((long)file->table))
        return (long)file->table;
    initialise(file, flags, root, reserved_of(flags));
    return 0;
}

/* Not blocked by a lease, unless it is on a file of our own user: a reader of a table holds one for a moment. */
static int open_table(const char *path)
{
    struct stat status;
    int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
    int descriptor = (int)kernel_call(SYS_openat, AT_FDCWD, path, flags | O_NONBLOCK, 0);
    if (descriptor != -EAGAIN || kernel_failed(kernel_call(SYS_newfstatat, AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW)) ||
        status.st_uid != (uid_t)kernel_call(SYS_geteuid))
        return descriptor;
    return (int)kernel_call(SYS_openat, AT_FDCWD, path, flags, 0);
}

enum file_answer file_attach(struct file *file, const char *path)
{
    struct stat status;
    int descriptor = open_table(path);
    if (descriptor < 0)
        return FILE_GONE;
    bool known = !kernel_failed(kernel_call(SYS_fstat, descriptor, &status));
    bool large = known && S_ISREG(status.st_mode) && status.st_size >= (off_t)sizeof *file->table;
    *file = (struct file){ .size = large ? (size_t)status.st_size : 0, .descriptor = -1 };
    if (large)
        file->table = map(descriptor, file->size);
    kernel_call(SYS_close, descriptor);
    if (!large)
        return FILE_STRANGE;
    if (kernel_failed((long)file->table))
        return FILE_GONE;
    if (counters_fits(file->table, file->size))
        return FILE_ATTACHED;
    kernel_call(SYS_munmap, file->table, file->size);
    return FILE_STRANGE;
}

/* The bytes from one place of a file to another, there. */
static bool read_bytes(const struct file *file, char *copy, size_t from, size_t to)
{
    file_populate(copy + from, to - from);   /* one call is cheaper than many page faults */
    while (from < to) {
        long bytes = kernel_call(SYS_pread64, file->descriptor, copy + from, to - from, from);
        if (bytes <= 0 && bytes != -EINTR)
            return false;
        from += bytes > 0 ? (size_t)bytes : 0;
    }
    return true;
}

bool file_read(const struct file *file, struct counters_table *copy)
{
    char *to = (char *)copy;
    if (file->size < sizeof *copy || !read_bytes(file, to, 0, sizeof *copy) || !counters_fits(copy, file->size) ||
        !read_bytes(file, to, counters_place(copy->flags, COUNTERS_PART_TALLIES), counters_used(copy)))
        return false;
    size_t sections = 0;
    while (counters_section_used(copy, sections))
        sections++;
    return read_bytes(file, to, sizeof *copy, sizeof *copy + sections * sizeof(struct counters_shard));
}

/* The length of the folder's part of a path, with the last slash. */
static size_t folder_length(const char *path)
{
    return (size_t)(text_base(path) - path);
}

void file_remove(const char *path, int folder)
{
    kernel_call(SYS_unlinkat, folder < 0 ? AT_FDCWD : folder, folder < 0 ? path : text_base(path), 0);
}

int file_folder(const char *path)
{
    char place[FILE_PATH];
    struct text text = TEXT_IN(place);
    text_bytes(&text, path, folder_length(path));
    return (int)kernel_call(SYS_openat, AT_FDCWD, text_end(&text), O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
}

void file_close(struct file *file)
{
    kernel_call(SYS_munmap, file->table, file->size);
    if (file->descriptor >= 0)
        kernel_call(SYS_close, file->descriptor);
    if (file->path[0])
        file_remove(file->path, -1);
    *file = (struct file){ .descriptor = -1 };
}

bool file_links(const char *path, const char *library)
{
    char name[PREFIX + 16];
    struct text text = TEXT_IN(name);
    const char *base = text_base(path), *rest = base, *link = text_base(library);
    size_t length = text_length(link);
    for (int dots = 0; *rest && dots < 3; rest++)
        dots += *rest == '.';
    text_bytes(&text, base, (size_t)(rest - base));
    return text_begins(link, text_end(&text)) && text_equal(link + (length > 3 ? length - 3 : 0), ".so");
}
