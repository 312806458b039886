/* The programs or processes of a command, with the rows of each. */
#ifndef CALLS_GROUPS_H
#define CALLS_GROUPS_H

#include "counts.h"

/* The name of what found no room of its own. */
#define GROUPS_OTHERS "others"

struct count_group {
    char *name;
    uint64_t processes;
    int pid, parent;              /* by process */
    char **command;               /* the same; NULL: not known */
    struct count_list library, system;
};

struct count_groups {
    struct count_group *group;
    size_t count;
};

struct count_group *groups_add(struct count_groups *groups, char *name);    /* takes the name */
struct count_group *groups_named(struct count_groups *groups, char *name);  /* the one of that name, or a new one; takes the name */
struct count_group *groups_process(struct count_groups *groups, int pid);   /* the last of that number; NULL: none */
void groups_sort(struct count_groups *groups, enum count_order order);      /* most calls first, and the rows of each */
void groups_keep(struct count_groups *groups, const char *families);
void groups_row_free(struct count_group *group);                             /* what one holds */
void groups_free(struct count_groups *groups);

/* Calls and errors of a group's library calls and system calls. */
struct count groups_total(const struct count_group *group, bool system);

#endif
