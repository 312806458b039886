/* The file systems that are mounted here: /proc/self/mountinfo, whose numbers statx() tells of a path. */
#include "mounts.h"

#include "common/memory.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifndef STATX_MNT_ID
#define STATX_MNT_ID 0x1000
#endif

struct mounts {
    struct mount *mount;
    size_t count;
    struct mount unknown;
};

/* Spaces and the like are written as \ooo. */
static char *decoded(const char *text)
{
    char *result = memory_strdup(text), *to = result;
    for (const char *at = text; *at; to++) {
        unsigned value;
        bool coded = at[0] == '\\' && sscanf(at + 1, "%3o", &value) == 1;
        *to = coded ? (char)value : *at;
        at += coded ? 4 : 1;
    }
    *to = 0;
    return result;
}

struct mounts *mounts_read(void)
{
    struct mounts *mounts = memory_calloc(1, sizeof *mounts);
    FILE *stream = fopen("/proc/self/mountinfo", "re");
    char *line = NULL;
    size_t size = 0;
    mounts->unknown = (struct mount){ 0, memory_strdup("/"), memory_strdup("unknown") };
    while (stream && getline(&line, &size, stream) > 0) {
        unsigned long id;
        char *path = NULL, *type = NULL, *rest = strstr(line, " - ");
        if (rest && sscanf(line, "%lu %*s %*s %*s %ms", &id, &path) == 2 && sscanf(rest, " - %ms", &type) == 1) {
            mounts->mount = memory_realloc(mounts->mount, mounts->count + 1, sizeof *mounts->mount);
            mounts->mount[mounts->count++] = (struct mount){ id, decoded(path), memory_strdup(type) };
        }
        free(path);
        free(type);
    }
    free(line);
    if (stream)
        fclose(stream);
    return mounts;
}

const struct mount *mounts_find(const struct mounts *mounts, const char *path)
{
    struct statx status;
    char *at = memory_strdup(path);
    const struct mount *found = &mounts->unknown;
    while (statx(AT_FDCWD, at, AT_NO_AUTOMOUNT, STATX_MNT_ID, &status) && at[1]) {
        char *slash = strrchr(at, '/');
        slash[slash == at] = 0;
    }
    for (size_t i = 0; i < mounts->count; i++)
        if (mounts->mount[i].id == status.stx_mnt_id)
            found = &mounts->mount[i];
    free(at);
    return found;
}

void mounts_free(struct mounts *mounts)
{
    if (!mounts)
        return;
    for (size_t i = 0; i < mounts->count; i++) {
        free(mounts->mount[i].path);
        free(mounts->mount[i].type);
    }
    free(mounts->unknown.path);
    free(mounts->unknown.type);
    free(mounts->mount);
    free(mounts);
}
