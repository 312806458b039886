/* One command, counted. */
#ifndef CALLS_MEASURE_MEASURE_H
#define CALLS_MEASURE_MEASURE_H

#include "calls/files.h"
#include "calls/groups.h"
#include "launch.h"

/* Beside enum counters_flags: a whole run that loads no library, for system calls alone. */
enum { MEASURE_KERNEL = 1 << 16 };

struct measurement {
    char **command;               /* as it was launched: not ours to free */
    bool running;                 /* it has not ended yet: no status */
    double interval_s;            /* what was counted between two readings, so many seconds apart; 0: since the start */
    int status;                   /* as of waitpid */
    uint32_t flags;               /* enum counters_flags that were asked for */
    uint64_t processes;           /* in which the library was loaded */
    bool system_counted;          /* system calls were counted, in some process at least */
    bool startup_known;           /* a supervisor saw the start of the programs, too: */
    uint64_t startup;             /* system calls between execve and the end of the loader, part of `system` */
    struct count_list library, system;
    struct count_groups groups;   /* by program or by process, where asked for */
    struct files files;           /* by path, where asked for, */
    struct files_wanted files_wanted; /* and how */
    bool by_errno;                /* wanted as rows by error, too: */
    struct count_list library_errors, system_errors;
    struct count_list callers;    /* rows by caller, where asked for */
    char **uncounted;             /* sentences about what is missing from the counts, and why */
    size_t uncounted_count;
    uint64_t reports;             /* that were added up; 0: this is one command */
    bool spread;                  /* over these reports: wanted */
};

/* "calls", "syscalls" or "both", as --level has them, and back: 0 for another word. */
const char *measure_level(uint32_t flags);
uint32_t measure_flags(const char *level);

/* Say that something was not counted, once. Takes the string. */
void measure_uncounted(struct measurement *result, char *text);

/* Add what a table has counted, which counters_fits(). */
void measure_table(struct measurement *result, const struct counters_table *table);

/* Make rows by error of the rows of calls. */
void measure_by_errno(struct measurement *result);

/* Run the command with the library loaded and read its counters. Returns 0, or an exit status (125 our failure, 126,
 * 127) after saying what is wrong. Between interrupt_begin() and interrupt_end(). */
int measure(const struct launch *launch, uint32_t flags, struct measurement *result);

/* Say on standard error why nothing at all was counted, for who reports elsewhere. */
void measure_warn(const struct measurement *result);

void measure_free(struct measurement *result);

#endif
