/* The file in shared memory that holds one command's counters. */
#include "table_file.h"

#include "common/errors.h"
#include "common/memory.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PLACES = 3 };

static void places(const char *place[PLACES])
{
    const char *temporary = getenv("TMPDIR");
    place[0] = "/dev/shm";
    place[1] = temporary && temporary[0] == '/' ? temporary : "/tmp";
    place[2] = "/tmp";
}

/* Whether some other process has the file open or mapped: EAGAIN if so, 0 if not, another errno if the file system
 * cannot tell. A write lease is given only on a file that nobody else has open, and asking for one costs nothing;
 * should a process open it just then, we would be told by a signal that does no harm. */
static int use(int descriptor)
{
    fcntl(descriptor, F_SETSIG, SIGURG);
    if (fcntl(descriptor, F_SETLEASE, F_WRLCK))
        return errno;
    fcntl(descriptor, F_SETLEASE, F_UNLCK);
    return 0;
}

/* A leftover: its maker is gone (or is we, before we made one) and nobody has it mapped any more. */
static void remove_leftover(int directory, const char *name, const char *prefix)
{
    char *end;
    long maker = strtol(name + strlen(prefix), &end, 10);
    bool gone = maker == getpid() || (kill((pid_t)maker, 0) && errno == ESRCH);
    if (maker <= 0 || !gone || (*end && strcmp(end, ".so")))
        return;
    int descriptor = openat(directory, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0 ? errno == ELOOP : use(descriptor) != EAGAIN)
        unlinkat(directory, name, 0);
    if (descriptor >= 0)
        close(descriptor);
}

static void remove_leftovers(const char *place)
{
    char *prefix = memory_format("libcount.%u.", (unsigned)geteuid());
    DIR *directory = opendir(place);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (!strncmp(entry->d_name, prefix, strlen(prefix)) && isdigit((unsigned char)entry->d_name[strlen(prefix)]))
            remove_leftover(dirfd(directory), entry->d_name, prefix);
    if (directory)
        closedir(directory);
    free(prefix);
}

/* The standard descriptors may be closed: the command would then inherit nothing in their place, nor may we take it. */
static int above_standard(int descriptor)
{
    if (descriptor < 0 || descriptor > STDERR_FILENO)
        return descriptor;
    int higher = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(descriptor);
    return higher;
}

/* The memory is allocated now: a full file system must not kill the counted program by SIGBUS later. A limit on the
 * size of files is an error, not a signal. */
static int allocate(int descriptor, size_t size)
{
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    int failure = posix_fallocate(descriptor, 0, (off_t)size);
    signal(SIGXFSZ, before);
    return failure;
}

static int make(struct table_file *file, const char *place, size_t size)
{
    file->path = memory_format("%s/libcount.%u.%d", place, (unsigned)geteuid(), (int)getpid());
    int descriptor = above_standard(open(file->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    int failure = descriptor < 0 ? errno : allocate(descriptor, size);
    void *memory = MAP_FAILED;
    if (!failure) {
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        failure = memory == MAP_FAILED ? errno : 0;
    }
    if (!failure) {
        file->table = memory;
        file->size = size;
        file->descriptor = descriptor;
        return 0;
    }
    if (descriptor >= 0) {
        close(descriptor);
        unlink(file->path);
    }
    free(file->path);
    return failure;
}

int table_file_create(struct table_file *file, uint32_t flags)
{
    const char *place[PLACES];
    int failure = 0;
    places(place);
    *file = (struct table_file){ 0 };
    for (int i = 0; i < PLACES; i++) {
        remove_leftovers(place[i]);
        failure = make(file, place[i], counters_size(flags));
        if (!failure) {
            counters_initialise(file->table, flags | COUNTERS_DRIVER, getpid());
            return 0;
        }
    }
    errors_say_errno(failure, "counters: %s/libcount.%u.%d", place[PLACES - 1], (unsigned)geteuid(), (int)getpid());
    return -1;
}

const char *table_file_library(struct table_file *file, const char *library)
{
    static const char unsafe[] = " \t\n:;$";
    const char *place[PLACES];
    int failure = 0;
    if (!strpbrk(library, unsafe))
        return library;
    places(place);
    for (int i = 0; i < PLACES; i++) {
        if (strpbrk(place[i], unsafe))
            continue;
        file->link = memory_format("%s/libcount.%u.%d.so", place[i], (unsigned)geteuid(), (int)getpid());
        if (symlink(library, file->link) == 0)
            return file->link;
        failure = errno;
        free(file->link);
        file->link = NULL;
    }
    errors_say_errno(failure, "library: %s: cannot be linked from /dev/shm or /tmp", library);
    return NULL;
}

static bool maps(const char *process, const char *path)
{
    char line[4096], name[64];
    bool found = false;
    snprintf(name, sizeof name, "/proc/%.20s/maps", process);
    FILE *stream = fopen(name, "re");
    while (stream && !found && fgets(line, sizeof line, stream)) {
        const char *slash = strchr(line, '/');
        found = slash && !strncmp(slash, path, strlen(path)) && slash[strlen(path)] == '\n';
    }
    if (stream)
        fclose(stream);
    return found;
}

static char *process_name(const char *process)
{
    char file[64], name[32] = "?\n";
    snprintf(file, sizeof file, "/proc/%.20s/comm", process);
    FILE *stream = fopen(file, "re");
    if (stream && !fgets(name, sizeof name, stream))
        name[0] = '\0';
    if (stream)
        fclose(stream);
    return memory_format("%.*s (%s)", (int)strcspn(name, "\n"), name, process);
}

char *table_file_users(const struct table_file *file, size_t *count)
{
    char *users = NULL;
    *count = 0;
    if (!use(file->descriptor))
        return NULL;
    DIR *directory = opendir("/proc");
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (!isdigit((unsigned char)entry->d_name[0]) || atol(entry->d_name) == getpid() ||
            !maps(entry->d_name, file->path))
            continue;
        char *user = process_name(entry->d_name);
        char *longer = users ? memory_format("%s, %s", users, user) : memory_strdup(user);
        free(user);
        free(users);
        users = longer;
        ++*count;
    }
    if (directory)
        closedir(directory);
    return users;
}

void table_file_remove(struct table_file *file)
{
    if (file->link)
        unlink(file->link);
    unlink(file->path);
    munmap(file->table, file->size);
    close(file->descriptor);
    free(file->link);
    free(file->path);
    *file = (struct table_file){ 0 };
}
