/* reckon rump: from the request to the study, and from the study to the report. */
#include "mode.h"

#include "common/errors.h"
#include "common/memory.h"
#include "display.h"
#include "display_json.h"
#include "memory.h"
#include "peers.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

enum {
    DIGITS = 40,           /* certified unless asked for otherwise */
    PLOTTED = 256,         /* bits up to which a plot goes without a sweep */
    WIDEST_EXTRA = 65536,  /* the threshold is shown as a format of its own up to so many bits */
};

/* Constants and inputs as a C program reads them: the nearest binary64. False after saying which one has none. */
static bool round_to_binary64(struct expression *expression)
{
    const struct format *format = arithmetic_formats;
    while (strcmp(format->name, "binary64"))
        format++;
    struct evaluation evaluation = evaluate(expression, arithmetic_emulated(*format, MPFR_RNDN));
    bool good = true;
    for (int i = 0; i < expression->count && good; i++) {
        struct node *node = expression->node + i;
        if (node->operands)
            continue;
        good = mpfr_number_p(evaluation.value[i].real);
        if (good)
            mpfr_get_q(node->value, evaluation.value[i].real);
        else
            errors_say("rump: %s: outside the range of binary64", node->text);
    }
    evaluation_free(&evaluation);
    return good;
}

static bool assign(const struct request *request, const struct input *input, struct expression *expression)
{
    mpq_t value;
    mpq_init(value);
    const char *wrong = number_read(input->text, value);
    char *shown = words_shorten(input->text, 60);
    if (wrong)
        errors_say("rump: %s: '%s': %s", input->name, shown, wrong);
    else if (!expression_assign(expression, input->name, value) && !request->defaults) {
        wrong = "unknown";
        errors_say("rump: %s: the expression has no such variable", input->name);
    }
    free(shown);
    mpq_clear(value);
    return !wrong;
}

/* Parse the expression and give its variables their values; false after saying what is wrong. */
static bool prepare(const struct request *request, struct expression *expression)
{
    char *wrong = expression_parse(expression, request->expression ? request->expression : request->order->text);
    if (wrong) {
        errors_say("rump: expression: %s", wrong);
        free(wrong);
        return false;
    }
    bool good = true;
    for (size_t i = 0; i < request->inputs && good; i++)
        good = assign(request, request->input + i, expression);
    for (int i = 0; i < expression->count && good; i++) {
        struct node *node = expression->node + i;
        good = node->operation != VARIABLE || node->assigned;
        if (!good)
            errors_say("rump: %s: the variable has no value: add %s=NUMBER", node->text, node->text);
    }
    if (good && request->binary64)
        good = round_to_binary64(expression);
    if (!good)
        expression_free(expression);
    return good;
}

/* Bits of the widest number to judge, or to draw. */
static long reach(const struct request *request, const struct study *study)
{
    long widest = request->from ? request->to : request->precision, threshold = study->trace.exact_from;
    widest = widest > PLOTTED ? widest : PLOTTED;
    return threshold <= WIDEST_EXTRA && threshold + PLOTTED / 4 > widest ? threshold + PLOTTED / 4 : widest;
}

/* The formats that were asked for, or the usual ones and the precisions on both sides of the threshold. */
static void add_rows(const struct request *request, struct study *study)
{
    long threshold = study->trace.exact_from, from = PLOTTED, to = PLOTTED;
    if (threshold > 1 && threshold <= WIDEST_EXTRA) {
        from = threshold - 1;
        to = threshold;
    }
    if (request->from || request->precision) {
        from = request->from ? request->from : request->precision;
        to = request->from ? request->to : request->precision;
    } else {
        for (const struct format *format = arithmetic_formats; format->name; format++)
            study_add(study, *format, request->rounding);
    }
    for (long precision = from; precision <= to; precision++)
        study_add_precision(study, precision, request->rounding);
}

/* The picture: the sweep that was asked for, or one that goes well beyond the threshold. */
static int plot(const struct request *request, struct study *study)
{
    long from = request->from ? request->from : 1, to = request->from ? request->to : reach(request, study);
    for (long precision = from; precision <= to; precision++)
        study_add_precision(study, precision, request->rounding);
    int status = display_plot(request, study);
    study_clear(study);
    return status;
}

static void write_report(const struct request *request, struct study *study, struct output *output)
{
    if (request->peers || request->article) {
        (request->peers ? peers_report : peers_article)(request, study, output);
        return;
    }
    if (!request->quiet || request->precision)
        add_rows(request, study);
    if (request->quiet)
        display_quiet(request, study, output->stream);
    else if (request->report.format == OUTPUT_JSON)
        output_json(output, display_json(request, study));
    else if (request->report.format == OUTPUT_CSV)
        display_csv(request, study, output);
    else
        display_table(request, study, output);
}

/* Everything is written to memory first: whatever goes wrong on the way, standard output stays empty. */
static int report(const struct request *request, struct study *study)
{
    char *text = NULL;
    size_t size = 0;
    struct output draft = { .stream = open_memstream(&text, &size), .format = request->report.format }, output;
    draft.color = request->report.format == OUTPUT_TABLE && color_wanted(output_terminal(request->report.output));
    if (!draft.stream) {
        errors_say("out of memory");
        return EXIT_OURS;
    }
    write_report(request, study, &draft);
    fclose(draft.stream);
    int status = output_open(&output, request->report.output, request->report.format);
    if (!status) {
        fwrite(text, 1, size, output.stream);
        status = output_close(&output);
    }
    free(text);
    return status ? EXIT_OURS : 0;
}

static int run(const struct request *request, const struct expression *expression)
{
    struct study study;
    int status = EXIT_USAGE;
    char *wrong = study_open(&study, expression, request->digits ? (size_t)request->digits : DIGITS);
    if (wrong) {
        errors_say("rump: %s", wrong);
        free(wrong);
        return status;
    }
    wrong = study_reference(&study, reach(request, &study));
    if (!wrong && !study.fraction && (request->exact || request->trace))
        wrong = memory_strdup("the exact fraction is too large to be computed");
    if (wrong)
        errors_say("rump: %s", wrong);
    else
        status = request->report.plot && plot(request, &study) ? EXIT_OURS : report(request, &study);
    free(wrong);
    study_close(&study);
    return status;
}

int rump_mode(int argc, char **argv)
{
    struct request request;
    struct expression expression;
    int status = EXIT_USAGE;
    memory_limit(memory_half());
    if (request_parse(&request, argc, argv) && prepare(&request, &expression)) {
        status = run(&request, &expression);
        expression_free(&expression);
    }
    request_free(&request);
    mpfr_free_cache();
    return status;
}
