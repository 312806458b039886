/* Lists of named rows: order, choice, sums. */
#include "counts.h"

#include "common/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void counts_row_free(struct count *row)
{
    free(row->each);
    parts_free(&row->errnos);
    parts_free(&row->callers);
}

struct count *counts_append(struct count_list *list)
{
    list->row = memory_realloc(list->row, list->count + 1, sizeof *list->row);
    return &list->row[list->count++];
}

void counts_add_unseen(struct count_list *list, const char *architecture, int number, uint64_t calls)
{
    struct count named = { 0 };
    named.family = names_system(architecture, number, named.name);
    struct count *row = (struct count *)counts_find(list, named.name);
    if (!row) {
        row = counts_append(list);
        *row = named;
    }
    row->calls += calls;
    row->unseen = true;
}

void counts_free(struct count_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        counts_row_free(&list->row[i]);
    free(list->row);
    *list = (struct count_list){ 0 };
}

void counts_merge(struct count_list *list, struct count_list *others)
{
    for (size_t i = 0; i < others->count; i++) {
        struct count *from = &others->row[i], *row = (struct count *)counts_find(list, from->name);
        if (!row) {
            *counts_append(list) = *from;
            *from = (struct count){ .family = "" };
            continue;
        }
        row->calls += from->calls;
        row->errors += from->errors;
        row->bytes += from->bytes;
        row->unseen |= from->unseen;
        parts_add_all(&row->errnos, &from->errnos);
        parts_add_all(&row->callers, &from->callers);
        parts_sort(&row->errnos);
        parts_sort(&row->callers);
    }
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

static int by_time(const void *a, const void *b)
{
    int order = most_first(((const struct count *)a)->times.total, ((const struct count *)b)->times.total);
    return order ? order : by_calls(a, b);
}

void counts_sort(struct count_list *list, enum count_order order)
{
    static int (*const compare[])(const void *, const void *) = { by_calls, by_errors, by_name, by_family, by_time };
    if (list->count)
        qsort(list->row, list->count, sizeof *list->row, compare[order]);
}

bool counts_listed(const char *names, const char *name)
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
        if (counts_listed(families, list->row[i].family))
            list->row[kept++] = list->row[i];
        else
            counts_row_free(&list->row[i]);
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

const char *counts_family_of(const char *call)
{
    enum { NUMBERS = 1024 };
    char name[NAMES_SIZE];
    const char *family;
    for (size_t i = 0; i < LIBRARY_CALLS; i++)
        if ((family = names_call(i, name)) && !strcmp(name, call))
            return family;
    for (int number = 0; number < NUMBERS; number++)
        if ((family = names_system("", number, name)) && !strcmp(name, call))
            return family;
    return NULL;
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
                row = counts_append(&all);
                *row = *from;
                row->each = NULL;
                row->reports = 0;
                row->errnos = (struct parts){ 0 };
                parts_add_all(&row->errnos, &from->errnos);
                row->callers = (struct parts){ 0 };
                parts_add_all(&row->callers, &from->callers);
                continue;
            }
            row->calls += from->calls;
            row->errors += from->errors;
            row->unseen |= from->unseen;
            row->times.total += from->times.total;
            row->times.waited += from->times.waited;
            row->bytes += from->bytes;
            parts_add_all(&row->errnos, &from->errnos);
            parts_add_all(&row->callers, &from->callers);
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

/* The rows turned around: by what they are made of. */
static struct count_list turn(const struct count_list *list, bool callers)
{
    struct count_list all = { 0 };
    for (size_t i = 0; i < list->count; i++) {
        const struct parts *parts = callers ? &list->row[i].callers : &list->row[i].errnos;
        for (size_t j = 0; j < parts->count; j++) {
            const struct part *part = &parts->part[j];
            struct count *row = (struct count *)counts_find(&all, part->name);
            if (!row) {
                row = counts_append(&all);
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

struct count_list counts_by_errno(const struct count_list *list)
{
    return turn(list, false);
}

struct count_list counts_by_caller(const struct count_list *list)
{
    return turn(list, true);
}

struct count counts_total(const struct count_list *list)
{
    struct count total = { .name = "total", .family = "" };
    for (size_t i = 0; i < list->count; i++) {
        total.calls += list->row[i].calls;
        total.errors += list->row[i].errors;
        total.calls_per_s += list->row[i].calls_per_s;
        total.errors_per_s += list->row[i].errors_per_s;
        total.bytes += list->row[i].bytes;
        total.unseen |= list->row[i].unseen;
        total.times.total += list->row[i].times.total;
        total.times.waited += list->row[i].times.waited;
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
