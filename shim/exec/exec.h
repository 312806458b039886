/* What a program that is about to be executed gets of ours: the variables by which it is counted, or none of them where
 * it will not be, and the report says so. */
#ifndef EXEC_EXEC_H
#define EXEC_EXEC_H

#include <stdbool.h>

/* `table`: its path; NULL for one that no other program can open. */
void exec_begin(const char *table);
const char *exec_library(void);        /* the path of this library, absolute; "" where it is not known */

struct exec_call {
    int folder;                        /* as of execveat */
    const char *path;                  /* "": the file of that descriptor */
    char *const *arguments, *const *environment;
    bool search;                       /* a path without a slash is looked for in PATH, as execvp does */
    bool in_place;                     /* this very process becomes the program */
    bool dispatched;                   /* dispatch asks, not a wrapper: for one call, one of them prepares */
};

struct exec {
    char *const *environment;          /* to give to the kernel: that of the call, or one in `room` */
    void *room;
};

/* Before a program is executed. Asks a wrapper's caller for some hundred bytes of stack, whatever the environment, and
 * who comes by dispatch, whose stack may have no more, for less. */
struct exec exec_prepare(const struct exec_call *call);
struct exec exec_of(char *const *environment);  /* what exec_prepare has returned, with a room */

/* After it failed. True: there was no room for our variables, the call has to be made again, uncounted. */
bool exec_again(struct exec *exec, const struct exec_call *call, int error);

/* When it has returned and the environment is of no use any more. */
void exec_done(struct exec *exec);

/* Around system() and popen(), which take `environ`; false: nothing to give back. */
bool exec_lend(void);
void exec_return(bool lent);

#endif
