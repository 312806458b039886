/* Several commands side by side: names down, commands across. */
#include "report.h"

#include "common/memory.h"
#include "common/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct count_list *rows_of(const struct report_column *column, enum report_kind kind)
{
    return kind == LIBRARY_KIND ? &column->result->library : &column->result->system;
}

/* Whether the commands' texts fit the heads of their columns, and one of them the beginning of a row. */
static bool texts_fit(char *const *texts, size_t count, size_t names, size_t row)
{
    size_t width = names, widest = 0, most = (size_t)output_width();
    for (size_t i = 0; i < count; i++) {
        size_t columns = text_width(texts[i]);
        width += columns + 1;
        widest = columns > widest ? columns : widest;
    }
    return width <= most && widest + row <= most;
}

void report_headings(struct output *output, struct report_column *columns, const char *const *texts, size_t count,
                     size_t names, size_t row)
{
    char **shown = memory_calloc(count, sizeof *shown);
    for (size_t i = 0; i < count; i++)
        shown[i] = text_printable(texts[i]);
    bool numbered = !texts_fit(shown, count, names, row);
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

void report_free_headings(struct report_column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(columns[i].heading);
}

/* One line: a first cell, perhaps a family, and a text for each column; frees those texts. */
static void add_line(struct output_table *table, const char *name, const char *family, char **texts, size_t count)
{
    const char **cells = memory_calloc(count + 2, sizeof *cells);
    size_t used = 0;
    cells[used++] = name;
    if (family)
        cells[used++] = family;
    for (size_t i = 0; i < count; i++)
        cells[used++] = texts[i];
    output_table_row(table, cells);
    free(cells);
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
}

static struct output_table *new_table(const char *title, const struct report_column *columns, size_t count,
                                      bool families)
{
    struct output_column *headings = memory_calloc(count + 2, sizeof *headings);
    size_t used = 0;
    headings[used++].name = title;
    if (families)
        headings[used++].name = "family";
    for (size_t i = 0; i < count; i++)
        headings[used++] = (struct output_column){ columns[i].heading, true };
    struct output_table *table = output_table_new(headings, used);
    free(headings);
    output_table_rule(table);
    return table;
}

static uint64_t value_of(const struct count *row, bool times)
{
    return times ? row->times.total : row->calls;
}

static char *value_text(uint64_t value, bool times)
{
    return times ? report_duration(value) : memory_format("%" PRIu64, value);
}

static void add_totals(struct output_table *table, struct report_layout layout, const struct report_column *columns,
                       size_t count)
{
    char **texts = memory_calloc(count, sizeof *texts), **ratios = memory_calloc(count, sizeof *ratios);
    uint64_t first = 0;
    output_table_rule(table);
    for (size_t i = 0; i < count; i++) {
        struct count sum = counts_total(rows_of(&columns[i], layout.kind));
        uint64_t total = value_of(&sum, layout.times);
        first = i ? first : total;
        texts[i] = value_text(total, layout.times);
        ratios[i] = first ? memory_format("%.3f", (double)total / (double)first) : memory_strdup("-");
    }
    add_line(table, "total", layout.families ? "" : NULL, texts, count);
    if (count > 1)
        add_line(table, "ratio", layout.families ? "" : NULL, ratios, count);
    else
        free(ratios[0]);
    free(ratios);
    free(texts);
}

static void add_names(struct output_table *table, struct report_layout layout, const struct report_column *columns,
                      size_t count, const struct count_list *names)
{
    char **texts = memory_calloc(count, sizeof *texts);
    for (size_t i = 0; i < names->count; i++) {
        for (size_t j = 0; j < count; j++) {
            const struct count *row = counts_find(rows_of(&columns[j], layout.kind), names->row[i].name);
            texts[j] = row ? value_text(value_of(row, layout.times), layout.times) : memory_strdup("-");
        }
        add_line(table, names->row[i].name, layout.families ? names->row[i].family : NULL, texts, count);
    }
    free(texts);
}

void report_columns(struct output *output, struct report_layout layout, const struct report_column *columns,
                    size_t count)
{
    static const char *const titles[2][2] = { { "library call", "time of library call" },
                                              { "system call", "time of system call" } };
    const struct count_list **lists = memory_calloc(count, sizeof *lists);
    for (size_t i = 0; i < count; i++)
        lists[i] = rows_of(&columns[i], layout.kind);
    struct count_list names = counts_union(lists, count);
    counts_sort(&names, layout.order);
    if (names.count) {
        struct output_table *table = new_table(titles[layout.kind][layout.times], columns, count, layout.families);
        add_names(table, layout, columns, count, &names);
        add_totals(table, layout, columns, count);
        output_table_print(table, output);
        fprintf(output->stream, "\n");
        output_table_free(table);
    }
    counts_free(&names);
    free(lists);
}
