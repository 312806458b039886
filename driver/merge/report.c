/* The sums of reports as tables for people, JSON and CSV. */
#include "merge.h"

#include "calls/report/report.h"
#include "common/memory.h"
#include "common/statistics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is printed of a row, and whether times and spread are. */
struct layout {
    const struct merge_calls *sum;
    bool spread;
    uint64_t all_ns;
};

static struct statistics_spread spread_of(const struct merge_row *row, size_t files)
{
    double *calls = memory_calloc(files, sizeof *calls);
    for (size_t i = 0; i < row->reports; i++)
        calls[i] = (double)row->calls[i];
    struct statistics_spread spread = statistics_spread(calls, files);
    free(calls);
    return spread;
}

static char *number(uint64_t value)
{
    return memory_format("%" PRIu64, value);
}

/* A median may lie between two whole numbers. */
static char *half_number(double value)
{
    return memory_format(value == floor(value) ? "%.0f" : "%.1f", value);
}

static void sort(struct merge_rows *rows, enum count_order order)
{
    struct count_list list = { memory_calloc(rows->count, sizeof *list.row), rows->count };
    struct merge_row *sorted = memory_calloc(rows->count, sizeof *sorted);
    for (size_t i = 0; i < rows->count; i++)
        list.row[i] = rows->row[i].sum;
    counts_sort(&list, order);
    for (size_t i = 0; i < rows->count; i++)
        sorted[i] = rows->row[json_integer_value(json_object_get(rows->index, list.row[i].name))];
    for (size_t i = 0; i < rows->count; i++)
        json_integer_set(json_object_get(rows->index, sorted[i].sum.name), (json_int_t)i);
    free(list.row);
    free(rows->row);
    rows->row = sorted;
}

/* All rows together, in all and in each report. `calls` is the caller's to free. */
static struct merge_row total_of(const struct merge_rows *rows, size_t files)
{
    struct merge_row total = { .sum = { .name = "total", .family = "" }, .reports = files };
    total.calls = memory_calloc(files, sizeof *total.calls);
    for (size_t i = 0; i < rows->count; i++) {
        const struct merge_row *row = &rows->row[i];
        total.sum.calls += row->sum.calls;
        total.sum.errors += row->sum.errors;
        total.sum.unseen |= row->sum.unseen;
        total.sum.times.total += row->sum.times.total;
        for (size_t j = 0; j < row->reports; j++)
            total.calls[j] += row->calls[j];
    }
    return total;
}

static void add_cells(struct output_table *table, char **cells, size_t count)
{
    output_table_row(table, (const char *const *)cells);
    for (size_t i = 0; i < count; i++)
        free(cells[i]);
}

static void add_line(struct output_table *table, const struct layout *layout, const struct merge_row *row)
{
    char *cells[10] = { 0 };
    size_t count = 0;
    const struct count_times *times = &row->sum.times;
    if (layout->sum->timed) {
        double share = layout->all_ns ? 100.0 * (double)times->total / (double)layout->all_ns : 0;
        cells[count++] = memory_format("%.2f", share);
        cells[count++] = report_duration(times->total);
        cells[count++] = *row->sum.family ? report_duration(times->maximum) : NULL;
    }
    cells[count++] = number(row->sum.calls);
    cells[count++] = row->sum.unseen ? memory_strdup("not seen") : row->sum.errors ? number(row->sum.errors) : NULL;
    if (layout->spread) {
        struct statistics_spread spread = spread_of(row, layout->sum->files);
        cells[count++] = half_number(spread.minimum);
        cells[count++] = half_number(spread.median);
        cells[count++] = half_number(spread.maximum);
    }
    cells[count++] = memory_strdup(row->sum.family);
    cells[count++] = memory_strdup(row->sum.name);
    add_cells(table, cells, count);
}

