/* A comparison for people, programs and the eye. */
#include "report.h"

#include "calls.h"
#include "common/errors.h"
#include "common/memory.h"
#include "common/plot.h"
#include "common/text.h"
#include "gauss/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_COLUMNS 80

static double median_of(const struct comparison *comparison, double (*value)(const struct sample *))
{
    double *values = memory_calloc(comparison->pairs, sizeof *values);
    for (size_t i = 0; i < comparison->pairs; i++)
        values[i] = value(&comparison->samples[i]);
    double median = statistics_spread(values, comparison->pairs).median;
    free(values);
    return median;
}

static double a_wall(const struct sample *sample) { return sample->a_wall; }
static double b_wall(const struct sample *sample) { return sample->b_wall; }
static double a_cpu(const struct sample *sample) { return sample->a_cpu; }
static double b_cpu(const struct sample *sample) { return sample->b_cpu; }

double comparison_wall(const struct comparison *comparison, bool b)
{
    return median_of(comparison, b ? b_wall : a_wall);
}

static json_t *json_samples(const struct comparison *comparison)
{
    json_t *array = json_array();
    for (size_t i = 0; i < comparison->pairs; i++) {
        const struct sample *sample = &comparison->samples[i];
        json_array_append_new(array, json_pack("{s:i, s:i, s:s, s:f, s:f, s:o, s:f, s:f, s:o, s:o, s:f, s:I, s:i}",
            "pair", (int)i + 1, "block", (int)sample->block, "first", sample->b_first ? "B" : "A",
            "a_wall_s", sample->a_wall, "a_cpu_s", sample->a_cpu,
            "a_fastest_block_s", report_number(sample->a_fastest), "b_wall_s", sample->b_wall, "b_cpu_s", sample->b_cpu,
            "b_fastest_block_s", report_number(sample->b_fastest),
            "b_worker_wall_s", report_number(sample->b_worker_wall), "ratio", sample->b_wall / sample->a_wall,
            "preemptions", (json_int_t)sample->preemptions, "migrations", (int)sample->migrations));
    }
    return array;
}

static json_t *json_workload(const struct workload *workload)
{
    return json_pack("{s:s, s:I, s:I, s:o, s:o, s:o, s:i}", "generator", workload_generator_name(workload->generator),
        "seed", (json_int_t)workload->seed, "count", (json_int_t)workload->count, "mean", report_number(workload->mean),
        "sd", report_number(workload->sd), "width", report_number(workload->width), "threads", (int)workload->threads);
}

/* The lines of a text. */
static json_t *json_lines(const char *text)
{
    json_t *array = json_array();
    char *copy = memory_strdup(text ? text : ""), *rest = NULL;
    for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        json_array_append_new(array, json_string(line));
    free(copy);
    return array;
}

static json_t *json_doubts(unsigned doubts)
{
    json_t *array = json_array();
    for (unsigned doubt = 1; doubt <= DOUBT_LAST; doubt *= 2)
        if (doubts & doubt)
            json_array_append_new(array, json_string(comparison_doubt_name(doubt)));
    return array;
}

static json_t *json_interval(const struct statistics_interval *interval)
{
    return json_pack("{s:o, s:o, s:o}", "median", report_number(interval->median), "lower", report_number(interval->lower),
                     "upper", report_number(interval->upper));
}

json_t *comparison_json(const struct comparison *comparison, json_t *calls)
{
    const struct findings *findings = &comparison->findings;
    const struct sides *sides = comparison->sides;
    json_t *object = json_pack("{s:i, s:s, s:s, s:o, s:o, s:o, s:I, s:o, s:o, s:b}", "version", 1,
        "verdict", statistics_verdict_name(comparison->verdict), "basis", comparison_clock_name(comparison->basis),
        "ratio", json_interval(&comparison->ratios[CLOCK_WALL]), "cpu_ratio", json_interval(&comparison->ratios[CLOCK_CPU]),
        "fastest_block_ratio", json_interval(&comparison->ratios[CLOCK_FASTEST]), "pairs", (json_int_t)comparison->pairs, "transport_ms", report_number(comparison->transport * 1e3),
        "null_call_us", report_number(findings->null_call * 1e6), "same_executable", findings->same);
    json_object_set_new(json_object_get(object, "ratio"), "sign_p", json_real(comparison->wall_sign_p));
    json_object_set_new(object, "sign_p", json_real(comparison->sign_p));
    json_object_set_new(object, "drift", json_interval(&comparison->drift));
    json_object_set_new(object, "differences", json_lines(findings->differences));
    json_object_set_new(object, "margin", json_real(comparison->margin));
    json_object_set_new(object, "pairs_needed", comparison->needed ? json_integer((json_int_t)comparison->needed) : json_null());
    json_object_set_new(object, "seconds_needed", report_number(comparison->needed_s));
    json_object_set_new(object, "elapsed_s", report_number(comparison->elapsed));
    json_object_set_new(object, "self_test", json_boolean(sides->self_test));
    json_object_set_new(object, "stolen", report_number(comparison->stolen));
    json_object_set_new(object, "doubts", json_doubts(comparison->doubts));
    json_object_set_new(object, "workload", json_workload(&sides->workload));
    if (sides->perl)
        json_object_set_new(object, "perl", json_pack("{s:{s:s, s:s}, s:{s:s, s:s}}",
            "a", "path", sides->perl_a, "about", findings->perl_a, "b", "path", sides->perl_b, "about", findings->perl_b));
    if (calls)
        json_object_set(object, "calls", calls);
    json_object_set_new(object, "samples", json_samples(comparison));
    return object;
}

