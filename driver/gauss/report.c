/* The histogram as the article prints it, with what was to be expected beside it. */
#include "report.h"

#include "common/errors.h"
#include "common/memory.h"
#include "common/output_json.h"
#include "common/plot.h"
#include "common/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BAR_MIN 10  /* columns below which no bars are drawn */
#define BAR_MAX 60

json_t *report_number(double value)
{
    if (!isfinite(value))
        return json_null();
    return value == floor(value) && fabs(value) < 0x1p53 ? json_integer((json_int_t)value) : json_real(value);
}

static double expected(const struct report *report, size_t slot)
{
    return (double)workload_total(report->histogram) *
           workload_probability(report->workload, report->histogram, slot);
}

static double expected_outside(const struct report *report)
{
    return expected(report, 0) + expected(report, report->histogram->bins + 1);
}

static json_t *json_bins(const struct report *report)
{
    json_t *bins = json_array();
    for (size_t slot = 1; slot <= report->histogram->bins; slot++) {
        if (!report->histogram->counts[slot])
            continue;
        json_array_append_new(bins, json_pack("{s:o, s:I, s:f}",
            "bin", report_number(workload_bin_value(report->histogram, slot)),
            "count", (json_int_t)report->histogram->counts[slot], "expected", expected(report, slot)));
    }
    return bins;
}

static void print_json(const struct report *report, struct output *output)
{
    const struct workload *workload = report->workload;
    struct workload_fit fit = workload_fit(workload, report->histogram);
    uint64_t total = workload_total(report->histogram);
    json_t *object = json_pack("{s:i, s:s, s:I, s:I, s:o, s:o, s:o, s:i}", "version", 1,
        "generator", workload_generator_name(workload->generator), "seed", (json_int_t)workload->seed,
        "count", (json_int_t)total, "mean", report_number(workload->mean), "sd", report_number(workload->sd),
        "width", report_number(workload->width), "threads", (int)workload->threads);
    if (workload->share)
        json_object_set_new(object, "stream", json_pack("{s:I, s:I, s:I, s:I}",
            "index", (json_int_t)workload->rank + 1, "of", (json_int_t)workload->ranks,
            "total_count", (json_int_t)workload->count, "below", (json_int_t)report->histogram->counts[0]));
    json_object_set_new(object, "histogram", json_bins(report));
    json_object_set_new(object, "outside", json_integer((json_int_t)workload_outside(report->histogram)));
    json_object_set_new(object, "chi_square", json_pack("{s:f, s:I, s:o}", "value", fit.value,
        "degrees", (json_int_t)fit.degrees, "p", isnan(fit.p) ? json_null() : json_real(fit.p)));
    json_object_set_new(object, "wall_s", json_real(report->wall_s));
    json_object_set_new(object, "cpu_s", json_real(report->cpu_s));
    json_object_set_new(object, "ns_per_variate", total ? json_real(report->wall_s * 1e9 / (double)total) : json_null());
    if (report->server)
        json_object_set_new(object, "server", json_pack("{s:s, s:f, s:f}", "address", report->server,
            "wall_s", report->server_wall_s, "cpu_s", report->server_cpu_s));
    output_json(output, object);
}

/* Columns that are left for bars beside the numbers; 0 where they are too few or nobody looks. */
static int bar_width(const struct report *report, const struct output *output)
{
    int numbers = 3 + 3 * 2;
    if (output->format != OUTPUT_TABLE || !output->terminal)
        return 0;
    numbers += snprintf(NULL, 0, "%.15g", workload_bin_value(report->histogram, report->histogram->bins)) + 20;
    int width = output_width(output) - numbers;
    return width < BAR_MIN ? 0 : width > BAR_MAX ? BAR_MAX : width;
}

static void add_row(struct output_table *table, const char *bin, uint64_t count, double wanted, char *drawn)
{
    char number[32], expectation[32];
    snprintf(number, sizeof number, "%" PRIu64, count);
    snprintf(expectation, sizeof expectation, "%.1f", wanted);
    output_table_row(table, (const char *[]){ bin, number, expectation, drawn });
    free(drawn);
}

