/* Several commands side by side: names down, commands across. */
#include "columns.h"

#include "common/memory.h"
#include "common/text.h"
#include "files.h"
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Whether the commands' texts fit the heads of their columns, and one of them the beginning of a row. */
static bool texts_fit(const struct output *output, char *const *texts, size_t count, size_t names, size_t row)
{
    size_t width = names, widest = 0, most = (size_t)output_width(output);
    for (size_t i = 0; i < count; i++) {
        size_t columns = text_width(texts[i]);
        width += columns + 1;
        widest = columns > widest ? columns : widest;
    }
    return width <= most && widest + row <= most;
}

void columns_headings(struct output *output, struct column *columns, const char *const *texts, size_t count,
                      size_t names, size_t row)
{
    char **shown = memory_calloc(count, sizeof *shown);
    for (size_t i = 0; i < count; i++)
        shown[i] = text_printable(texts[i]);
    bool numbered = !texts_fit(output, shown, count, names, row);
    for (size_t i = 0; i < count; i++) {
        int status = columns[i].result->status;
        char *ending = report_ending(status);
        columns[i].heading = numbered ? memory_format("[%zu]", i + 1) : memory_strdup(shown[i]);
        if (numbered || status)
            fprintf(output->stream, "%s%s%s%s%s\n", numbered ? columns[i].heading : "", numbered ? " " : "",
                    shown[i], status ? ": " : "", status ? ending : "");
        free(ending);
        free(shown[i]);
    }
    free(shown);
}

void columns_free(struct column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(columns[i].heading);
    free(columns);
}

static uint64_t value_of(const struct count *row, bool times)
{
    return times ? row->times.total : row->calls;
}

static char *value_text(uint64_t value, bool times)
{
    return times ? text_duration(value) : memory_format("%" PRIu64, value);
}

/* A line's cells: a first text, perhaps a family, and room for a text of each column, which `at` points to. */
static char **new_line(struct columns_layout layout, size_t count, const char *name, const char *family, char ***at)
{
    char **cells = memory_calloc(count + 2, sizeof *cells);
    cells[0] = memory_strdup(name);
    if (layout.families)
        cells[1] = memory_strdup(family);
    *at = cells + 1 + layout.families;
    return cells;
}

static void take_line(struct output_table *table, char **cells)
{
    output_table_take(table, cells);
    free(cells);
}

/* A line of sums, or of their ratios to the first. */
static void add_totals(struct output_table *table, struct columns_layout layout, const struct column *columns,
                       size_t count, bool ratios)
{
    char **texts, **line = new_line(layout, count, ratios ? "ratio" : "total", "", &texts);
    uint64_t first = 0;
    for (size_t i = 0; i < count; i++) {
        struct count sum = counts_total(rows_list(columns[i].result, layout.kind));
        uint64_t value = value_of(&sum, layout.times);
        first = i ? first : value;
        if (!ratios)
            texts[i] = value_text(value, layout.times);
        else
            texts[i] = first ? memory_format("%.3f", (double)value / (double)first) : memory_strdup("-");
    }
    take_line(table, line);
}

static void add_names(struct output_table *table, struct columns_layout layout, const struct column *columns,
                      size_t count, const struct count_list *names)
{
    for (size_t i = 0; i < names->count; i++) {
        const struct count *name = &names->row[i];
        char **texts, **line = new_line(layout, count, name->name, name->family, &texts);
        for (size_t j = 0; j < count; j++) {
            const struct count *row = counts_find(rows_list(columns[j].result, layout.kind), name->name);
            texts[j] = row ? value_text(value_of(row, layout.times), layout.times) : memory_strdup("-");
        }
        take_line(table, line);
    }
}

static struct output_table *new_table(struct columns_layout layout, const struct column *columns, size_t count)
{
    static const char *const titles[][2] = {
        [ROWS_LIBRARY] = { "library call", "time of library call" },
        [ROWS_SYSTEM] = { "system call", "time of system call" },
        [ROWS_LIBRARY_ERRORS] = { "error of library calls" }, [ROWS_SYSTEM_ERRORS] = { "error of system calls" },
        [ROWS_CALLERS] = { "caller of library calls" },
    };
    struct output_column *headings = memory_calloc(count + 2, sizeof *headings);
    size_t used = 0;
    headings[used++].name = titles[layout.kind][layout.times];
    if (layout.families)
        headings[used++].name = "family";
    for (size_t i = 0; i < count; i++)
        headings[used++] = (struct output_column){ columns[i].heading, true };
    struct output_table *table = output_table_new(headings, used);
    free(headings);
    output_table_rule(table);
    return table;
}

