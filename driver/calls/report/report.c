/* Measurements as tables for people, JSON and CSV. */
#include "report.h"

#include "common/memory.h"
#include "common/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const char *const titles[] = { "library calls", "system calls" };

char *report_duration(uint64_t ns)
{
    static const char *const units[] = { "ns", "us", "ms", "s" };
    double value = (double)ns;
    size_t unit = 0;
    for (; value >= 999.5 && unit < 3; unit++)
        value /= 1000;
    int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return memory_format("%.*f%s", decimals, value, units[unit]);
}

/* One word in single quotes if a shell would not take it as it is. */
static char *quoted(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (*word && !word[strspn(word, plain)])
        return memory_strdup(word);
    char *text = memory_calloc(4 * strlen(word) + 3, 1), *end = text;
    *end++ = '\'';
    for (; *word; word++)
        end = *word == '\'' ? stpcpy(end, "'\\''") : (*end = *word, end + 1);
    *end = '\'';
    return text;
}

char *report_command(char *const *words)
{
    char *text = memory_strdup("");
    for (size_t i = 0; words[i]; i++) {
        char *word = quoted(words[i]);
        char *longer = memory_format("%s%s%s", text, i ? " " : "", word);
        free(word);
        free(text);
        text = longer;
    }
    return text;
}

char *report_ending(int status)
{
    if (WIFSIGNALED(status))
        return memory_format("signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    return memory_format("exit status %d", WEXITSTATUS(status));
}

static const struct count_list *rows_of(const struct measurement *result, enum report_kind kind)
{
    return kind == LIBRARY_KIND ? &result->library : &result->system;
}

static void free_cells(char **cells, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(cells[i]);
}

static void add_row(struct output_table *table, char **cells, size_t count)
{
    output_table_row(table, (const char *const *)cells);
    free_cells(cells, count);
}

/* The cells of strace -c: numbers first, the name last. */
static void run_row(struct output_table *table, const struct count *row, uint64_t all_ns, bool timed)
{
    char *cells[9] = { 0 };
    size_t count = 0;
    if (timed) {
        double share = all_ns ? 100.0 * (double)row->times.total / (double)all_ns : 0;
        cells[count++] = memory_format("%.2f", share);
        cells[count++] = report_duration(row->times.total);
        cells[count++] = *row->family ? report_duration(row->times.p50) : NULL;
        cells[count++] = *row->family ? report_duration(row->times.p99) : NULL;
        cells[count++] = *row->family ? report_duration(row->times.maximum) : NULL;
    }
    cells[count++] = memory_format("%" PRIu64, row->calls);
    cells[count++] = row->unseen ? memory_strdup("not seen") :
                     row->errors ? memory_format("%" PRIu64, row->errors) : NULL;
    cells[count++] = memory_strdup(row->family);
    cells[count++] = memory_strdup(row->name);
    add_row(table, cells, count);
}

static void run_table(struct output *output, const struct measurement *result, enum report_kind kind)
{
    static const struct output_column columns[] = {
        { "% time", true }, { "total", true }, { "p50", true }, { "p99", true }, { "max", true },
        { "calls", true }, { "errors", true }, { "family", false }, { "name", false },
    };
    enum { COLUMNS = sizeof columns / sizeof *columns, TIMES = 5 };
    const struct count_list *list = rows_of(result, kind);
    if (!list->count)
        return;
    bool timed = result->flags & COUNTERS_TIME;
    struct count total = counts_total(list);
    struct output_table *table = output_table_new(columns + (timed ? 0 : TIMES), COLUMNS - (timed ? 0 : TIMES));
    output_table_rule(table);
    for (size_t i = 0; i < list->count; i++)
        run_row(table, &list->row[i], total.times.total, timed);
    output_table_rule(table);
    run_row(table, &total, total.times.total, timed);
    fprintf(output->stream, "%s%s", output_color(output, COLOR_HEADING), titles[kind]);
    if (result->processes > 1)
        fprintf(output->stream, " of %u processes", result->processes);
    fprintf(output->stream, "%s\n", output_color(output, COLOR_NONE));
    output_table_print(table, output);
    if (kind == SYSTEM_KIND && result->startup_known)
        fprintf(output->stream, "%" PRIu64 " of them by program start (execve to the end of the loader), "
                "%" PRIu64 " by the program\n", result->startup, total.calls - result->startup);
    fprintf(output->stream, "\n");
    output_table_free(table);
}

void report_run(struct output *output, const struct measurement *result)
{
    if (output->format == OUTPUT_JSON) {
        output_json(output, report_json(result, true));
    } else if (output->format == OUTPUT_CSV) {
        report_csv(output, result, NULL, 1);
    } else {
        run_table(output, result, LIBRARY_KIND);
        run_table(output, result, SYSTEM_KIND);
        if (!result->library.count && !result->system.count && !result->uncounted_count)
            fprintf(output->stream, "no calls\n");
        report_uncounted(output, &(struct report_column){ NULL, result }, 1);
    }
}

json_t *report_json_command(char *const *words)
{
    json_t *array = json_array();
    for (size_t i = 0; words[i]; i++)
        json_array_append_new(array, output_json_text(words[i]));
    return array;
}

json_t *report_json_rows(const struct count_list *list, bool timed)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++) {
        const struct count *row = &list->row[i];
        json_t *errors = row->unseen ? json_null() : json_integer((json_int_t)row->errors);
        json_t *object = json_pack("{s:s, s:s, s:I, s:o}", "name", row->name, "family", row->family,
                                   "calls", (json_int_t)row->calls, "errors", errors);
        const struct { const char *key; uint64_t value; } times[] = {
            { "total_ns", row->times.total }, { "min_ns", row->times.minimum }, { "max_ns", row->times.maximum },
            { "p50_ns", row->times.p50 }, { "p99_ns", row->times.p99 },
        };
        for (size_t j = 0; timed && j < sizeof times / sizeof *times; j++)
            json_object_set_new(object, times[j].key, json_integer((json_int_t)times[j].value));
        json_array_append_new(array, object);
    }
    return array;
}

