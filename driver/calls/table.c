/* What a counter table says: sums over shards and sections, names, families, percentiles. */
#include "table.h"

#include "common/memory.h"
#include "shim/table/bytes.h"
#include "shim/table/errnos.h"

#include <stdlib.h>
#include <string.h>

static struct count_times read_times(const struct counter_times *times)
{
    struct count_times result = { .total = times->total, .maximum = times->maximum, .waited = times->waited };
    result.minimum = times->minimum ? times->minimum - 1 : 0;
    result.p50 = counters_percentile(times, 50);
    result.p99 = counters_percentile(times, 99);
    return result;
}

static const struct counters_times *times_of(const struct counters_table *table)
{
    return table->flags & COUNTERS_TIME ? (const struct counters_times *)counters_part(table, COUNTERS_PART_TIMES) : NULL;
}

/* The rows of all of a table, or of one section of it. */
struct source {
    const struct counters_table *table;
    const struct counters_tally *tally;  /* sorted by key */
    size_t tallies;
    int section;                         /* ALL, NONE for what is of no section, or one */
};
enum { ALL = -2, NONE = -1 };

static int by_key(const void *a, const void *b)
{
    uint64_t x = ((const struct counters_tally *)a)->key, y = ((const struct counters_tally *)b)->key;
    return (x > y) - (x < y);
}

/* A copy of the tallies that are used, by key; to be freed by source_end(). */
static struct source source_begin(const struct counters_table *table)
{
    const struct counters_tally *place = counters_tally_places(table);
    struct counters_tally *used = memory_calloc(counters_tallies(table->flags), sizeof *used);
    size_t count = 0;
    for (size_t i = 0; i < counters_tallies(table->flags); i++)
        if (place[i].key)
            memcpy(&used[count++], &place[i], sizeof *used);
    qsort(used, count, sizeof *used, by_key);
    return (struct source){ table, used, count, ALL };
}

static void source_end(struct source *source)
{
    free((void *)source->tally);
}

