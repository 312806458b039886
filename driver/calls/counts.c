/* What a counter table says: sums over shards, names, families, percentiles, order. */
#include "counts.h"

#include "common/memory.h"
#include "shim/table/errnos.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct count_times read_times(const struct counter_times *times)
{
    struct count_times result = { .total = times->total, .maximum = times->maximum };
    result.minimum = times->minimum ? times->minimum - 1 : 0;
    result.p50 = counters_percentile(times, 50);
    result.p99 = counters_percentile(times, 99);
    return result;
}

static const struct counters_times *times_of(const struct counters_table *table)
{
    return table->flags & COUNTERS_TIME ? (const struct counters_times *)(table + 1) : NULL;
}

static struct count *append(struct count_list *list)
{
    list->row = memory_realloc(list->row, list->count + 1, sizeof *list->row);
    return &list->row[list->count++];
}

static void read_errnos(struct count *row, const struct counters_table *table, size_t number)
{
    char name[ERRNOS_NAME];
    struct errnos errnos;
    errnos_read(&errnos, table, number, row->errors);
    for (size_t i = 0; i < errnos.count; i++)
        parts_add(&row->errnos, errnos_name(errnos.each[i].number, name), errnos.each[i].calls);
}

/* Calls, errors and times of a row; name and family are for the caller to fill in. */
static struct count read_row(const struct counters_table *table, bool system, size_t index)
{
    const struct counters_times *times = times_of(table);
    struct count row = { 0 };
    for (size_t i = 0; i < counters_shards(table); i++) {
        const struct counters_shard *shard = &table->shard[i];
        const struct counter *counter = system ? &shard->system[index] : &shard->library[index];
        row.calls += counter->calls;
        row.errors += counter->errors;
    }
    if (row.errors)
        read_errnos(&row, table, system ? (size_t)LIBRARY_CALLS + index : index);
    if (times)
        row.times = read_times(system ? &times->system[index] : &times->library[index]);
    return row;
}

struct count_list counts_library(const struct counters_table *table)
{
    struct count_list list = { 0 };
    for (size_t i = 0; i < LIBRARY_CALLS; i++) {
        struct count row = read_row(table, false, i);
        row.family = names_call(i, row.name);
        if (row.calls)
            *append(&list) = row;
    }
    return list;
}

void counts_system(const struct counters_table *table, struct count_list *list)
{
    for (size_t i = 0; i < SYSTEM_CALLS; i++) {
        struct count row = read_row(table, true, i);
        if (!row.calls)
            continue;
        row.family = names_row(table, i, row.name);
        struct count *old = (struct count *)counts_find(list, row.name);
        struct count *into = old ? old : append(list);
        if (old) {
            row.unseen = old->unseen;
            row.calls += old->calls;
            parts_free(&old->errnos);
        }
        *into = row;
    }
}

void counts_add_unseen(struct count_list *list, const char *architecture, int number, uint64_t calls)
{
    struct count named = { 0 };
    named.family = names_system(architecture, number, named.name);
    struct count *row = (struct count *)counts_find(list, named.name);
    if (!row) {
        row = append(list);
        *row = named;
    }
    row->calls += calls;
    row->unseen = true;
}

static void free_row(struct count *row)
{
    free(row->each);
    parts_free(&row->errnos);
}

void counts_free(struct count_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free_row(&list->row[i]);
    free(list->row);
    *list = (struct count_list){ 0 };
}

static int most_first(uint64_t a, uint64_t b)
{
    return (a < b) - (a > b);
}

static int by_calls(const void *a, const void *b)
{
    const struct count *x = a, *y = b;
    int order = most_first(x->calls, y->calls);
    return order ? order : strcmp(x->name, y->name);
}

static int by_errors(const void *a, const void *b)
{
    int order = most_first(((const struct count *)a)->errors, ((const struct count *)b)->errors);
    return order ? order : by_calls(a, b);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct count *)a)->name, ((const struct count *)b)->name);
}

static int by_family(const void *a, const void *b)
{
    int order = strcmp(((const struct count *)a)->family, ((const struct count *)b)->family);
    return order ? order : by_calls(a, b);
}

void counts_sort(struct count_list *list, enum count_order order)
{
    static int (*const compare[])(const void *, const void *) = { by_calls, by_errors, by_name, by_family };
    if (list->count)
        qsort(list->row, list->count, sizeof *list->row, compare[order]);
}

