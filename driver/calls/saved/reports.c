/* Reports of reckon run and of the bare library, read and added up. */
#include "reports.h"

#include "calls/words.h"
#include "common/errors.h"
#include "common/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const char not_ours[] = "not a report of reckon run or of libcount.so";

static int refuse(const struct reports *reports, const char *path, const char *why)
{
    errors_say("%s: %s: %s", reports->who, path, why);
    return -1;
}

/* Sums stay in the range of JSON's integers; false where they don't, and for negative numbers. */
static bool add(uint64_t *sum, json_int_t value)
{
    return value >= 0 && !__builtin_add_overflow(*sum, (uint64_t)value, sum) && *sum <= INT64_MAX;
}

static struct count *find(struct count_list *list, const char *name, const char *family)
{
    struct count *row = (struct count *)counts_find(list, name);
    if (row)
        return row;
    list->row = memory_realloc(list->row, list->count + 1, sizeof *list->row);
    row = &list->row[list->count++];
    *row = (struct count){ .family = memory_strdup(family), .times.minimum = UINT64_MAX };
    strcpy(row->name, name);  /* its length was checked */
    return row;
}

/* Add calls to those of report number `file`. */
static void note(struct count *row, size_t file, uint64_t calls)
{
    if (row->reports <= file) {
        row->each = memory_realloc(row->each, file + 1, sizeof *row->each);
        while (row->reports <= file)
            row->each[row->reports++] = 0;
    }
    row->each[file] += calls;
}

/* The times of a row, if the reports have times. */
static bool add_times(const struct measurement *sum, struct count *row, const json_t *from)
{
    json_int_t total = 0, least = 0, most = 0;
    bool timed = sum->flags & COUNTERS_TIME;
    if (json_unpack((json_t *)from, "{s:I, s:I, s:I}", "total_ns", &total, "min_ns", &least, "max_ns", &most))
        return !timed;
    struct count_times *times = &row->times;
    if (!timed || least < 0 || most < 0 || !add(&times->total, total))
        return false;
    times->minimum = (uint64_t)least < times->minimum ? (uint64_t)least : times->minimum;
    times->maximum = (uint64_t)most > times->maximum ? (uint64_t)most : times->maximum;
    times->p50 = (uint64_t)json_integer_value(json_object_get(from, "p50_ns"));  /* of one report: not of a sum */
    times->p99 = (uint64_t)json_integer_value(json_object_get(from, "p99_ns"));
    return true;
}

/* The errors of a row by name. Reports of earlier versions have no names. */
static bool add_errnos(struct count *row, json_int_t errors, const json_t *names)
{
    const char *name;
    json_t *calls;
    uint64_t named = 0;
    json_object_foreach((json_t *)names, name, calls) {
        if (!json_is_integer(calls) || !add(&named, json_integer_value(calls)))
            return false;
        parts_add(&row->errnos, name, (uint64_t)json_integer_value(calls));
    }
    if (named > (uint64_t)errors)
        return false;
    if (named < (uint64_t)errors)
        parts_add(&row->errnos, PARTS_OTHER, (uint64_t)errors - named);
    return !names || json_is_object(names);
}

/* Either all of the rows are timed or none. */
static int agree_on_times(struct reports *reports, const char *path, bool timed)
{
    if (!reports->timed_known && timed)
        reports->sum.flags |= COUNTERS_TIME;
    reports->timed_known = true;
    if (timed == !!(reports->sum.flags & COUNTERS_TIME))
        return 0;
    errors_say("%s: %s: its calls were %stimed, those of %s %s", reports->who, path, timed ? "" : "not ", reports->first,
               timed ? "not" : "were");
    return -1;
}