static void print_rows(struct output *output, struct layout layout, const struct merge_rows *rows, const char *title)
{
    struct output_column columns[10] = { { NULL, false } };
    size_t count = 0;
    static const char *const times[] = { "% time", "total", "max" }, *const calls[] = { "calls", "errors" },
                      *const spread[] = { "least", "median", "most" }, *const names[] = { "family", "name" };
    for (size_t i = 0; i < 3 && layout.sum->timed; i++)
        columns[count++] = (struct output_column){ times[i], true };
    for (size_t i = 0; i < 2; i++)
        columns[count++] = (struct output_column){ calls[i], true };
    for (size_t i = 0; i < 3 && layout.spread; i++)
        columns[count++] = (struct output_column){ spread[i], true };
    for (size_t i = 0; i < 2; i++)
        columns[count++] = (struct output_column){ names[i], false };
    if (!rows->count)
        return;
    struct merge_row total = total_of(rows, layout.sum->files);
    struct output_table *table = output_table_new(columns, count);
    layout.all_ns = total.sum.times.total;
    output_table_rule(table);
    for (size_t i = 0; i < rows->count; i++)
        add_line(table, &layout, &rows->row[i]);
    output_table_rule(table);
    add_line(table, &layout, &total);
    fprintf(output->stream, "\n%s\n", title);
    output_table_print(table, output);
    output_table_free(table);
    free(total.calls);
}

/* The words of the common command as one text. A new string, "" where there is none. */
static char *command_text(const struct merge_calls *sum)
{
    size_t count = json_array_size(sum->command);
    const char **words = memory_calloc(count + 1, sizeof *words);
    for (size_t i = 0; i < count; i++) {
        const char *word = json_string_value(json_array_get(sum->command, i));
        words[i] = word ? word : "";
    }
    char *text = report_command((char *const *)words);
    free(words);
    return text;
}

static void print_exits(struct output *output, const struct merge_calls *sum)
{
    size_t i;
    json_t *part;
    json_array_foreach(sum->exits, i, part) {
        json_t *end = json_object_get(part, "exit");
        const char *key = json_object_get(end, "signal") ? "signal" : "status";
        json_int_t value = json_integer_value(json_object_get(end, key));
        if (!strcmp(key, "status") && json_is_object(end) && !value)
            continue;
        fprintf(output->stream, "%" JSON_INTEGER_FORMAT " of %" PRIu64 " reports: ",
                json_integer_value(json_object_get(part, "reports")), sum->reports);
        if (json_is_object(end))
            fprintf(output->stream, "%s%s %" JSON_INTEGER_FORMAT "\n", *key == 's' && key[1] == 't' ? "exit " : "", key,
                    value);
        else
            fprintf(output->stream, "how the command ended is not known\n");
    }
}

static void print_tables(struct output *output, struct layout layout)
{
    size_t i;
    json_t *text;
    const struct merge_calls *sum = layout.sum;
    char *command = command_text(sum);
    fprintf(output->stream, "%" PRIu64 " report%s, %" PRIu64 " process%s%s%s\n", sum->reports,
            sum->reports == 1 ? "" : "s", sum->processes, sum->processes == 1 ? "" : "es", *command ? ": " : "",
            command);
    print_exits(output, sum);
    print_rows(output, layout, &sum->library, "library calls");
    print_rows(output, layout, &sum->system, "system calls");
    if (sum->startup_known)
        fprintf(output->stream, "%" PRIu64 " of them by program start (execve to the end of the loader)\n",
                sum->startup);
    json_array_foreach(sum->uncounted, i, text)
        fprintf(output->stream, "%suncounted: %s\n", i ? "" : "\n", json_string_value(text));
    free(command);
}

