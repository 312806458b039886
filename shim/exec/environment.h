/* Our variables in the environment that a child gets. */
#ifndef EXEC_ENVIRONMENT_H
#define EXEC_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum environment_kind {
    ENVIRONMENT_OURS,                    /* our variables are added */
    ENVIRONMENT_STRIPPED,                /* taken out: the loader would complain or give up */
    ENVIRONMENT_ASAN,                    /* added, and AddressSanitizer is told that it may come behind us */
};

void environment_begin(char **environment, const char *table_path);
bool environment_reaches_table(void);    /* could a program that is executed now open the table? */

/* Bytes that environment_fill needs; 0: nothing is to be added. `counted`: the calling process, or 0 where the table
 * has not counted it yet. */
size_t environment_room(char *const *environment);
char **environment_fill(char *const *environment, void *room, enum environment_kind kind, pid_t counted);

/* Around system() and popen(), which use `environ`: where that lacks our variables, it is one that has them. */
struct environment_lent {
    char **ours, **before;               /* NULL: nothing was changed */
    size_t size;
} environment_lend(pid_t counted);
void environment_return(struct environment_lent lent);

#endif
