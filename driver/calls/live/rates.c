/* What was counted between two readings of a table. */
#include "rates.h"

#include <stdlib.h>
#include <string.h>

/* Counters only grow; where a program wrote into them, nothing has happened. */
static uint64_t grown(uint64_t before, uint64_t now)
{
    return now > before ? now - before : 0;
}

static void subtract_row(const struct count *before, struct count *row)
{
    row->calls = grown(before->calls, row->calls);
    row->errors = grown(before->errors, row->errors);
    row->bytes = grown(before->bytes, row->bytes);
    row->times = (struct count_times){ .total = grown(before->times.total, row->times.total),
                                       .waited = grown(before->times.waited, row->times.waited) };
    parts_subtract(&row->errnos, &before->errnos);
    parts_subtract(&row->callers, &before->callers);
}

static void subtract(const struct count_list *before, struct count_list *now, double seconds)
{
    static const struct count nothing = { .family = "" };
    size_t kept = 0;
    for (size_t i = 0; i < now->count; i++) {
        struct count *row = &now->row[i];
        const struct count *old = counts_find(before, row->name);
        subtract_row(old ? old : &nothing, row);
        row->calls_per_s = (double)row->calls / seconds;
        row->errors_per_s = (double)row->errors / seconds;
        if (row->calls)
            now->row[kept++] = *row;
        else
            counts_row_free(row);
    }
    now->count = kept;
}

/* The same program or process in another reading; NULL where it was not there yet. */
static const struct count_group *same(const struct count_groups *groups, const struct count_group *group)
{
    for (size_t i = 0; i < groups->count; i++)
        if (groups->group[i].pid == group->pid && !strcmp(groups->group[i].name, group->name))
            return &groups->group[i];
    return NULL;
}

static void subtract_groups(const struct count_groups *before, struct count_groups *now, double seconds)
{
    static const struct count_group nothing = { .name = NULL };
    size_t kept = 0;
    for (size_t i = 0; i < now->count; i++) {
        struct count_group *group = &now->group[i];
        const struct count_group *old = same(before, group);
        subtract(old ? &old->library : &nothing.library, &group->library, seconds);
        subtract(old ? &old->system : &nothing.system, &group->system, seconds);
        if (group->library.count || group->system.count)
            now->group[kept++] = *group;
        else
            groups_row_free(group);
    }
    now->count = kept;
}

void rates_between(const struct measurement *before, struct measurement *now, double seconds)
{
    subtract(&before->library, &now->library, seconds);
    subtract(&before->system, &now->system, seconds);
    subtract_groups(&before->groups, &now->groups, seconds);
    now->flags &= ~(uint32_t)COUNTERS_PER_FILE;
    now->interval_s = seconds;
}
