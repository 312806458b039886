/* The library that is loaded into a command. */
#include "library.h"

#include "common/errors.h"
#include "common/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef LIBDIR
#define LIBDIR "/usr/local/lib"
#endif

char *library_find(const char *name)
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
    if (!found)
        errors_say_errno(failure, "library: %s", candidates[failed]);
    for (int i = 0; i < CANDIDATES; i++)
        free(candidates[i]);
    return found;
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

enum { SETTINGS = 3 };

/* `name`=`value` in front of what the variable already holds. */
static char *prepended(const char *name, const char *value, const char *separator)
{
    const char *old = getenv(name);
    bool more = old && *old;
    return memory_format("%s=%s%s%s", name, value, more ? separator : "", more ? old : "");
}

/* A program with AddressSanitizer, the command or a child that no counted program executes, would end at once where a
 * library stands before the sanitizer's own, unless it is told not to look. */
char **library_environment(const char *name, const char *table)
{
    char *settings[SETTINGS] = {
        memory_format("LIBCOUNT_TABLE=%s", table), prepended("LD_PRELOAD", name, ":"),
        prepended("ASAN_OPTIONS", "verify_asan_link_order=0", ":"),
    };
    size_t count = 0;
    while (environ[count])
        count++;
    char **environment = memory_calloc(SETTINGS + count + SETTINGS + 1, sizeof *environment), **first;
    first = environment + SETTINGS;  /* before it stand the strings that are ours to free */
    memcpy(environment, settings, sizeof settings);
    memcpy(first, environ, count * sizeof *first);
    for (size_t i = 0; i < SETTINGS; i++) {
        size_t at = 0, length = strcspn(settings[i], "=") + 1;
        while (at < count && strncmp(first[at], settings[i], length))
            at++;
        first[at] = settings[i];
        count += at == count;
    }
    return first;
}

void library_free(char **environment)
{
    for (size_t i = 1; i <= SETTINGS; i++)
        free(environment[-(ptrdiff_t)i]);
    free(environment - SETTINGS);
}
