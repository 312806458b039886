/* Whose calls they are, in a whole run by program or by process. */
#ifndef CALLS_WHOLE_OWNERS_H
#define CALLS_WHOLE_OWNERS_H

#include "calls/groups.h"
#include "tasks.h"

#include <linux/seccomp.h>

/* How often a number of an architecture (AUDIT_ARCH_...) was seen. */
struct owner_row {
    uint32_t architecture;
    int number;
    uint64_t calls;
};

struct owner {
    char *name;                     /* of the program that was executed last */
    uint64_t processes;
    int pid, parent;
    char **command;
    struct owner_row *rows;
    size_t row_count;
};

struct owners {
    uint32_t flags;                 /* COUNTERS_BY_PROGRAM, COUNTERS_BY_PROCESS or neither */
    struct owner *owner;
    size_t count;
};

/* Count a call for the process that makes it; `executed`: it is the first of a new program. */
void owners_count(struct owners *owners, const struct thread *thread, const struct seccomp_data *call, bool executed);
void owners_free(struct owners *owners);

/* Add them to what the table has of the same programs or processes. `prefix` tells what stands before the names of an
 * architecture. */
void owners_add(const struct owners *owners, struct count_groups *groups, const char *(*prefix)(uint32_t architecture));

#endif
