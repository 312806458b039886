/* The results of reckon ls as tables, JSON and CSV. */
#include "report.h"

#include "advice.h"
#include "article.h"
#include "calls/report/columns.h"
#include "calls/report/report.h"
#include "common/memory.h"
#include "common/text.h"
#include "totals.h"

#include <math.h>
#include <stdlib.h>

/* Seconds as milliseconds, to three digits or two decimals. A new string. */
static char *milliseconds(double seconds)
{
    double value = 1e3 * seconds;
    return memory_format("%.*f", value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2, value);
}

static char *spread(const struct statistics_spread *value)
{
    char *median = milliseconds(value->median), *low = milliseconds(value->minimum),
         *high = milliseconds(value->maximum);
    char *text = memory_format("%s [%s .. %s]", median, low, high);
    free(median);
    free(low);
    free(high);
    return text;
}

/* Screen columns of a row of times beside its heading. */
static size_t times_width(const struct experiment *experiment)
{
    size_t widest = 0;
    for (size_t i = 0; i < experiment->sizes * experiment->variants; i++) {
        const struct variant_times *times = &experiment->times[i];
        const struct statistics_spread *const values[] = { &times->real, &times->user, &times->system };
        for (size_t j = 0; j < sizeof values / sizeof *values; j++) {
            char *text = spread(values[j]);
            size_t width = text_width(text);
            widest = width > widest ? width : widest;
            free(text);
        }
    }
    return 3 * (1 + widest) + sizeof " 1.000" - 1;
}

/* What a table is about. */
static void print_title(struct output *output, char *title)
{
    fprintf(output->stream, "%s%s%s\n", output_color(output, COLOR_HEADING), title, output_color(output, COLOR_NONE));
    free(title);
}

static void print_times(struct output *output, const struct experiment *experiment, size_t size,
                        const struct column *headings)
{
    static const struct output_column columns[] = {
        { "", false }, { "real ms", true }, { "user ms", true }, { "sys ms", true }, { "ratio", true },
    };
    enum { COLUMNS = sizeof columns / sizeof *columns };
    const struct variant_times *times = experiment->times + size * experiment->variants;
    struct output_table *table = output_table_new(columns, COLUMNS);
    output_table_rule(table);
    for (size_t i = 0; i < experiment->variants; i++) {
        char *cells[COLUMNS] = {
            memory_strdup(headings[i].heading), spread(&times[i].real), spread(&times[i].user),
            spread(&times[i].system), memory_format("%.3f", times[i].real.median / times[0].real.median),
        };
        output_table_take(table, cells);
    }
    print_title(output, memory_format("time of %zu run%s each without counting: median [min .. max]",
                                      experiment->timed[size], experiment->timed[size] == 1 ? "" : "s"));
    output_table_print(table, output);
    output_table_free(table);
}

static char *per_file_text(double value)
{
    return isnan(value) ? NULL : memory_format("%.3f", value);
}

static void print_per_file(struct output *output, const struct experiment *experiment,
                           const struct column *headings)
{
    static const struct output_column columns[] = {
        { "", false }, { "library calls", true }, { "system calls", true },
    };
    enum { COLUMNS = sizeof columns / sizeof *columns };
    bool library = false, system = false;
    for (size_t i = 0; i < experiment->variants; i++) {
        library |= !isnan(experiment->per_file[i].library);
        system |= !isnan(experiment->per_file[i].system);
    }
    if (!library && !system)
        return;
    size_t first = library ? 1 : 2, count = (size_t)library + system;
    struct output_column used[COLUMNS] = { columns[0], columns[first], columns[COLUMNS - 1] };
    struct output_table *table = output_table_new(used, 1 + count);
    output_table_rule(table);
    for (size_t i = 0; i < experiment->variants; i++) {
        const struct per_file *value = &experiment->per_file[i];
        char *cells[COLUMNS] = { memory_strdup(headings[i].heading),
                                 per_file_text(library ? value->library : value->system),
                                 count > 1 ? per_file_text(value->system) : NULL };
        output_table_take(table, cells);
    }
    fprintf(output->stream, "\n");
    print_title(output, memory_format("calls that each file costs, between %zu and %zu files", experiment->base,
                                      experiment->size[experiment->sizes - 1]));
    output_table_print(table, output);
    output_table_free(table);
}

/* What was seen, in words. */
static void print_advice(struct output *output, const struct experiment *experiment)
{
    char *text = advice(experiment);
    if (*text)
        fputc('\n', output->stream);
    output_text(output, "", text);
    free(text);
}

