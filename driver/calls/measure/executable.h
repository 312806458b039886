/* Executables: where a command is found, and why a preloaded library would not get into it. */
#ifndef CALLS_MEASURE_EXECUTABLE_H
#define CALLS_MEASURE_EXECUTABLE_H

#include <stdbool.h>

/* Find a command as execvp does: a name with a slash is a path, others are searched in PATH. Returns 0 and a new
 * string in *path, or an errno: ENOENT for no such file, EACCES for one that cannot be executed. */
int executable_find(const char *name, char **path);

/* Why the loader will not preload a library into the program at `path` (for a script: into its interpreter), as a new
 * string; NULL where nothing is known against it. */
char *executable_obstacle(const char *path);

/* Whether a file that the kernel will not execute is text for /bin/sh to run, and not a program for another machine. */
bool executable_is_text(const char *path);

#endif
