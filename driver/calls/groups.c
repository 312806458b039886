/* The programs or processes of a command. */
#include "groups.h"

#include "common/memory.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

struct count_group *groups_add(struct count_groups *groups, char *name)
{
    groups->group = memory_realloc(groups->group, groups->count + 1, sizeof *groups->group);
    struct count_group *group = &groups->group[groups->count++];
    *group = (struct count_group){ .name = name };
    return group;
}

struct count_group *groups_named(struct count_groups *groups, char *name)
{
    for (size_t i = 0; i < groups->count; i++) {
        if (!strcmp(groups->group[i].name, name)) {
            free(name);
            return &groups->group[i];
        }
    }
    return groups_add(groups, name);
}

struct count_group *groups_process(struct count_groups *groups, int pid)
{
    for (size_t i = groups->count; i-- > 0;)
        if (groups->group[i].pid == pid)
            return &groups->group[i];
    return NULL;
}

struct count groups_total(const struct count_group *group, bool system)
{
    struct count total = counts_total(system ? &group->system : &group->library);
    free(total.each);
    total.each = NULL;
    total.reports = 0;
    return total;
}

static int most_first(const void *a, const void *b)
{
    const struct count_group *x = a, *y = b;
    for (int system = 1; system >= 0; system--) {
        uint64_t calls = groups_total(x, system).calls, others = groups_total(y, system).calls;
        if (calls != others)
            return (calls < others) - (calls > others);
    }
    int order = strcmp(x->name, y->name);
    return order ? order : (x->pid > y->pid) - (x->pid < y->pid);
}

void groups_sort(struct count_groups *groups, enum count_order order)
{
    for (size_t i = 0; i < groups->count; i++) {
        counts_sort(&groups->group[i].library, order);
        counts_sort(&groups->group[i].system, order);
    }
    if (groups->count)
        qsort(groups->group, groups->count, sizeof *groups->group, most_first);
}

void groups_keep(struct count_groups *groups, const char *families)
{
    for (size_t i = 0; i < groups->count; i++) {
        counts_keep(&groups->group[i].library, families);
        counts_keep(&groups->group[i].system, families);
    }
}

void groups_row_free(struct count_group *group)
{
    free(group->name);
    words_free(group->command);
    counts_free(&group->library);
    counts_free(&group->system);
}

void groups_free(struct count_groups *groups)
{
    for (size_t i = 0; i < groups->count; i++)
        groups_row_free(&groups->group[i]);
    free(groups->group);
    *groups = (struct count_groups){ 0 };
}