/* Each size has its part; the headings are the same in all of them. */
static void print_tables(struct output *output, const struct experiment *experiment)
{
    enum { NAMES = 20 };   /* the column of names */
    size_t count = experiment->variants;
    struct column *columns = memory_calloc(count, sizeof *columns);
    const char **texts = memory_calloc(count, sizeof *texts);
    for (size_t i = 0; i < count; i++) {
        texts[i] = experiment->variant[i].text;
        columns[i].result = &experiment->result[i];
    }
    columns_headings(output, columns, texts, count, NAMES, times_width(experiment));
    for (size_t size = 0; size < experiment->sizes; size++) {
        for (size_t i = 0; i < count; i++)
            columns[i].result = &experiment->result[size * count + i];
        fprintf(output->stream, "%s", size ? "\n" : "");
        print_title(output, memory_format("%zu file%s", experiment->size[size],
                                          experiment->size[size] == 1 ? "" : "s"));
        fprintf(output->stream, "\n");
        columns_print(output, (struct columns_layout){ ROWS_LIBRARY, ORDER_NAME, false, false }, columns, count);
        columns_print(output, (struct columns_layout){ ROWS_SYSTEM, ORDER_NAME, false, false }, columns, count);
        ls_totals_print(output, experiment, size, columns);
        print_times(output, experiment, size, columns);
    }
    print_per_file(output, experiment, columns);
    if (experiment->article) {
        fprintf(output->stream, "\n");
        article_print(output, experiment);
    }
    fprintf(output->stream, "%s", columns[0].result->uncounted_count ? "\n" : "");
    columns_uncounted(output, columns, count);
    print_advice(output, experiment);
    columns_free(columns, count);
    free(texts);
}

static json_t *json_spread(const struct statistics_spread *value)
{
    return json_pack("{s:f, s:f, s:f}", "median", value->median, "min", value->minimum, "max", value->maximum);
}

static json_t *json_number(double value)
{
    return isnan(value) ? json_null() : json_real(value);
}

static json_t *json_variant(const struct experiment *experiment, size_t size, size_t variant)
{
    size_t index = size * experiment->variants + variant;
    const struct variant_times *times = &experiment->times[index];
    const struct measurement *result = &experiment->result[index];
    json_t *object = report_json(result, false);
    json_object_set_new(object, "total_library_calls",
                        json_integer((json_int_t)counts_total(&result->library).calls));
    int64_t startup = experiment->startup[variant], program = (int64_t)counts_total(&result->system).calls;
    bool known = startup >= 0 && result->system_counted;
    json_object_set_new(object, "total_system_calls", result->system_counted ?
                        json_integer(program + (known ? startup : 0)) : json_null());
    json_object_set_new(object, "startup_system_calls", known ? json_integer(startup) : json_null());
    json_object_set_new(object, "time", json_pack("{s:I, s:o, s:o, s:o}",
                        "runs", (json_int_t)experiment->timed[size], "real_s", json_spread(&times->real),
                        "user_s", json_spread(&times->user), "sys_s", json_spread(&times->system)));
    return object;
}

static json_t *json_report(const struct experiment *experiment)
{
    json_t *runs = json_array(), *per_file = json_array();
    for (size_t size = 0; size < experiment->sizes; size++) {
        json_t *variants = json_array();
        for (size_t i = 0; i < experiment->variants; i++)
            json_array_append_new(variants, json_variant(experiment, size, i));
        json_array_append_new(runs, json_pack("{s:I, s:o}", "files", (json_int_t)experiment->size[size],
                                              "variants", variants));
    }
    for (size_t i = 0; i < experiment->variants; i++)
        json_array_append_new(per_file, json_pack("{s:o, s:o, s:o}",
                              "command", output_json_texts(experiment->variant[i].argv),
                              "library_calls", json_number(experiment->per_file[i].library),
                              "system_calls", json_number(experiment->per_file[i].system)));
    json_t *report = json_pack("{s:i, s:o, s:o}", "version", 1, "runs", runs, "per_file", per_file);
    if (experiment->article)
        json_object_set_new(report, "article", article_json(experiment));
    return report;
}

void ls_report(struct output *output, const struct experiment *experiment)
{
    if (output->format == OUTPUT_JSON) {
        output_json(output, json_report(experiment));
    } else if (output->format == OUTPUT_CSV) {
        size_t cells = experiment->sizes * experiment->variants;
        size_t *files = memory_calloc(cells, sizeof *files);
        for (size_t i = 0; i < cells; i++)
            files[i] = experiment->size[i / experiment->variants];
        report_csv(output, experiment->result, files, cells);
        free(files);
    } else {
        print_tables(output, experiment);
    }
}
