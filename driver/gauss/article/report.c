/* reckon gauss --article as a table with words below, as JSON and as CSV. */
#include "report.h"

#include "common/memory.h"
#include "common/text.h"
#include "gauss/pairs/report.h"
#include "gauss/report.h"

#include <math.h>
#include <stdlib.h>

#define TEXT_COLUMNS 80

static json_t *json_perls(const struct perls *perls)
{
    json_t *array = json_array();
    for (size_t i = 0; i < perls->count; i++)
        json_array_append_new(array, json_pack("{s:o, s:o}", "path", output_json_text(perls->perl[i].path),
                                               "about", output_json_text(perls->perl[i].about)));
    return array;
}

static void print_json(const struct answer *answer, char *const *words, size_t count, struct output *output)
{
    json_t *experiments = json_object(), *follows = json_array();
    for (enum experiment i = 0; i < EXPERIMENTS; i++)
        json_object_set_new(experiments, answer_experiment_name(i),
                            answer->experiment[i].pairs ? comparison_json(&answer->experiment[i], NULL) : json_null());
    for (size_t i = 0; i < count; i++)
        json_array_append_new(follows, output_json_text(words[i]));
    json_t *then = json_pack("{s:[f,f], s:[f,f], s:f}", "a_s", answer_then_a[0], answer_then_a[1],
                             "b_s", answer_then_b[0], answer_then_b[1], "ratio", answer_then_ratio());
    output_json(output, json_pack("{s:i, s:o, s:o, s:o, s:o, s:f}", "version", 1, "article", then,
                                  "perls", json_perls(&answer->perls), "experiments", experiments, "follows", follows,
                                  "elapsed_s", answer->elapsed));
}

static const struct output_column columns[] = {
    { "experiment", false }, { "A s", true }, { "B s", true }, { "B/A", true }, { "95 %", false },
    { "transport ms", true }, { "B is", false },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void add_row(struct output_table *table, const struct answer *answer, enum experiment i)
{
    const struct comparison *comparison = &answer->experiment[i];
    const struct statistics_interval *ratio = &comparison->ratios[comparison->basis];
    output_table_take(table, (char *[]){
        memory_strdup(answer_experiment_text(i)),
        memory_format("%.4f", comparison_wall(comparison, false)),
        memory_format("%.4f", comparison_wall(comparison, true)),
        memory_format("%.3f", ratio->median),
        isnan(ratio->lower) ? memory_strdup("") : memory_format("[%.3f, %.3f]", ratio->lower, ratio->upper),
        memory_format("%.2f", comparison->transport * 1e3), memory_strdup(statistics_verdict_name(comparison->verdict)) });
}

static void print_table(const struct answer *answer, struct output *output)
{
    struct output_table *table = output_table_new(columns, COLUMNS);
    output_table_take(table, (char *[]){
        memory_strdup("the article, 2009"), memory_format("%.2f", (answer_then_a[0] + answer_then_a[1]) / ANSWER_RUNS),
        memory_format("%.2f", (answer_then_b[0] + answer_then_b[1]) / ANSWER_RUNS), memory_format("%.3f", answer_then_ratio()),
        memory_strdup(""), memory_strdup(""), memory_strdup("faster") });
    for (enum experiment i = 0; i < EXPERIMENTS; i++)
        if (answer->experiment[i].pairs)
            add_row(table, answer, i);
    output_table_print(table, output);
    output_table_free(table);
}

static void print_people(const struct answer *answer, char *const *words, size_t count, struct output *output)
{
    fputs("A draws normal variates and counts them in bins, B does it as a server on the\n"
          "same machine: 20 million then, fewer now, in pairs.\n\n", output->stream);
    print_table(answer, output);
    for (size_t i = 0; i < count; i++) {
        char *wrapped = text_wrap(words[i], TEXT_COLUMNS);
        fprintf(output->stream, "\n%s", wrapped);
        free(wrapped);
    }
    for (enum experiment i = 0; i < EXPERIMENTS; i++)
        if (answer->experiment[i].pairs)
            comparison_warn(&answer->experiment[i], answer_experiment_text(i), output);
    fprintf(output->stream, "\nIt took %.0f s.\n", answer->elapsed);
}

void answer_print(const struct answer *answer, struct output *output)
{
    size_t count;
    char **words = answer_words(answer, &count);
    if (output->format == OUTPUT_JSON)
        print_json(answer, words, count, output);
    else if (output->format == OUTPUT_CSV)
        print_table(answer, output);
    else
        print_people(answer, words, count, output);
    for (size_t i = 0; i < count; i++)
        free(words[i]);
    free(words);
}