static void csv_rows(struct output_table *table, struct layout layout, const struct merge_rows *rows, const char *kind)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct merge_row *row = &rows->row[i];
        const struct count_times *times = &row->sum.times;
        char *cells[12] = { command_text(layout.sum), memory_strdup(kind), memory_strdup(row->sum.name),
                            memory_strdup(row->sum.family), number(row->sum.calls),
                            row->sum.unseen ? NULL : number(row->sum.errors) };
        size_t count = 6;
        if (layout.sum->timed) {
            cells[count++] = number(times->total);
            cells[count++] = number(times->minimum);
            cells[count++] = number(times->maximum);
        }
        if (layout.spread) {
            struct statistics_spread spread = spread_of(row, layout.sum->files);
            cells[count++] = half_number(spread.minimum);
            cells[count++] = half_number(spread.median);
            cells[count++] = half_number(spread.maximum);
        }
        add_cells(table, cells, count);
    }
}

static void print_csv(struct output *output, struct layout layout)
{
    static const char *const names[] = { "command", "kind", "name", "family", "calls", "errors",
                                         "total_ns", "min_ns", "max_ns", "least", "median", "most" };
    struct output_column columns[12] = { { NULL, false } };
    size_t count = 0;
    for (size_t i = 0; i < 12; i++)
        if (i < 6 || (i < 9 ? layout.sum->timed : layout.spread))
            columns[count++].name = names[i];
    struct output_table *table = output_table_new(columns, count);
    csv_rows(table, layout, &layout.sum->library, "library");
    csv_rows(table, layout, &layout.sum->system, "system");
    output_table_print(table, output);
    output_table_free(table);
}

static json_t *json_rows(struct layout layout, const struct merge_rows *rows)
{
    json_t *array = json_array();
    for (size_t i = 0; i < rows->count; i++) {
        const struct count *sum = &rows->row[i].sum;
        json_t *errors = sum->unseen ? json_null() : json_integer((json_int_t)sum->errors);
        json_t *row = json_pack("{s:s, s:s, s:I, s:o}", "name", sum->name, "family", sum->family, "calls",
                                (json_int_t)sum->calls, "errors", errors);
        if (layout.sum->timed) {
            json_object_set_new(row, "total_ns", json_integer((json_int_t)sum->times.total));
            json_object_set_new(row, "min_ns", json_integer((json_int_t)sum->times.minimum));
            json_object_set_new(row, "max_ns", json_integer((json_int_t)sum->times.maximum));
        }
        if (layout.spread) {
            struct statistics_spread spread = spread_of(&rows->row[i], layout.sum->files);
            json_object_set_new(row, "spread", json_pack("{s:f, s:f, s:f}", "least", spread.minimum, "median",
                                                         spread.median, "most", spread.maximum));
        }
        json_array_append_new(array, row);
    }
    return array;
}

/* As of run, so that sums can be added up again; with the number of reports and how each of them ended. */
static json_t *json_sum(struct layout layout)
{
    const struct merge_calls *sum = layout.sum;
    bool same = json_array_size(sum->exits) == 1;
    json_t *end = same ? json_incref(json_object_get(json_array_get(sum->exits, 0), "exit")) : json_null();
    json_t *object = json_pack("{s:i, s:I, s:O, s:o, s:O, s:I, s:s, s:b, s:o, s:o, s:O}", "version", MERGE_VERSION,
                               "reports", (json_int_t)sum->reports, "command", sum->command, "exit", end, "exits",
                               sum->exits, "processes", (json_int_t)sum->processes, "level", sum->level, "whole",
                               sum->whole, "library_calls", json_rows(layout, &sum->library), "system_calls",
                               json_rows(layout, &sum->system), "uncounted", sum->uncounted);
    if (sum->startup_known)
        json_object_set_new(object, "startup_system_calls", json_integer((json_int_t)sum->startup));
    return object;
}

void merge_calls_print(struct merge_calls *sum, struct output *output, enum count_order order, bool spread)
{
    struct layout layout = { .sum = sum, .spread = spread };
    sort(&sum->library, order);
    sort(&sum->system, order);
    if (output->format == OUTPUT_JSON)
        output_json(output, json_sum(layout));
    else if (output->format == OUTPUT_CSV)
        print_csv(output, layout);
    else
        print_tables(output, layout);
}
