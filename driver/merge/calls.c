/* Reports of reckon run and of the bare library, read, added up and written as one. */
#include "calls.h"

#include "calls/report/report.h"
#include "calls/words.h"
#include "common/errors.h"
#include "common/memory.h"
#include "common/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

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
static int agree_on_times(struct merge_calls *merge, const char *path, bool timed)
{
    if (!merge->timed_known && timed)
        merge->sum.flags |= COUNTERS_TIME;
    merge->timed_known = true;
    if (timed == !!(merge->sum.flags & COUNTERS_TIME))
        return 0;
    errors_say("merge: %s: its calls were %stimed, those of %s %s", path, timed ? "" : "not ", merge->first,
               timed ? "not" : "were");
    return -1;
}

static int add_row(struct merge_calls *merge, struct count_list *list, const char *path, const json_t *from)
{
    const char *name, *family;
    json_int_t calls;
    json_t *errors;
    if (json_unpack((json_t *)from, "{s:s, s:s, s:I, s:o}", "name", &name, "family", &family, "calls", &calls, "errors",
                    &errors) || strlen(name) >= sizeof list->row->name)
        return refuse(path, not_ours);
    if (agree_on_times(merge, path, json_object_get(from, "total_ns")))
        return -1;
    struct count *row = find(list, name, family);
    if (json_is_null(errors))
        row->unseen = true;
    else if (!json_is_integer(errors) || !add(&row->errors, json_integer_value(errors)))
        return refuse(path, not_ours);
    if (!add_errnos(row, json_is_null(errors) ? 0 : json_integer_value(errors), json_object_get(from, "errnos")))
        return refuse(path, not_ours);
    if (!add(&row->calls, calls) || !add_times(&merge->sum, row, from))
        return refuse(path, "numbers that cannot be added");
    note(row, merge->files, (uint64_t)calls);
    return 0;
}

static int add_rows(struct merge_calls *merge, struct count_list *list, const char *path, const json_t *from)
{
    size_t i;
    json_t *row;
    json_array_foreach(from, i, row)
        if (add_row(merge, list, path, row))
            return -1;
    return 0;
}

static void add_exit(struct merge_calls *merge, json_t *end, json_int_t reports)
{
    size_t i;
    json_t *old;
    json_array_foreach(merge->exits, i, old) {
        if (json_equal(json_object_get(old, "exit"), end)) {
            json_integer_set(json_object_get(old, "reports"),
                             json_integer_value(json_object_get(old, "reports")) + reports);
            return;
        }
    }
    json_array_append_new(merge->exits, json_pack("{s:O, s:I}", "exit", end, "reports", reports));
}

