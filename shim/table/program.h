/* Whether the dynamic loader will put the library into a program. */
#ifndef TABLE_PROGRAM_H
#define TABLE_PROGRAM_H

#include "text.h"

enum program_verdict {
    PROGRAM_LOADS,         /* nothing is known against it */
    PROGRAM_ASAN,          /* nor here, if AddressSanitizer is told that its library need not be the first */
    PROGRAM_MUSL,          /* nor here, but in a whole run: its loader's calls cannot be told from the program's */
    PROGRAM_STATIC,        /* there is no loader */
    PROGRAM_SETUID,        /* the loader ignores LD_PRELOAD: the file changes the user, */
    PROGRAM_SETGID,        /* the group, */
    PROGRAM_CAPABLE,       /* or gives capabilities, */
    PROGRAM_PRIVILEGED,    /* or who executes it has an effective user or group that is not the real one */
    PROGRAM_CLASS,         /* from here on the loader complains about LD_PRELOAD, or gives up: 32 bits, */
    PROGRAM_MACHINE,       /* another machine, */
    PROGRAM_LIBC,          /* another libc */
};

/* Room for all that judging needs, so that it needs little of a stack. */
struct program {
    enum program_verdict verdict;
    unsigned machine;      /* EM_* of the file */
    char path[256];        /* the file that it is about: for a script its interpreter, for ld.so what that is to run */

    int descriptor;        /* while it is open; its first bytes, and others: */
    size_t bytes;
    char head[1024] __attribute__((aligned(8))), part[1024] __attribute__((aligned(8)));
};

/* Judge what execveat(folder, path, arguments) would start; an empty path is the file of the descriptor itself.
 * `arguments` may be NULL. */
void program_judge(struct program *program, int folder, const char *path, char *const *arguments);

/* Whether the library will not get in, in a whole run or another. */
static inline bool program_refuses(const struct program *program, bool whole)
{
    return program->verdict > (whole ? PROGRAM_ASAN : PROGRAM_MUSL);
}

/* Whether it has to run without LD_PRELOAD. */
static inline bool program_strips(const struct program *program, bool whole)
{
    return program->verdict >= PROGRAM_CLASS || (whole && program->verdict == PROGRAM_MUSL);
}

/* "PATH: why not". */
void program_say(struct text *text, const struct program *program);

/* Find a command as execvp does: a name with a slash is a path, others are looked for in `search`, the value of PATH
 * or NULL. Returns 0 with the file in `path`, or ENOENT or another error of the path, EACCES for what cannot be executed. */
int program_find(const char *name, const char *search, char *path, size_t size);

/* Whether a file is text for /bin/sh to run where the kernel will not, and not a program for another machine. */
bool program_is_text(const char *path);

#endif