static int add_row(struct reports *reports, struct count_list *list, const char *path, const json_t *from)
{
    const char *name, *family;
    json_int_t calls;
    json_t *errors;
    if (json_unpack((json_t *)from, "{s:s, s:s, s:I, s:o}", "name", &name, "family", &family, "calls", &calls, "errors",
                    &errors) || strlen(name) >= sizeof list->row->name)
        return refuse(reports, path, not_ours);
    if (agree_on_times(reports, path, json_object_get(from, "total_ns")))
        return -1;
    struct count *row = find(list, name, family);
    if (json_is_null(errors))
        row->unseen = true;
    else if (!json_is_integer(errors) || !add(&row->errors, json_integer_value(errors)))
        return refuse(reports, path, not_ours);
    if (!add_errnos(row, json_is_null(errors) ? 0 : json_integer_value(errors), json_object_get(from, "errnos")))
        return refuse(reports, path, not_ours);
    if (!add(&row->calls, calls) || !add_times(&reports->sum, row, from))
        return refuse(reports, path, "numbers that cannot be added");
    note(row, reports->files, (uint64_t)calls);
    return 0;
}

static int add_rows(struct reports *reports, struct count_list *list, const char *path, const json_t *from)
{
    size_t i;
    json_t *row;
    json_array_foreach(from, i, row)
        if (add_row(reports, list, path, row))
            return -1;
    return 0;
}

static void add_exit(struct reports *reports, json_t *end, json_int_t times)
{
    size_t i;
    json_t *old;
    json_array_foreach(reports->exits, i, old) {
        if (json_equal(json_object_get(old, "exit"), end)) {
            json_integer_set(json_object_get(old, "reports"),
                             json_integer_value(json_object_get(old, "reports")) + times);
            return;
        }
    }
    json_array_append_new(reports->exits, json_pack("{s:O, s:I}", "exit", end, "reports", times));
}

/* How the commands ended: one of them, or those of a merged report. */
static int add_exits(struct reports *reports, const char *path, const json_t *report)
{
    size_t i;
    json_t *part, *parts = json_object_get(report, "exits"), *end = json_object_get(report, "exit");
    uint64_t before = reports->sum.reports;
    if (!parts) {
        reports->sum.reports++;
        add_exit(reports, end, 1);
        return 0;
    }
    json_array_foreach(parts, i, part) {
        json_int_t times = 0;
        if (json_unpack(part, "{s:o, s:I}", "exit", &end, "reports", &times) || !add(&reports->sum.reports, times))
            return refuse(reports, path, not_ours);
        add_exit(reports, end, times);
    }
    return reports->sum.reports > before ? 0 : refuse(reports, path, not_ours);
}

/* The strings of an array, ending with NULL; NULL where there is anything else in it. */
static char **strings(const json_t *array)
{
    size_t i;
    json_t *text;
    char **words = memory_calloc(json_array_size(array) + 1, sizeof *words);
    json_array_foreach(array, i, text) {
        if (!json_is_string(text)) {
            words_free(words);
            return NULL;
        }
        words[i] = memory_strdup(json_string_value(text));
    }
    return words;
}

/* The command that all reports have, else none. */
static int add_command(struct reports *reports, const char *path, const json_t *command)
{
    struct measurement *sum = &reports->sum;
    size_t i = 0;
    char **words = strings(command);
    if (!words)
        return refuse(reports, path, not_ours);
    if (!sum->command) {
        sum->command = words;
        return 0;
    }
    while (words[i] && sum->command[i] && !strcmp(words[i], sum->command[i]))
        i++;
    if (words[i] || sum->command[i]) {
        words_free(sum->command);
        sum->command = memory_calloc(1, sizeof *sum->command);
    }
    words_free(words);
    return 0;
}

/* Each text once. */
static int add_uncounted(struct reports *reports, const char *path, const json_t *uncounted)
{
    char **texts = strings(uncounted);
    if (!texts)
        return refuse(reports, path, not_ours);
    for (char **text = texts; *text; text++)
        measure_uncounted(&reports->sum, *text);
    free(texts);
    return 0;
}