/* Whether `name` is one of the comma-separated `names`. */
static bool listed(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *part = names;; part = strchr(part, ',') + 1) {
        if (strcspn(part, ",") == length && !strncmp(part, name, length))
            return true;
        if (!strchr(part, ','))
            return false;
    }
}

void counts_keep(struct count_list *list, const char *families)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (listed(families, list->row[i].family))
            list->row[kept++] = list->row[i];
        else
            free_row(&list->row[i]);
    }
    list->count = kept;
}

static const char OTHER[] = "other";

static bool is_family(const char *name)
{
    for (size_t i = 0; i < LIBRARY_CALLS; i++)
        if (!strcmp(names_family(i), name))
            return true;
    return !strcmp(name, OTHER);
}

bool counts_families_known(const char *families, char **unknown)
{
    for (const char *part = families;; part = strchr(part, ',') + 1) {
        char *name = memory_format("%.*s", (int)strcspn(part, ","), part);
        if (!is_family(name)) {
            *unknown = name;
            return false;
        }
        free(name);
        if (!strchr(part, ','))
            return true;
    }
}

char *counts_families(void)
{
    char *names = memory_strdup("");
    const char *last = "";
    for (size_t i = 0; i < LIBRARY_CALLS; i++) {
        const char *family = names_family(i);
        if (!strcmp(family, last) || !strcmp(family, OTHER))
            continue;
        char *longer = memory_format("%s%s, ", names, family);
        free(names);
        names = longer;
        last = family;
    }
    char *all = memory_format("%s%s", names, OTHER);
    free(names);
    return all;
}

const struct count *counts_find(const struct count_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->row[i].name, name))
            return &list->row[i];
    return NULL;
}

struct count_list counts_union(const struct count_list *const *lists, size_t count)
{
    struct count_list all = { 0 };
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < lists[i]->count; j++) {
            const struct count *from = &lists[i]->row[j];
            struct count *row = (struct count *)counts_find(&all, from->name);
            if (!row) {
                row = append(&all);
                *row = *from;
                row->each = NULL;
                row->reports = 0;
                row->errnos = (struct parts){ 0 };
                parts_add_all(&row->errnos, &from->errnos);
                continue;
            }
            row->calls += from->calls;
            row->errors += from->errors;
            row->unseen |= from->unseen;
            row->times.total += from->times.total;
            parts_add_all(&row->errnos, &from->errnos);
        }
    }
    return all;
}

/* Add `each` of another row. */
static void add_each(struct count *row, const struct count *other)
{
    if (row->reports < other->reports) {
        row->each = memory_realloc(row->each, other->reports, sizeof *row->each);
        memset(row->each + row->reports, 0, (other->reports - row->reports) * sizeof *row->each);
        row->reports = other->reports;
    }
    for (size_t i = 0; i < other->reports; i++)
        row->each[i] += other->each[i];
}

struct count_list counts_by_errno(const struct count_list *list)
{
    struct count_list all = { 0 };
    for (size_t i = 0; i < list->count; i++) {
        for (size_t j = 0; j < list->row[i].errnos.count; j++) {
            const struct part *part = &list->row[i].errnos.part[j];
            struct count *row = (struct count *)counts_find(&all, part->name);
            if (!row) {
                row = append(&all);
                *row = (struct count){ .family = "" };
                snprintf(row->name, sizeof row->name, "%s", part->name);
            }
            row->calls += part->count;
            parts_add(&row->errnos, list->row[i].name, part->count);
        }
    }
    counts_sort(&all, ORDER_CALLS);
    for (size_t i = 0; i < all.count; i++)
        parts_sort(&all.row[i].errnos);
    return all;
}

struct count counts_total(const struct count_list *list)
{
    struct count total = { .name = "total", .family = "" };
    for (size_t i = 0; i < list->count; i++) {
        total.calls += list->row[i].calls;
        total.errors += list->row[i].errors;
        total.unseen |= list->row[i].unseen;
        total.times.total += list->row[i].times.total;
        add_each(&total, &list->row[i]);
    }
    return total;
}

struct statistics_spread counts_spread(const struct count *row)
{
    double *calls = memory_calloc(row->reports, sizeof *calls);
    for (size_t i = 0; i < row->reports; i++)
        calls[i] = (double)row->each[i];
    struct statistics_spread spread = statistics_spread(calls, row->reports);
    free(calls);
    return spread;
}