/* How the commands ended: one of them, or those of a merged report. */
static int add_exits(struct merge_calls *merge, const char *path, const json_t *report)
{
    size_t i;
    json_t *part, *parts = json_object_get(report, "exits"), *end = json_object_get(report, "exit");
    uint64_t before = merge->sum.reports;
    if (!parts) {
        merge->sum.reports++;
        add_exit(merge, end, 1);
        return 0;
    }
    json_array_foreach(parts, i, part) {
        json_int_t reports = 0;
        if (json_unpack(part, "{s:o, s:I}", "exit", &end, "reports", &reports) || !add(&merge->sum.reports, reports))
            return refuse(path, not_ours);
        add_exit(merge, end, reports);
    }
    return merge->sum.reports > before ? 0 : refuse(path, not_ours);
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
static int add_command(struct measurement *sum, const char *path, const json_t *command)
{
    size_t i = 0;
    char **words = strings(command);
    if (!words)
        return refuse(path, not_ours);
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
static int add_uncounted(struct measurement *sum, const char *path, const json_t *uncounted)
{
    char **texts = strings(uncounted);
    if (!texts)
        return refuse(path, not_ours);
    for (char **text = texts; *text; text++)
        measure_uncounted(sum, *text);
    free(texts);
    return 0;
}

/* Whether the numbers of this report mean the same as those before it: only then may they be added. */
static int agree(struct merge_calls *merge, const char *path, const char *level, bool whole)
{
    struct measurement *sum = &merge->sum;
    if (!measure_flags(level))
        return refuse(path, not_ours);
    if (!merge->first) {
        merge->first = path;
        merge->exits = json_array();
        sum->flags = measure_flags(level) | (whole ? COUNTERS_WHOLE : 0);
        sum->startup_known = true;
    }
    bool was_whole = sum->flags & COUNTERS_WHOLE;
    if (!strcmp(measure_level(sum->flags), level) && was_whole == whole)
        return 0;
    errors_say("merge: %s: counted with --level=%s%s, %s with --level=%s%s", path, level, whole ? " --whole" : "",
               merge->first, measure_level(sum->flags), was_whole ? " --whole" : "");
    return -1;
}

int merge_calls_add(struct merge_calls *merge, const char *path, const json_t *report)
{
    json_t *command, *end, *library, *system, *uncounted, *startup = json_object_get(report, "startup_system_calls");
    json_int_t processes;
    const char *level;
    int whole;
    struct measurement *sum = &merge->sum;
    if (json_unpack((json_t *)report, "{s:o, s:o, s:I, s:s, s:b, s:o, s:o, s:o}", "command", &command, "exit", &end,
                    "processes", &processes, "level", &level, "whole", &whole, "library_calls", &library,
                    "system_calls", &system, "uncounted", &uncounted) ||
        !json_is_array(command) || !json_is_array(library) || !json_is_array(system) || !json_is_array(uncounted) ||
        !add(&sum->processes, processes))
        return refuse(path, not_ours);
    if (agree(merge, path, level, whole) || add_exits(merge, path, report) || add_command(sum, path, command) ||
        add_uncounted(sum, path, uncounted))
        return -1;
    sum->startup_known = sum->startup_known && startup && add(&sum->startup, json_integer_value(startup));
    if (add_rows(merge, &sum->library, path, library) || add_rows(merge, &sum->system, path, system))
        return -1;
    merge->files++;
    return 0;
}

static void print_exits(struct output *output, const struct merge_calls *merge)
{
    size_t i;
    json_t *part;
    json_array_foreach(merge->exits, i, part) {
        json_t *end = json_object_get(part, "exit");
        int status = 0, signal = 0;
        bool known = json_is_object(end);
        if (known)
            json_unpack(end, "{s?i, s?i}", "status", &status, "signal", &signal);
        if (known && !status && !signal)
            continue;
        char *ending = known ? report_ending(W_EXITCODE(status, signal))
                             : memory_strdup("how the command ended is not known");
        fprintf(output->stream, "%" JSON_INTEGER_FORMAT " of %" PRIu64 " reports: %s\n",
                json_integer_value(json_object_get(part, "reports")), merge->sum.reports, ending);
        free(ending);
    }
}

static void print_tables(struct output *output, const struct merge_calls *merge)
{
    const struct measurement *sum = &merge->sum;
    char *command = words_text(sum->command), *shown = text_printable(command);
    fprintf(output->stream, "%" PRIu64 " report%s, %" PRIu64 " process%s%s%s\n", sum->reports,
            sum->reports == 1 ? "" : "s", sum->processes, sum->processes == 1 ? "" : "es", *shown ? ": " : "", shown);
    free(shown);
    free(command);
    print_exits(output, merge);
    fprintf(output->stream, "\n");
    report_tables(output, sum);
}

/* As of run, so that sums can be added up again; with the number of reports and how each of them ended. */
static json_t *json_sum(const struct merge_calls *merge)
{
    bool same = json_array_size(merge->exits) == 1;
    json_t *end = same ? json_incref(json_object_get(json_array_get(merge->exits, 0), "exit")) : json_null();
    json_t *object = json_pack("{s:i, s:I, s:o, s:o, s:O}", "version", MERGE_VERSION, "reports",
                               (json_int_t)merge->sum.reports, "command", report_json_command(merge->sum.command),
                               "exit", end, "exits", merge->exits);
    json_t *sum = report_json(&merge->sum, false);
    json_object_update_missing(object, sum);
    json_decref(sum);
    return object;
}

void merge_calls_print(struct merge_calls *merge, struct output *output, enum count_order order, bool spread,
                       bool by_errno)
{
    struct count_list *lists[] = { &merge->sum.library, &merge->sum.system };
    merge->sum.spread = spread;
    for (size_t i = 0; i < 2; i++) {
        counts_sort(lists[i], order);
        for (size_t j = 0; j < lists[i]->count; j++) {
            note(&lists[i]->row[j], merge->files - 1, 0);
            parts_sort(&lists[i]->row[j].errnos);
        }
    }
    if (by_errno)
        measure_by_errno(&merge->sum);
    if (output->format == OUTPUT_JSON)
        output_json(output, json_sum(merge));
    else if (output->format == OUTPUT_CSV)
        report_csv(output, &merge->sum, NULL, 1);
    else
        print_tables(output, merge);
}

void merge_calls_free(struct merge_calls *merge)
{
    struct count_list *lists[] = { &merge->sum.library, &merge->sum.system };
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < lists[i]->count; j++)
            free((char *)lists[i]->row[j].family);
    words_free(merge->sum.command);
    measure_free(&merge->sum);
    json_decref(merge->exits);
}
