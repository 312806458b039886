/* The options of strace that fingers know, and what does the same here. */
#ifndef CALLS_STRACE_H
#define CALLS_STRACE_H

#include <argp.h>

/* Rows for a mode's own table, not shown in its help. */
#define STRACE_ROWS { NULL, 'c', NULL, OPTION_HIDDEN, NULL, 0 }, { NULL, 'w', NULL, OPTION_HIDDEN, NULL, 0 }, \
    { NULL, 'S', "ORDER", OPTION_HIDDEN, NULL, 0 }, { NULL, 'e', "EXPRESSION", OPTION_HIDDEN, NULL, 0 }, \
    { NULL, 'p', "PID", OPTION_HIDDEN, NULL, 0 }

/* Take -c, which is what is done anyway, and end with an answer to the others; ARGP_ERR_UNKNOWN for any other key. */
error_t strace_parse(int key, const char *argument, const struct argp_state *state);

/* The families of what strace's -e has: "trace=file,getppid" is "open,lstat,process". A new string; NULL: none. */
char *strace_families(const char *expression);

#endif