void columns_print(struct output *output, struct columns_layout layout, const struct column *columns, size_t count)
{
    const struct count_list **lists = memory_calloc(count, sizeof *lists);
    for (size_t i = 0; i < count; i++)
        lists[i] = rows_list(columns[i].result, layout.kind);
    struct count_list names = counts_union(lists, count);
    counts_sort(&names, layout.order);
    if (names.count) {
        struct output_table *table = new_table(layout, columns, count);
        add_names(table, layout, columns, count, &names);
        output_table_rule(table);
        add_totals(table, layout, columns, count, false);
        if (count > 1)
            add_totals(table, layout, columns, count, true);
        output_table_print(table, output);
        fprintf(output->stream, "\n");
        output_table_free(table);
    }
    counts_free(&names);
    free(lists);
}

/* All paths that one of them has, with the sums of all. */
static struct file_list all_files(const struct column *columns, size_t count)
{
    struct file_list all = { 0 };
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < columns[i].result->files.files.count; k++) {
            const struct file_row *row = &columns[i].result->files.files.row[k];
            files_append(&all, row->path, NULL, row->sum);
        }
    files_unite(&all);
    files_sort(&all, count && columns->result->files_wanted.misses);
    return all;
}

static void add_file(struct output_table *table, const struct file_row *row, const struct file_list *sorted, size_t count,
                     bool misses, size_t room)
{
    char **cells = memory_calloc(count + 1, sizeof *cells);
    for (size_t i = 0; i < count; i++) {
        const struct file_row *mine = files_find(&sorted[i], row->path);
        uint64_t value = !mine ? 0 : misses ? mine->sum[FILES_MISSES] : files_asked(mine);
        cells[i + 1] = value ? memory_format("%" PRIu64, value) : memory_strdup("-");
    }
    cells[0] = report_files_path(row, room);
    output_table_take(table, cells);
    free(cells);
}

void columns_files(struct output *output, const struct column *columns, size_t count)
{
    enum { LEAST_ROOM = 20 };
    bool asked = count && columns->result->flags & COUNTERS_PER_FILE, misses = asked && columns->result->files_wanted.misses;
    if (!asked)
        return;
    struct file_list all = all_files(columns, count), *sorted = memory_calloc(count, sizeof *sorted);
    struct output_column *heads = memory_calloc(count + 1, sizeof *heads);
    size_t left = (size_t)output_width(output);
    heads[0].name = misses ? "misses of file" : "file";
    for (size_t i = 0; i < count; i++) {
        const struct file_list *files = &columns[i].result->files.files;
        heads[i + 1] = (struct output_column){ columns[i].heading, true };
        sorted[i].row = memory_calloc(files->count + 1, sizeof *files->row);
        sorted[i].count = files->count;
        if (files->count)
            memcpy(sorted[i].row, files->row, files->count * sizeof *files->row);
        files_sort_paths(&sorted[i]);
        size_t width = 1 + (text_width(columns[i].heading) > 6 ? text_width(columns[i].heading) : 6);
        left -= width < left ? width : left;
    }

    struct output_table *table = output_table_new(heads, count + 1);
    output_table_rule(table);
    for (size_t i = 0; i < all.count && i < REPORT_FILES; i++)
        add_file(table, &all.row[i], sorted, count, misses, left > LEAST_ROOM ? left : LEAST_ROOM);
    output_table_print(table, output);
    if (all.count > REPORT_FILES)
        fprintf(output->stream, "and %zu more: --format=json has all of them\n", all.count - REPORT_FILES);
    fprintf(output->stream, "\n");
    output_table_free(table);
    for (size_t i = 0; i < count; i++)
        free(sorted[i].row);
    free(sorted);
    free(heads);
    files_free_list(&all);
}

static bool says(const struct measurement *result, const char *text)
{
    for (size_t i = 0; i < result->uncounted_count; i++)
        if (!strcmp(result->uncounted[i], text))
            return true;
    return false;
}

static bool all_say(const struct column *columns, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (!says(columns[i].result, text))
            return false;
    return true;
}

void columns_uncounted(struct output *output, const struct column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < columns[i].result->uncounted_count; j++) {
            const char *text = columns[i].result->uncounted[j];
            bool all = all_say(columns, count, text);
            if (!all || i == 0)
                report_uncounted(output, all ? NULL : columns[i].heading, text);
        }
    }
}