/* The first tally whose key is not below that. */
static size_t find_tally(const struct source *source, uint64_t key)
{
    size_t low = 0, high = source->tallies;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (source->tally[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool in_section(const struct source *source, size_t section)
{
    return source->section == ALL || (size_t)(source->section + 1) == section;
}

static size_t sections_of(const struct source *source)
{
    size_t sections = 0;
    while (counters_section_used(source->table, sections))
        sections++;
    return sections;
}

static void add_part(struct count *row, const struct source *source, uint64_t key, uint64_t sum)
{
    char name[ERRNOS_NAME];
    uint32_t value = counters_key_value(key);
    switch (counters_key_kind(key)) {
    case COUNTERS_ERRNO:
        if (value)
            parts_add(&row->errnos, errnos_name(value, name), sum);
        break;
    case COUNTERS_CALLER:
        if (value && value <= COUNTERS_OBJECTS && source->table->flags & COUNTERS_CALLERS) {
            const struct counters_object *object = counters_object(source->table, value - 1);
            char *text = memory_format("%.*s", (int)sizeof object->name, object->name);
            parts_add(&row->callers, text, sum);
            free(text);
        }
        break;
    case COUNTERS_CARRIED:
        row->bytes += sum;
        break;
    }
}

/* What there is of a row beside its calls and errors. A process may have been killed between counting a call and saying
 * what it was. */
static void read_parts(struct count *row, const struct source *source, size_t number)
{
    for (size_t section = 0, sections = sections_of(source); section <= sections; section++) {
        for (int kind = COUNTERS_ERRNO; kind <= COUNTERS_CARRIED && in_section(source, section); kind++) {
            uint64_t key = counters_key(kind, section, number, 0), last = counters_key(kind, section, number, UINT32_MAX);
            for (size_t i = find_tally(source, key); i < source->tallies && source->tally[i].key <= last; i++)
                add_part(row, source, source->tally[i].key, source->tally[i].sum);
        }
    }
    parts_fill(&row->errnos, row->errors);
    if (source->table->flags & COUNTERS_CALLERS && number < LIBRARY_CALLS)
        parts_fill(&row->callers, row->calls);
    parts_sort(&row->errnos);
    parts_sort(&row->callers);
}

static void add_shard(struct count *row, const struct counters_shard *shard, bool system, size_t index)
{
    const struct counter *counter = system ? &shard->system[index] : &shard->library[index];
    row->calls += counter->calls;
    row->errors += counter->errors;
}

/* Calls, errors and what else is known of a row; name and family are for the caller to fill in. */
static struct count read_row(const struct source *source, bool system, size_t index)
{
    const struct counters_table *table = source->table;
    const struct counters_times *times = source->section == ALL ? times_of(table) : NULL;
    struct count row = { .carries = system ? bytes_system((int64_t)index) : bytes_library(index) };
    for (size_t i = 0; i < counters_shards(table) && in_section(source, 0); i++)
        add_shard(&row, &table->shard[i], system, index);
    for (size_t i = 0, sections = sections_of(source); i < sections; i++)
        if (in_section(source, i + 1))
            add_shard(&row, counters_section_shard(table, i), system, index);
    if (row.calls)
        read_parts(&row, source, system ? (size_t)LIBRARY_CALLS + index : index);
    if (times)
        row.times = read_times(system ? &times->system[index] : &times->library[index]);
    return row;
}

static struct count_list read_library(const struct source *source)
{
    struct count_list list = { 0 };
    for (size_t i = 0; i < LIBRARY_CALLS; i++) {
        struct count row = read_row(source, false, i);
        row.family = names_call(i, row.name);
        if (row.calls)
            *counts_append(&list) = row;
    }
    return list;
}

static void read_system(const struct source *source, struct count_list *list)
{
    for (size_t i = 0; i < SYSTEM_CALLS; i++) {
        struct count row = read_row(source, true, i);
        if (!row.calls)
            continue;
        row.family = names_row(source->table, i, row.name);
        struct count *old = (struct count *)counts_find(list, row.name);
        struct count *into = old ? old : counts_append(list);
        if (old) {
            row.unseen = old->unseen;
            row.calls += old->calls;
            counts_row_free(old);
        }
        *into = row;
    }
}

struct count_list table_library(const struct counters_table *table)
{
    struct source source = source_begin(table);
    struct count_list list = read_library(&source);
    source_end(&source);
    return list;
}

void table_system(const struct counters_table *table, struct count_list *list)
{
    struct source source = source_begin(table);
    read_system(&source, list);
    source_end(&source);
}

/* The arguments as they stand in a section, each with its final 0. */
static char **read_command(const struct counters_section *section)
{
    size_t size = section->command_size, count = 0;
    if (!size || size > sizeof section->command || section->command[size - 1])
        return NULL;
    char **words = memory_calloc(size + 1, sizeof *words);
    for (size_t at = 0; at < size; at += strlen(section->command + at) + 1)
        words[count++] = memory_strdup(section->command + at);
    return words;
}

/* The group of a section: one of the same name, by program. */
static struct count_group *group_of(struct count_groups *groups, const struct counters_table *table, size_t number)
{
    const struct counters_section *section = counters_section(table, number);
    char *name = memory_format("%.*s", (int)sizeof section->name, section->name);
    if (table->flags & COUNTERS_BY_PROGRAM)
        return groups_named(groups, name);
    struct count_group *seen = groups_process(groups, section->pid), *group = seen ? seen : groups_add(groups, name);
    if (seen)
        free(name);
    group->pid = section->pid;
    group->parent = section->parent;
    if (!group->command)
        group->command = read_command(section);
    return group;
}

void table_groups(const struct counters_table *table, uint32_t flags, struct count_groups *groups)
{
    struct source source = source_begin(table);
    for (int i = NONE; i < (int)sections_of(&source); i++) {
        source.section = i;
        struct count_list library = { 0 }, system = { 0 };
        if (flags & COUNTERS_CALLS)
            library = read_library(&source);
        if (flags & COUNTERS_SYSCALLS)
            read_system(&source, &system);
        uint64_t processes = i == NONE ? table->sections_lost : counters_section(table, (size_t)i)->processes;
        if (library.count || system.count || processes) {
            struct count_group *group = i == NONE ? groups_add(groups, memory_strdup(GROUPS_OTHERS))
                                                  : group_of(groups, table, (size_t)i);
            bool seen = table->flags & COUNTERS_WHOLE;   /* by a supervisor, which knows the processes */
            if (!seen)
                group->processes += processes;
            else if (group->processes < processes)
                group->processes = processes;
            counts_merge(&group->library, &library);
            counts_merge(&group->system, &system);
        }
        counts_free(&library);
        counts_free(&system);
    }
    source_end(&source);
}
