/* What is seen of a whole run: its calls, how many of them were program start, its processes, what was not seen. */
#ifndef CALLS_WHOLE_COUNT_H
#define CALLS_WHOLE_COUNT_H

#include "owners.h"
#include "restart.h"
#include "tasks.h"

#include <linux/seccomp.h>

/* How often a number of an architecture (AUDIT_ARCH_...) was seen. */
struct count_row {
    uint32_t architecture;
    int number;
    uint64_t calls;
};

struct count_run {
    char *library;                     /* the path of a preloaded libcount-whole.so; NULL: none */
    uint64_t calls[COUNTERS_NUMBERS];  /* of this machine's own architecture */
    struct count_row *rows;            /* all others */
    size_t row_count;
    uint64_t startup;                  /* calls from execve to the end of the loader */
    struct tasks tasks;
    struct owners owners;
    struct restart restart;
    char **notes;                      /* sentences about what was not seen */
    size_t note_count;
};

/* With a library, the calls of its code at COUNTERS_WHOLE_BASE are not notified (they are in the counter table), and
 * what the loader does to load it does not count. `flags`: by program or by process, or neither. */
struct count_run *count_new(const char *library, uint32_t flags);
void count_free(struct count_run *run);

/* Count a notification, which is not yet answered. */
void count_notification(struct count_run *run, const struct seccomp_notif *notification);

/* The run has ended: what was left open is said. */
void count_end(struct count_run *run);

/* Add what was seen to `list`. Names are the machine's own, or ARCHITECTURE:NAME for programs of another one. */
void count_add(const struct count_run *run, struct count_list *list);
void count_add_groups(const struct count_run *run, struct count_groups *groups);

#endif