static void print_csv(const struct comparison *comparison, struct output *output)
{
    static const struct output_column columns[] = {
        { "pair", true }, { "block", true }, { "first", false }, { "a_wall_s", true }, { "a_cpu_s", true },
        { "b_wall_s", true }, { "b_cpu_s", true }, { "b_worker_wall_s", true }, { "ratio", true },
    };
    struct output_table *table = output_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < comparison->pairs; i++) {
        const struct sample *sample = &comparison->samples[i];
        const double values[] = { sample->a_wall, sample->a_cpu, sample->b_wall, sample->b_cpu, sample->b_worker_wall,
                                  sample->b_wall / sample->a_wall };
        char text[8][32];
        snprintf(text[0], sizeof text[0], "%zu", i + 1);
        snprintf(text[1], sizeof text[1], "%u", sample->block);
        for (int k = 0; k < 6; k++)
            snprintf(text[k + 2], sizeof text[k + 2], "%.9g", values[k]);
        if (isnan(sample->b_worker_wall))
            text[6][0] = '\0';
        output_table_row(table, (const char *[]){ text[0], text[1], sample->b_first ? "B" : "A", text[2], text[3], text[4],
                                                  text[5], text[6], text[7] });
    }
    output_table_print(table, output);
    output_table_free(table);
}

static void print_side(struct output_table *table, const char *name, double wall, double cpu, double count)
{
    char cells[3][32];
    snprintf(cells[0], sizeof cells[0], "%.4f", wall);
    snprintf(cells[1], sizeof cells[1], "%.4f", cpu);
    snprintf(cells[2], sizeof cells[2], "%.3g", wall * 1e9 / count);
    output_table_row(table, (const char *[]){ name, cells[0], cells[1], cells[2] });
}

static void print_table(const struct comparison *comparison, struct output *output)
{
    static const struct output_column columns[] = {
        { "median of a run", false }, { "wall s", true }, { "CPU s", true }, { "ns/variate", true },
    };
    const struct sides *sides = comparison->sides;
    double count = (double)sides->workload.count;
    struct output_table *table = output_table_new(columns, 4);
    print_side(table, "A: in this process", comparison_wall(comparison, false), median_of(comparison, a_cpu), count);
    print_side(table, sides->self_test ? "B: A once more" : "B: by a server", comparison_wall(comparison, true),
               median_of(comparison, b_cpu), count);
    output_table_print(table, output);
    output_table_free(table);
}

static void print_warning(const char *text, struct output *output)
{
    char *line = memory_format("Warning: %s.", text), *wrapped = text_wrap(line, TEXT_COLUMNS);
    fprintf(output->stream, "%sWarning%s%s", output_color(output, COLOR_WARNING), output_color(output, COLOR_NONE),
            wrapped + strlen("Warning"));
    free(wrapped);
    free(line);
}

void comparison_warn(const struct comparison *comparison, const char *what, struct output *output)
{
    for (unsigned doubt = 1; doubt <= DOUBT_LAST; doubt *= 2) {
        if (!(comparison->doubts & doubt))
            continue;
        char *text = comparison_doubt_text(comparison, doubt);
        char *whole = memory_format("%s%s%s", what ? what : "", what ? ": " : "", text);
        print_warning(whole, output);
        free(whole);
        free(text);
    }
}

