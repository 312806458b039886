/* The library that is loaded into a command. */
#include "library.h"

#include "common/errors.h"
#include "common/memory.h"
#include "shim/table/environment.h"

#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH  /* Linux 5.11 */
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_OFF 0
#endif
#ifndef LIBDIR
#define LIBDIR "/usr/local/lib"
#endif

char *library_find(const char *name, const char *what)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    char *candidates[] = {
        memory_format("%s/%s", self, name), memory_format("%s/../lib/%s", self, name),
        memory_format(LIBDIR "/%s", name),
    };
    enum { CANDIDATES = sizeof candidates / sizeof *candidates };
    char *found = NULL;
    int failure = ENOENT, failed = CANDIDATES - 1;
    for (int i = 0; i < CANDIDATES && !found; i++) {
        found = access(candidates[i], R_OK) ? NULL : realpath(candidates[i], NULL);
        if (!found && errno != ENOENT && errno != ENOTDIR && failure == ENOENT) {
            failure = errno;
            failed = i;
        }
    }
    if (!found && what)
        errors_say_errno(failure, "%s: %s", what, candidates[failed]);
    for (int i = 0; i < CANDIDATES; i++)
        free(candidates[i]);
    return found;
}

static int is_library(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    const char *base = strrchr(info->dlpi_name, '/');
    return base && !strncmp(base + 1, "libcount", strlen("libcount"));
}

bool library_counts_us(void)
{
    return dl_iterate_phdr(is_library, NULL);
}

bool library_dispatches(void)
{
#if defined(__x86_64__)
    return prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0, 0, 0) == 0;
#else
    return false;
#endif
}

char *library_name(const char *library, const char *table)
{
    static const char unsafe[] = " \t\n:;$";
    if (!strpbrk(library, unsafe))
        return memory_strdup(library);
    const char *base = strrchr(table, '/') + 1;
    char *names[] = { memory_format("%s.so", table), memory_format("/dev/shm/%s.so", base),
                      memory_format("/tmp/%s.so", base) };
    enum { NAMES = sizeof names / sizeof *names };
    char *name = NULL;
    int failure = 0;
    for (int i = 0; i < NAMES && !name; i++) {
        if (strpbrk(names[i], unsafe))
            continue;
        if (symlink(library, names[i]) == 0)
            name = memory_strdup(names[i]);
        failure = errno;
    }
    if (!name)
        errors_say_errno(failure, "library: %s: cannot be linked from /dev/shm or /tmp", library);
    for (int i = 0; i < NAMES; i++)
        free(names[i]);
    return name;
}

void library_unlink(const char *library, const char *name)
{
    if (strcmp(library, name))
        unlink(name);
}

/* A program with AddressSanitizer, the command or a child that no counted program executes, would end at once where a
 * library stands before the sanitizer's own, unless it is told not to look. */
char **library_environment(const char *name, const char *table, bool whole)
{
    const struct environment ours = { .library = name, .table = table, .asan = true, .fixed = whole };
    return environment_fill(environ, &ours, memory_calloc(1, environment_room(environ, &ours)));
}
