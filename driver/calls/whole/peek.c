/* What the kernel tells of another task. */
#include "peek.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

bool peek_memory(pid_t id, uint64_t address, void *memory, size_t size)
{
    struct iovec here = { memory, size }, there = { (void *)(uintptr_t)address, size };
    return process_vm_readv(id, &here, 1, &there, 1, 0) == (ssize_t)size;
}

bool peek_text(pid_t id, uint64_t address, char *text, size_t size)
{
    struct iovec here = { text, size - 1 }, there = { (void *)(uintptr_t)address, size - 1 };
    size_t page = 4096 - address % 4096;
    ssize_t bytes = process_vm_readv(id, &here, 1, &there, 1, 0);
    if (bytes < 0 && page < size) {  /* the text may end just before memory that is not there */
        there.iov_len = here.iov_len = page;
        bytes = process_vm_readv(id, &here, 1, &there, 1, 0);
    }
    text[bytes > 0 ? bytes : 0] = '\0';
    return bytes > 0;
}

/* The beginning of a file in /proc/ID, and how many bytes it has. */
static size_t read_file(pid_t id, const char *name, void *buffer, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", id, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t bytes = file < 0 ? -1 : read(file, buffer, size);
    if (file >= 0)
        close(file);
    return bytes > 0 ? (size_t)bytes : 0;
}

/* The same as a string. */
static bool read_text(pid_t id, const char *name, char *buffer, size_t size)
{
    size_t bytes = read_file(id, name, buffer, size - 1);
    buffer[bytes] = '\0';
    return bytes > 0;
}

bool peek_born(pid_t id, uint64_t *born)
{
    char text[1024];
    if (!read_text(id, "stat", text, sizeof text))
        return false;
    const char *name_end = strrchr(text, ')');  /* the name may hold anything */
    return name_end && sscanf(name_end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d"
                                            " %*d %" SCNu64, born) == 1;
}

bool peek_status(pid_t id, const char *name, long *value)
{
    char text[4096];
    if (!read_text(id, "status", text, sizeof text))
        return false;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t length = strlen(name);
        if (!strncmp(line, name, length) && line[length] == ':') {
            *value = strtol(line + length + 1, NULL, 10);
            return true;
        }
    }
    return false;
}

bool peek_random(pid_t id, unsigned char random[PEEK_RANDOM])
{
    ElfW(auxv_t) entries[64];
    size_t count = read_file(id, "auxv", entries, sizeof entries) / sizeof *entries;
    for (size_t i = 0; i < count; i++)
        if (entries[i].a_type == AT_RANDOM)
            return peek_memory(id, entries[i].a_un.a_val, random, PEEK_RANDOM);
    return false;
}

bool peek_stack(pid_t id, uint64_t *pointer)
{
    enum { TRIES = 1000, PAUSE_NS = 20000 };
    char text[256];
    for (int i = 0; i < TRIES && read_text(id, "syscall", text, sizeof text); i++) {
        if (sscanf(text, "%*d %*x %*x %*x %*x %*x %*x %" SCNx64, pointer) == 1)
            return true;
        if (strncmp(text, "running", strlen("running")))
            return false;
        /* The kernel wakes a task whose call is received, so that it waits in another way, and has no processor for it. */
        nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
    }
    return false;
}

bool peek_mapping(pid_t id, uint64_t address, struct peek_mapping *mapping)
{
    char path[64], line[PATH_MAX + 128];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/maps", id);
    FILE *file = fopen(path, "re");
    while (file && !found && fgets(line, sizeof line, file)) {
        int at = 0;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %n", &mapping->start, &mapping->end, &at) < 2)
            continue;
        found = address >= mapping->start && address < mapping->end;
        line[strcspn(line, "\n")] = '\0';
        snprintf(mapping->name, sizeof mapping->name, "%s", line + at);
    }
    if (file)
        fclose(file);
    return found;
}
