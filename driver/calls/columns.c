/* Several commands side by side: names down, commands across. */
#include "report.h"

#include "common/errors.h"

#include <inttypes.h>
#include <stdlib.h>

static const struct count_list *rows_of(const struct report_column *column, enum report_kind kind)
{
    return kind == LIBRARY_KIND ? &column->result->library : &column->result->system;
}

/* One line: a first cell, perhaps a family, and a text for each column; frees those texts. */
static void add_line(struct output_table *table, const char *name, const char *family, char **texts, size_t count)
{
    const char **cells = errors_calloc(count + 2, sizeof *cells);
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
    struct output_column *headings = errors_calloc(count + 2, sizeof *headings);
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

static void add_totals(struct output_table *table, enum report_kind kind, const struct report_column *columns,
                       size_t count, bool families)
{
    char **texts = errors_calloc(count, sizeof *texts);
    double first = (double)counts_total(rows_of(&columns[0], kind)).calls;
    output_table_rule(table);
    for (size_t i = 0; i < count; i++)
        texts[i] = errors_format("%" PRIu64, counts_total(rows_of(&columns[i], kind)).calls);
    add_line(table, "total", families ? "" : NULL, texts, count);
    for (size_t i = 0; i < count; i++) {
        double total = (double)counts_total(rows_of(&columns[i], kind)).calls;
        texts[i] = first > 0 ? errors_format("%.3f", total / first) : errors_strdup("-");
    }
    if (count > 1)
        add_line(table, "ratio", families ? "" : NULL, texts, count);
    else
        free(texts[0]);
    free(texts);
}

void report_columns(struct output *output, enum report_kind kind, const struct report_column *columns, size_t count,
                    enum count_order order, bool families)
{
    const struct count_list **lists = errors_calloc(count, sizeof *lists);
    for (size_t i = 0; i < count; i++)
        lists[i] = rows_of(&columns[i], kind);
    struct count_list names = counts_union(lists, count);
    counts_sort(&names, order);
    if (names.count) {
        char **texts = errors_calloc(count, sizeof *texts);
        const char *title = kind == LIBRARY_KIND ? "library call" : "system call";
        struct output_table *table = new_table(title, columns, count, families);
        for (size_t i = 0; i < names.count; i++) {
            for (size_t j = 0; j < count; j++) {
                const struct count *row = counts_find(lists[j], names.row[i].name);
                texts[j] = row ? errors_format("%" PRIu64, row->calls) : errors_strdup("-");
            }
            add_line(table, names.row[i].name, families ? names.row[i].family : NULL, texts, count);
        }
        add_totals(table, kind, columns, count, families);
        output_table_print(table, output);
        fprintf(output->stream, "\n");
        output_table_free(table);
        free(texts);
    }
    counts_free(&names);
    free(lists);
}