/* Whether the numbers of this report mean the same as those before it: only then may they be added. */
static int agree(struct reports *reports, const char *path, const char *level, bool whole)
{
    struct measurement *sum = &reports->sum;
    if (!measure_flags(level))
        return refuse(reports, path, not_ours);
    if (!reports->first) {
        reports->first = path;
        reports->exits = json_array();
        sum->flags = measure_flags(level) | (whole ? COUNTERS_WHOLE : 0);
        sum->startup_known = true;
    }
    bool was_whole = sum->flags & COUNTERS_WHOLE;
    if (!strcmp(measure_level(sum->flags), level) && was_whole == whole)
        return 0;
    errors_say("%s: %s: counted with --level=%s%s, %s with --level=%s%s", reports->who, path, level, whole ? " --whole" : "",
               reports->first, measure_level(sum->flags), was_whole ? " --whole" : "");
    return -1;
}

int reports_version(const char *who, const char *path, const json_t *report)
{
    const json_t *version = json_object_get(report, "version");
    if (!json_is_integer(version)) {
        errors_say("%s: %s: not a report of reckon", who, path);
        return -1;
    }
    if (json_integer_value(version) == REPORTS_VERSION)
        return 0;
    errors_say("%s: %s: version %" JSON_INTEGER_FORMAT ", and this reckon reads version %d", who, path,
               json_integer_value(version), REPORTS_VERSION);
    return -1;
}

int reports_add(struct reports *reports, const char *path, const json_t *report)
{
    json_t *command, *end, *library, *system, *uncounted, *startup = json_object_get(report, "startup_system_calls");
    json_int_t processes;
    const char *level;
    int whole;
    struct measurement *sum = &reports->sum;
    if (json_unpack((json_t *)report, "{s:o, s:o, s:I, s:s, s:b, s:o, s:o, s:o}", "command", &command, "exit", &end,
                    "processes", &processes, "level", &level, "whole", &whole, "library_calls", &library,
                    "system_calls", &system, "uncounted", &uncounted) ||
        !json_is_array(command) || !json_is_array(library) || !json_is_array(system) || !json_is_array(uncounted) ||
        !add(&sum->processes, processes))
        return refuse(reports, path, not_ours);
    if (agree(reports, path, level, whole) || add_exits(reports, path, report) || add_command(reports, path, command) ||
        add_uncounted(reports, path, uncounted))
        return -1;
    sum->startup_known = sum->startup_known && startup && add(&sum->startup, json_integer_value(startup));
    if (add_rows(reports, &sum->library, path, library) || add_rows(reports, &sum->system, path, system))
        return -1;
    reports->files++;
    return 0;
}

void reports_complete(struct reports *reports)
{
    struct count_list *lists[] = { &reports->sum.library, &reports->sum.system };
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < lists[i]->count; j++) {
            note(&lists[i]->row[j], reports->files - 1, 0);
            parts_sort(&lists[i]->row[j].errnos);
        }
    }
}

void reports_free(struct reports *reports)
{
    struct count_list *lists[] = { &reports->sum.library, &reports->sum.system };
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < lists[i]->count; j++)
            free((char *)lists[i]->row[j].family);
    words_free(reports->sum.command);
    measure_free(&reports->sum);
    json_decref(reports->exits);
}

int reports_read_one(struct reports *reports, const char *path)
{
    json_error_t error;
    int status = 0, signal = 0;
    FILE *stream = fopen(path, "re");
    if (!stream) {
        errors_say_errno(errno, "%s: %s", reports->who, path);
        return -1;
    }
    json_t *report = json_loadf(stream, JSON_REJECT_DUPLICATES, &error);
    fclose(stream);
    if (!report)
        errors_say("%s: %s: line %d: not JSON: %s", reports->who, path, error.line, error.text);
    int failure = !report || reports_version(reports->who, path, report) || reports_add(reports, path, report) ? -1 : 0;
    if (!failure && reports->sum.reports != 1)
        failure = refuse(reports, path, "a sum of several reports");
    json_unpack(json_object_get(report, "exit"), "{s?i, s?i}", "status", &status, "signal", &signal);
    json_decref(report);
    if (!failure)
        reports_complete(reports);
    reports->sum.status = W_EXITCODE(status, signal);
    reports->sum.reports = 0;
    reports->sum.system_counted = reports->sum.system.count;
    return failure;
}
