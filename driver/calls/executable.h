/* Executables: where a command is found, and why a preloaded library would not get into it. */
#ifndef CALLS_EXECUTABLE_H
#define CALLS_EXECUTABLE_H

#include <stdbool.h>

/* Find a command as execvp does: a name with a slash is a path, others are searched in PATH. Returns 0 and a new
 * string in *path, or an errno: ENOENT for no such file, EACCES for one that cannot be executed. */
int executable_find(const char *name, char **path);

/* What the program at `path` is (for a script: its interpreter), as far as a preloaded library is concerned.
 * `obstacle` is a new string that says why the loader will not load it, NULL where nothing is known against it. */
struct executable {
    char *obstacle;
    bool sanitized;   /* linked with AddressSanitizer's library, which refuses to come second */
};
struct executable executable_examine(const char *path);

/* Whether a file that the kernel will not execute is text, for /bin/sh to run, and not a program for another machine. */
bool executable_is_text(const char *path);

#endif