static const char *level_name(uint32_t flags)
{
    uint32_t both = COUNTERS_CALLS | COUNTERS_SYSCALLS;
    return (flags & both) == both ? "both" : flags & COUNTERS_CALLS ? "calls" : "syscalls";
}

json_t *report_json(const struct measurement *result, bool version)
{
    bool timed = result->flags & COUNTERS_TIME, killed = WIFSIGNALED(result->status);
    json_t *object = json_object(), *uncounted = json_array();
    for (size_t i = 0; i < result->uncounted_count; i++)
        json_array_append_new(uncounted, output_json_text(result->uncounted[i]));
    if (version)
        json_object_set_new(object, "version", json_integer(1));
    json_object_set_new(object, "command", report_json_command(result->command));
    json_object_set_new(object, "exit", json_pack("{s:i}", killed ? "signal" : "status",
                        killed ? WTERMSIG(result->status) : WEXITSTATUS(result->status)));
    json_object_set_new(object, "processes", json_integer(result->processes));
    json_object_set_new(object, "level", json_string(level_name(result->flags)));
    json_object_set_new(object, "whole", json_boolean(result->flags & COUNTERS_WHOLE));
    json_object_set_new(object, "library_calls", report_json_rows(&result->library, timed));
    json_object_set_new(object, "system_calls", report_json_rows(&result->system, timed));
    if (result->startup_known)
        json_object_set_new(object, "startup_system_calls", json_integer((json_int_t)result->startup));
    json_object_set_new(object, "uncounted", uncounted);
    return object;
}

static bool says(const struct measurement *result, const char *text)
{
    for (size_t i = 0; i < result->uncounted_count; i++)
        if (!strcmp(result->uncounted[i], text))
            return true;
    return false;
}

/* How many of the first `limit` columns say this. */
static size_t saying(const struct report_column *columns, size_t limit, const char *text)
{
    size_t count = 0;
    for (size_t i = 0; i < limit; i++)
        count += says(columns[i].result, text);
    return count;
}

void report_uncounted(struct output *output, const struct report_column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct measurement *result = columns[i].result;
        for (size_t j = 0; j < result->uncounted_count; j++) {
            const char *text = result->uncounted[j];
            bool all = saying(columns, count, text) == count;
            if (all && i)
                continue;
            char *shown = text_printable(text);
            fprintf(output->stream, "%suncounted%s%s%s: %s\n", output_color(output, COLOR_WARNING),
                    all ? "" : " in ", all ? "" : columns[i].heading, output_color(output, COLOR_NONE), shown);
            free(shown);
        }
    }
}

static void csv_rows(struct output_table *table, const struct measurement *result, const char *files,
                     enum report_kind kind)
{
    const struct count_list *list = rows_of(result, kind);
    for (size_t i = 0; i < list->count; i++) {
        const struct count *row = &list->row[i];
        char *cells[12] = { 0 };
        size_t count = 0;
        if (files)
            cells[count++] = memory_strdup(files);
        cells[count++] = report_command(result->command);
        cells[count++] = memory_strdup(kind == LIBRARY_KIND ? "library" : "system");
        cells[count++] = memory_strdup(row->name);
        cells[count++] = memory_strdup(row->family);
        const uint64_t values[] = { row->calls, row->errors, row->times.total, row->times.minimum,
                                    row->times.maximum, row->times.p50, row->times.p99 };
        for (size_t j = 0; j < (result->flags & COUNTERS_TIME ? 7 : 2); j++)
            cells[count++] = row->unseen && j == 1 ? NULL : memory_format("%" PRIu64, values[j]);
        add_row(table, cells, count);
    }
}

void report_csv(struct output *output, const struct measurement *results, const size_t *files, size_t count)
{
    static const struct output_column columns[] = {
        { "files", false }, { "command", false }, { "kind", false }, { "name", false }, { "family", false },
        { "calls", false }, { "errors", false }, { "total_ns", false }, { "min_ns", false }, { "max_ns", false },
        { "p50_ns", false }, { "p99_ns", false },
    };
    enum { COLUMNS = sizeof columns / sizeof *columns, TIMES = 5 };
    size_t first = files ? 0 : 1;
    size_t used = COLUMNS - first - (results[0].flags & COUNTERS_TIME ? 0 : TIMES);
    struct output_table *table = output_table_new(columns + first, used);
    for (size_t i = 0; i < count; i++) {
        char *number = files ? memory_format("%zu", files[i]) : NULL;
        csv_rows(table, &results[i], number, LIBRARY_KIND);
        csv_rows(table, &results[i], number, SYSTEM_KIND);
        free(number);
    }
    output_table_print(table, output);
    output_table_free(table);
}
