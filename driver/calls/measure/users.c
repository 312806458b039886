/* Who still uses the counters of a command that has ended. */
#include "users.h"

#include "common/memory.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

char *users_of(const struct file *file, size_t *count)
{
    char *users = NULL;
    *count = 0;
    if (!file_shared(file->descriptor))
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
