/* Reports of reckon run and of the bare library, read and added up. */
#include "merge.h"

#include "common/errors.h"
#include "common/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char not_ours[] = "not a report of reckon run or of libcount.so";

static int refuse(const char *path, const char *why)
{
    errors_say("merge: %s: %s", path, why);
    return -1;
}

/* Sums stay in the range of JSON's integers; false where they don't, and for negative numbers. */
static bool add(uint64_t *sum, json_int_t value)
{
    return value >= 0 && !__builtin_add_overflow(*sum, (uint64_t)value, sum) && *sum <= INT64_MAX;
}

static struct merge_row *find(struct merge_rows *rows, const char *name, const char *family)
{
    if (!rows->index)
        rows->index = json_object();
    json_t *number = json_object_get(rows->index, name);
    if (number)
        return &rows->row[json_integer_value(number)];
    json_object_set_new(rows->index, name, json_integer((json_int_t)rows->count));
    rows->row = memory_realloc(rows->row, rows->count + 1, sizeof *rows->row);
    struct merge_row *row = &rows->row[rows->count++];
    *row = (struct merge_row){ .sum.family = memory_strdup(family), .sum.times.minimum = UINT64_MAX };
    strcpy(row->sum.name, name);  /* its length was checked */
    return row;
}

/* Remember the calls of report number `file`. */
static void note(struct merge_row *row, size_t file, uint64_t calls)
{
    if (row->reports <= file) {
        row->calls = memory_realloc(row->calls, file + 1, sizeof *row->calls);
        while (row->reports <= file)
            row->calls[row->reports++] = 0;
    }
    row->calls[file] += calls;
}

/* The times of a row, if the reports have times. */
static bool add_times(struct merge_calls *sum, struct merge_row *row, const json_t *from)
{
    json_int_t total = 0, least = 0, most = 0;
    if (json_unpack((json_t *)from, "{s:I, s:I, s:I}", "total_ns", &total, "min_ns", &least, "max_ns", &most))
        return !sum->timed;
    struct count_times *times = &row->sum.times;
    if (!sum->timed || least < 0 || most < 0 || !add(&times->total, total))
        return false;
    times->minimum = (uint64_t)least < times->minimum ? (uint64_t)least : times->minimum;
    times->maximum = (uint64_t)most > times->maximum ? (uint64_t)most : times->maximum;
    return true;
}

static int add_row(struct merge_calls *sum, struct merge_rows *rows, const char *path, const json_t *from)
{
    const char *name, *family;
    json_int_t calls;
    json_t *errors;
    if (json_unpack((json_t *)from, "{s:s, s:s, s:I, s:o}", "name", &name, "family", &family, "calls", &calls, "errors",
                    &errors) || strlen(name) >= sizeof rows->row->sum.name)
        return refuse(path, not_ours);
    struct merge_row *row = find(rows, name, family);
    bool timed = json_object_get(from, "total_ns") != NULL;
    sum->timed = sum->timed_known ? sum->timed : timed;
    sum->timed_known = true;
    if (timed != sum->timed) {
        errors_say("merge: %s: its calls were %stimed, those of %s %s", path, timed ? "" : "not ", sum->first,
                   timed ? "not" : "were");
        return -1;
    }
    if (json_is_null(errors))
        row->sum.unseen = true;
    else if (!json_is_integer(errors) || !add(&row->sum.errors, json_integer_value(errors)))
        return refuse(path, not_ours);
    if (!add(&row->sum.calls, calls) || !add_times(sum, row, from))
        return refuse(path, "numbers that cannot be added");
    note(row, sum->files, (uint64_t)calls);
    return 0;
}

static int add_rows(struct merge_calls *sum, struct merge_rows *rows, const char *path, const json_t *from)
{
    size_t i;
    json_t *row;
    json_array_foreach(from, i, row)
        if (add_row(sum, rows, path, row))
            return -1;
    return 0;
}

