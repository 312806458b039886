/* The variables by which a program that is executed finds the library and its table. They are put in for the kernel
 * alone: the library takes them out again before anyone looks, so that a counted program sees the environment that it
 * was given. */
#ifndef TABLE_ENVIRONMENT_H
#define TABLE_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct environment {
    const char *library;   /* the name of the library for LD_PRELOAD */
    const char *table;     /* the path of its table */
    const char *alias;     /* another name of the library that LD_PRELOAD may have, or NULL */
    int32_t counted;       /* the process that executes, where the table has it already; else 0 */
    bool root;             /* it prints the report */
    bool asan;             /* AddressSanitizer has to be told that its library need not be the first */
    bool strip;            /* none of our variables may be left */
    bool fixed;            /* a whole run: the loader is to put the library where it is linked */
};

/* Bytes that environment_fill needs for this list; 0: the list serves as it is. */
size_t environment_room(char *const *list, const struct environment *ours);

/* A list that differs from `list` by our variables, in `room`, which is aligned for pointers. */
char **environment_fill(char *const *list, const struct environment *ours, void *room);

/* In the program that was executed: what our variables say, and out they go. The list is the one that the kernel has
 * put on the stack, with the auxiliary vector behind it. `asan`: AddressSanitizer may look at its memory later. */
struct environment_found {
    int32_t counted;       /* as above */
    bool root;
};
struct environment_found environment_take(char **list, const char *library, bool asan);

#endif