static void print_people(const struct comparison *comparison, json_t *calls, struct output *output)
{
    const struct findings *findings = &comparison->findings;
    FILE *stream = output->stream;
    char *sentence = comparison_sentence(comparison), *wrapped = text_wrap(sentence, TEXT_COLUMNS);
    print_table(comparison, output);
    fprintf(stream, "\n%s\n", wrapped);
    free(sentence);
    free(wrapped);
    fprintf(stream, "%zu pairs of runs of %llu variates, margin %g %%, sign test p = %.2g.\n", comparison->pairs,
            (unsigned long long)comparison->sides->workload.count, comparison->margin * 100, comparison->sign_p);
    for (enum clock clock = CLOCK_WALL; clock < CLOCKS; clock++) {
        const struct statistics_interval *ratio = &comparison->ratios[clock];
        if (clock != comparison->basis && !isnan(ratio->lower))
            fprintf(stream, "By %s the ratio is %.3f [%.3f, %.3f].\n", comparison_clock_text(clock), ratio->median,
                    ratio->lower, ratio->upper);
    }
    if (comparison->basis != CLOCK_WALL)
        fputs(comparison->basis == CLOCK_CPU
              ? "The verdict rests on CPU time: other programs disturb wall time too much.\n"
              : "The verdict rests on the CPU time of each run's fastest blocks: other programs\ndisturb the whole too much.\n",
              stream);
    if (!isnan(findings->null_call))
        fprintf(stream, "An empty call takes %.0f microseconds.\n", findings->null_call * 1e6);
    if (findings->perl_a)
        fprintf(stream, "A: %s (%s)\nB: %s (%s)\n", findings->perl_a, comparison->sides->perl_a, findings->perl_b,
                comparison->sides->perl_b);
    fputs(findings->same ? "Both sides ran the same executable and libraries.\n"
                         : "The sides did NOT run the same executable and libraries.\n", stream);
    if (findings->differences && !comparison->sides->perl)
        fprintf(stream, "They differ in:\n%s", findings->differences);
    comparison_warn(comparison, NULL, output);
    if (calls)
        calls_print(calls, output);
}

void comparison_print(const struct comparison *comparison, json_t *calls, struct output *output)
{
    if (output->format == OUTPUT_JSON)
        output_json(output, comparison_json(comparison, calls));
    else if (output->format == OUTPUT_CSV)
        print_csv(comparison, output);
    else
        print_people(comparison, calls, output);
}

int comparison_plot(const struct comparison *comparison, const char *path)
{
    char *data = NULL, *sentence = comparison_sentence(comparison);
    size_t length;
    FILE *stream = open_memstream(&data, &length);
    if (!stream) {
        errors_say("plot: out of memory");
        free(sentence);
        return -1;
    }
    for (size_t i = 0; i < comparison->pairs; i++)
        fprintf(stream, "%zu %.9g %d\n", i + 1, comparison->samples[i].b_wall / comparison->samples[i].a_wall,
                comparison->samples[i].b_first);
    fclose(stream);
    bool interval = !isnan(comparison->ratios[CLOCK_WALL].lower);
    char *clause = strstr(sentence, "; ");
    if (clause)
        memcpy(clause, "\\n", 2);  /* gnuplot's own line end */
    char *band = interval ? memory_format("set object 1 rect from graph 0, first %.9g to graph 1, first %.9g fc rgb '#cccccc' fs solid "
                                          "noborder behind\n", comparison->ratios[CLOCK_WALL].lower, comparison->ratios[CLOCK_WALL].upper) : memory_strdup("");
    char *script = memory_format(
        "set title \"%s\" noenhanced\nset xlabel \"pair\"\nset ylabel \"wall time of B / wall time of A\"\n%s"
        "set xrange [0.5:%zu.5]\nset key outside bottom center horizontal\nset grid ytics\n"
        "plot %.9g lw 2 lc rgb '#222222' title \"median, 95%% interval in grey\", "
        "%.9g dt 2 lc rgb '#777777' title \"margin\", %.9g dt 2 lc rgb '#777777' notitle, "
        "$data using ($3==0?$1:1/0):2 with points pt 7 lc rgb '#4477aa' title \"A first\", "
        "$data using ($3==1?$1:1/0):2 with points pt 4 lc rgb '#bb5533' title \"B first\"",
        sentence, band, comparison->pairs, comparison->ratios[CLOCK_WALL].median, 1 - comparison->margin, 1 + comparison->margin);
    int status = plot_write(path, script, data);
    free(script);
    free(band);
    free(sentence);
    free(data);
    return status;
}
