/* The totals of each variant of ls in a directory, with a bar beside them where people look and there is room. */
#include "totals.h"

#include "common/memory.h"
#include "common/text.h"

#include <inttypes.h>
#include <stdlib.h>

enum { BAR_LEAST = 10, BAR_MOST = 40 };

/* What is counted: system calls, or library calls where no variant's system calls are known. */
struct totals {
    const struct experiment *experiment;
    const struct measurement *result;     /* of each variant */
    const struct column *headings;
    bool system, startup;                 /* system calls; those of the start, too */
};

static bool counted(const struct totals *totals, size_t variant)
{
    const struct measurement *result = &totals->result[variant];
    if (!totals->system)
        return result->library.count > 0;
    return result->system_counted && (!totals->startup || totals->experiment->startup[variant] >= 0);
}

static uint64_t program(const struct totals *totals, size_t variant)
{
    const struct measurement *result = &totals->result[variant];
    return counts_total(totals->system ? &result->system : &result->library).calls;
}

static uint64_t together(const struct totals *totals, size_t variant)
{
    return program(totals, variant) + (totals->startup ? (uint64_t)totals->experiment->startup[variant] : 0);
}

static uint64_t most(const struct totals *totals)
{
    uint64_t highest = 1;
    for (size_t i = 0; i < totals->experiment->variants; i++)
        if (counted(totals, i) && together(totals, i) > highest)
            highest = together(totals, i);
    return highest;
}

static void add_row(struct output_table *table, const struct totals *totals, size_t variant, size_t bar)
{
    uint64_t sum = together(totals, variant);
    char *cells[5] = { memory_strdup(totals->headings[variant].heading) };
    size_t count = 1;
    if (totals->startup) {
        cells[count++] = memory_format("%" PRId64, totals->experiment->startup[variant]);
        cells[count++] = memory_format("%" PRIu64, program(totals, variant));
    }
    cells[count++] = memory_format("%" PRIu64, sum);
    if (bar)
        cells[count++] = text_bar((double)sum / (double)most(totals), bar);
    output_table_take(table, cells);
}

/* The table with bars of so many columns; 0: without. */
static struct output_table *make_table(const struct totals *totals, size_t bar)
{
    struct output_column columns[5] = { { totals->system ? "system calls" : "library calls", false } };
    size_t count = 1;
    if (totals->startup) {
        columns[count++] = (struct output_column){ "program start", true };
        columns[count++] = (struct output_column){ "program", true };
    }
    columns[count++] = (struct output_column){ totals->startup ? "together" : "total", true };
    if (bar)
        columns[count++] = (struct output_column){ "", false };
    struct output_table *table = output_table_new(columns, count);
    output_table_rule(table);
    for (size_t i = 0; i < totals->experiment->variants; i++)
        if (counted(totals, i))
            add_row(table, totals, i, bar);
    return table;
}

static size_t bar_width(const struct output *output, const struct output_table *table)
{
    size_t used = output_table_width(table) + 1, all = (size_t)output_width(output);
    if (!output->terminal || all < used + BAR_LEAST)
        return 0;
    return all - used < BAR_MOST ? all - used : BAR_MOST;
}

void ls_totals_print(struct output *output, const struct experiment *experiment, size_t size,
                     const struct column *headings)
{
    struct totals totals = { experiment, experiment->result + size * experiment->variants, headings, false, false };
    bool any = false;
    for (size_t i = 0; i < experiment->variants; i++) {
        totals.system |= totals.result[i].system_counted;
        totals.startup |= totals.result[i].system_counted && experiment->startup[i] >= 0;
    }
    for (size_t i = 0; i < experiment->variants; i++)
        any |= counted(&totals, i);
    if (!any)
        return;
    struct output_table *table = make_table(&totals, 0);
    size_t bar = bar_width(output, table);
    if (bar) {
        output_table_free(table);
        table = make_table(&totals, bar);
    }
    if (bar || totals.startup) {
        output_table_print(table, output);
        fprintf(output->stream, "\n");
    }
    output_table_free(table);
}