static void add_exit(struct merge_calls *sum, json_t *end, json_int_t reports)
{
    size_t i;
    json_t *old;
    json_array_foreach(sum->exits, i, old) {
        if (json_equal(json_object_get(old, "exit"), end)) {
            json_integer_set(json_object_get(old, "reports"),
                             json_integer_value(json_object_get(old, "reports")) + reports);
            return;
        }
    }
    json_array_append_new(sum->exits, json_pack("{s:O, s:I}", "exit", end, "reports", reports));
}

/* How the commands ended: one of them, or those of a merged report. */
static int add_exits(struct merge_calls *sum, const char *path, const json_t *report)
{
    size_t i;
    json_t *part, *parts = json_object_get(report, "exits"), *end = json_object_get(report, "exit");
    uint64_t before = sum->reports;
    if (!parts) {
        sum->reports++;
        add_exit(sum, end, 1);
        return 0;
    }
    json_array_foreach(parts, i, part) {
        json_int_t reports = 0;
        if (json_unpack(part, "{s:o, s:I}", "exit", &end, "reports", &reports) || !add(&sum->reports, reports))
            return refuse(path, not_ours);
        add_exit(sum, end, reports);
    }
    return sum->reports > before ? 0 : refuse(path, not_ours);
}

/* Each text once. */
static void unite(json_t *all, const json_t *texts)
{
    size_t i, j;
    json_t *text, *old;
    json_array_foreach(texts, i, text) {
        json_array_foreach(all, j, old)
            if (json_equal(old, text))
                break;
        if (j == json_array_size(all) && json_is_string(text))
            json_array_append(all, text);
    }
}

/* Whether the numbers of this report mean the same as those before it: only then may they be added. */
static int agree(struct merge_calls *sum, const char *path, const char *level, bool whole)
{
    if (!sum->first) {
        sum->first = path;
        sum->level = memory_strdup(level);
        sum->whole = whole;
        sum->startup_known = true;
        sum->exits = json_array();
        sum->uncounted = json_array();
        return 0;
    }
    if (!strcmp(sum->level, level) && sum->whole == whole)
        return 0;
    errors_say("merge: %s: counted with --level=%s%s, %s with --level=%s%s", path, level, whole ? " --whole" : "",
               sum->first, sum->level, sum->whole ? " --whole" : "");
    return -1;
}

int merge_calls_add(struct merge_calls *sum, const char *path, const json_t *report)
{
    json_t *command, *end, *library, *system, *uncounted, *startup = json_object_get(report, "startup_system_calls");
    json_int_t processes;
    const char *level;
    int whole;
    if (json_unpack((json_t *)report, "{s:o, s:o, s:I, s:s, s:b, s:o, s:o, s:o}", "command", &command, "exit", &end,
                    "processes", &processes, "level", &level, "whole", &whole, "library_calls", &library,
                    "system_calls", &system, "uncounted", &uncounted) ||
        !json_is_array(command) || !json_is_array(library) || !json_is_array(system) || !json_is_array(uncounted) ||
        !add(&sum->processes, processes))
        return refuse(path, not_ours);
    if (agree(sum, path, level, whole) || add_exits(sum, path, report))
        return -1;
    if (!sum->command)
        sum->command = json_incref(command);
    else if (!json_equal(sum->command, command))
        json_array_clear(sum->command);
    sum->startup_known = sum->startup_known && startup && add(&sum->startup, json_integer_value(startup));
    unite(sum->uncounted, uncounted);
    if (add_rows(sum, &sum->library, path, library) || add_rows(sum, &sum->system, path, system))
        return -1;
    sum->files++;
    return 0;
}

static void free_rows(struct merge_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        free((char *)rows->row[i].sum.family);
        free(rows->row[i].calls);
    }
    free(rows->row);
    json_decref(rows->index);
}

void merge_calls_free(struct merge_calls *sum)
{
    free_rows(&sum->library);
    free_rows(&sum->system);
    json_decref(sum->command);
    json_decref(sum->exits);
    json_decref(sum->uncounted);
    free(sum->level);
}