static void print_rows(const struct report *report, struct output *output)
{
    const struct workload_histogram *histogram = report->histogram;
    const struct output_column columns[] = { { "bin", true }, { "count", true }, { "expected", true }, { "", false } };
    int width = bar_width(report, output);
    struct output_table *table = output_table_new(columns, width ? 4 : 3);
    uint64_t most = 1;
    for (size_t slot = 1; slot <= histogram->bins; slot++)
        most = histogram->counts[slot] > most ? histogram->counts[slot] : most;
    for (size_t slot = 1; slot <= histogram->bins; slot++) {
        uint64_t count = histogram->counts[slot];
        char value[32];
        if (!count)
            continue;
        snprintf(value, sizeof value, "%.15g", workload_bin_value(histogram, slot));
        add_row(table, value, count, expected(report, slot), width ? text_bar((double)count / (double)most, (size_t)width) : NULL);
    }
    if (workload_outside(histogram) || output->format == OUTPUT_TABLE)
        add_row(table, "outside", workload_outside(histogram), expected_outside(report), NULL);
    output_table_print(table, output);
    output_table_free(table);
}

static void print(const struct report *report, struct output *output)
{
    if (output->format == OUTPUT_JSON) {
        print_json(report, output);
        return;
    }
    print_rows(report, output);
    if (output->format != OUTPUT_TABLE)
        return;
    struct workload_fit fit = workload_fit(report->workload, report->histogram);
    double total = (double)workload_total(report->histogram);
    fputc('\n', output->stream);
    if (fit.degrees)
        fprintf(output->stream, "Chi-square against N(%g, %g): %.4g on %u degrees of freedom, p = %.3g\n",
                report->workload->mean, report->workload->sd, fit.value, fit.degrees, fit.p);
    else
        fprintf(output->stream, "Too few variates for a chi-square.\n");
    fprintf(output->stream, "%.0f variates, generator %s, seed %" PRIu64 "\n%.4g s wall, %.4g s CPU", total,
            workload_generator_name(report->workload->generator), report->workload->seed, report->wall_s, report->cpu_s);
    if (total > 0)
        fprintf(output->stream, ", %.3g ns a variate", report->wall_s * 1e9 / total);
    fputc('\n', output->stream);
    if (report->server)
        fprintf(output->stream, "Server %s: %.4g s wall, %.4g s CPU; the call added %.3g ms\n", report->server,
                report->server_wall_s, report->server_cpu_s, (report->wall_s - report->server_wall_s) * 1e3);
}

/* Bars for the counts, a line for what was expected. 0, or -1 after saying what is wrong. */
static int plot(const struct report *report, const char *path)
{
    const struct workload_histogram *histogram = report->histogram;
    char *data = NULL;
    size_t length;
    FILE *stream = open_memstream(&data, &length);
    if (!stream) {
        errors_say("plot: out of memory");
        return -1;
    }
    for (size_t slot = 1; slot <= histogram->bins; slot++)
        if (histogram->counts[slot] || expected(report, slot) >= 0.5)
            fprintf(stream, "%.15g %" PRIu64 " %.9g\n", workload_bin_value(histogram, slot), histogram->counts[slot],
                    expected(report, slot));
    fclose(stream);
    char *script = memory_format(
        "set title \"%.0f variates of N(%g, %g), generator %s, seed %" PRIu64 "\" noenhanced\n"
        "set xlabel \"bin\"\nset ylabel \"variates\"\nset style fill solid 0.35 border\nset boxwidth %.15g\n"
        "set grid ytics\nset key top right\nset format y \"%%.0s%%c\"\nset yrange [0:*]\n"
        "plot $data using 1:2 with boxes lc rgb '#4477aa' title \"counted\", "
        "$data using 1:3 with linespoints pt 7 ps 0.7 lc rgb '#222222' title \"expected\"",
        (double)workload_total(histogram), report->workload->mean, report->workload->sd,
        workload_generator_name(report->workload->generator), report->workload->seed, 0.9 * histogram->bin_width);
    int status = plot_write(path, script, data);
    free(script);
    free(data);
    return status;
}

int report_write(const struct report *report, const struct options *options)
{
    struct output output;
    if (output_open(&output, options->output, options->format))
        return EXIT_OURS;
    print(report, &output);
    if (output_close(&output))
        return EXIT_OURS;
    return options->plot && plot(report, options->plot) ? EXIT_OURS : 0;
}
