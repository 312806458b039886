/* Finding commands, and reading from a file's header why the dynamic loader would not preload a library into it. */
#include "executable.h"

#include "common/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { INTERPRETER_DEPTH = 5 }; /* as deep as the kernel follows #! lines */

static int check(const char *path)
{
    struct stat status;
    if (stat(path, &status))
        return errno;
    if (!S_ISREG(status.st_mode) || faccessat(AT_FDCWD, path, X_OK, AT_EACCESS))
        return EACCES;
    return 0;
}

int executable_find(const char *name, char **path)
{
    if (strchr(name, '/') || !*name) {
        int number = *name ? check(name) : ENOENT;
        *path = number ? NULL : memory_strdup(name);
        return number;
    }
    const char *search = getenv("PATH");
    int result = ENOENT;
    for (search = search ? search : "/bin:/usr/bin";; search++) {
        size_t length = strcspn(search, ":");
        char *candidate = memory_format("%.*s%s%s", (int)length, search, length ? "/" : "", name);
        int number = check(candidate);
        if (!number) {
            *path = candidate;
            return 0;
        }
        if (number == EACCES && !eaccess(candidate, F_OK))   /* not: a folder in PATH that we may not enter */
            result = EACCES;
        free(candidate);
        search += length;
        if (!*search)
            return result;
    }
}

static bool read_at(int file, uint64_t offset, void *buffer, size_t size)
{
    return pread(file, buffer, size, (off_t)offset) == (ssize_t)size;
}

/* A set-user-ID, set-group-ID or capable file that changes who runs it: the loader then ignores LD_PRELOAD. */
static char *privileged(int file, const char *path)
{
    struct stat status;
    struct statvfs system;
    if (fstat(file, &status) || fstatvfs(file, &system))
        return NULL;
    if (system.f_flag & ST_NOSUID || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
        return NULL;
    if (status.st_mode & S_ISUID && status.st_uid != getuid())
        return memory_format("%s: set-user-ID: the loader ignores LD_PRELOAD", path);
    if ((status.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && status.st_gid != getgid())
        return memory_format("%s: set-group-ID: the loader ignores LD_PRELOAD", path);
    if (getuid() && fgetxattr(file, "security.capability", NULL, 0) > 0)
        return memory_format("%s: has file capabilities: the loader ignores LD_PRELOAD", path);
    return NULL;
}

/* The machine that this program itself was built for. */
static uint16_t own_machine(void)
{
    ElfW(Ehdr) header = { 0 };
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        read_at(file, 0, &header, sizeof header);
        close(file);
    }
    return header.e_machine;
}

/* The loader itself, run as a command, has no interpreter and yet preloads. */
static bool is_loader(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    return !strncmp(name, "ld-", 3) || !strcmp(name, "ld.so");
}

static char *examine_elf(int file, const char *path)
{
    unsigned char identity[EI_NIDENT];
    ElfW(Ehdr) header;
    if (!read_at(file, 0, identity, sizeof identity))
        return NULL;
    if (identity[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32))
        return memory_format("%s: a %d-bit program, and this libcount.so is not", path,
                             identity[EI_CLASS] == ELFCLASS32 ? 32 : 64);
    if (!read_at(file, 0, &header, sizeof header) || header.e_phentsize != sizeof(ElfW(Phdr)))
        return NULL;
    if (header.e_machine != own_machine())
        return memory_format("%s: a program for another machine (ELF machine %d)", path, header.e_machine);
    for (size_t i = 0; i < header.e_phnum; i++) {
        ElfW(Phdr) part;
        if (!read_at(file, header.e_phoff + i * sizeof part, &part, sizeof part))
            return NULL;
        if (part.p_type == PT_INTERP)
            return NULL;
    }
    return is_loader(path) ? NULL : memory_format("%s: statically linked: no library can be loaded into it "
                                                  "(--whole sees its system calls)", path);
}

/* The interpreter that a script's first line names, or NULL; /bin/sh for a text without one, as execvp does it. */
static char *interpreter(const char *start)
{
    if (strncmp(start, "#!", 2))
        return memory_strdup("/bin/sh");
    start += 2 + strspn(start + 2, " \t");
    size_t length = strcspn(start, " \t\r\n");
    return length ? memory_format("%.*s", (int)length, start) : NULL;
}

static char *examine(const char *path, int depth)
{
    char *result = NULL;
    char start[257] = "";
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return result;
    ssize_t size = pread(file, start, sizeof start - 1, 0);
    if (size >= SELFMAG && !memcmp(start, ELFMAG, SELFMAG)) {
        result = examine_elf(file, path);
        result = result ? result : privileged(file, path);
    } else if (size > 0 && depth < INTERPRETER_DEPTH) {
        char *program = interpreter(start);
        if (program)
            result = examine(program, depth + 1);
        free(program);
    }
    close(file);
    return result;
}

bool executable_is_text(const char *path)
{
    char start[256];
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t size = file < 0 ? -1 : pread(file, start, sizeof start, 0);
    if (file >= 0)
        close(file);
    return size >= 0 && !memchr(start, '\0', (size_t)size);
}

char *executable_obstacle(const char *path)
{
    return examine(path, 0);
}
