/* reckon rump: from the request to the study, and from the study to the report. */
#include "mode.h"

#include "common/errors.h"
#include "common/memory.h"
#include "common/output_json.h"
#include "formula/parse.h"
#include "memory.h"
#include "report/box.h"
#include "report/display.h"
#include "report/json.h"
#include "report/peers.h"
#include "report/words.h"

#include <stdlib.h>
#include <string.h>

enum {
    DIGITS = 40,           /* certified unless asked for otherwise */
    BOX_DIGITS = 16,       /* of a range's ends */
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

/* Read an input, which may be one of two ends, into `value`; false after saying what is wrong. */
static bool read_input(const struct input *input, const char *text, mpq_t value)
{
    const char *wrong = number_read(text, value);
    char *shown = words_shorten(text, 60);
    if (wrong)
        errors_say("rump: %s: '%s': %s", input->name, shown, wrong);
    free(shown);
    return !wrong;
}

static bool assign(const struct input *input, struct expression *expression)
{
    mpq_t value;
    mpq_init(value);
    bool good = read_input(input, input->text, value);
    if (good && !expression_assign(expression, input->name, value)) {
        errors_say("rump: %s: the expression has no such variable", input->name);
        good = false;
    }
    mpq_clear(value);
    return good;
}

/* Parse the expression and give its variables their values; false after saying what is wrong. */
static bool prepare(const struct request *request, struct expression *expression)
{
    char *wrong = parse_expression(expression, request->expression ? request->expression : request->order->text);
    if (wrong) {
        errors_say("rump: expression: %s", wrong);
        free(wrong);
        return false;
    }
    bool good = true;
    for (size_t i = 0; i < request->inputs && good; i++)
        good = assign(request->input + i, expression);
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
    long widest = request->from ? request->to : request->precision, threshold = study_proved_from(study);
    widest = widest > PLOTTED ? widest : PLOTTED;
    return threshold <= WIDEST_EXTRA && threshold + PLOTTED / 4 > widest ? threshold + PLOTTED / 4 : widest;
}

/* The formats that were asked for, or the usual ones and the precisions on both sides of the threshold. */
static void add_rows(const struct request *request, struct study *study)
{
    long threshold = study_proved_from(study), from = PLOTTED, to = PLOTTED;
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

static void write_study(const struct request *request, void *found, struct output *output)
{
    struct study *study = found;
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

/* Write what `write` makes of `found`. Everything goes to memory first: whatever goes wrong on the way, standard output
 * stays empty. */
static int report(const struct request *request, void (*write)(const struct request *, void *, struct output *), void *found)
{
    char *text = NULL;
    size_t size = 0;
    const struct options *wanted = &request->report;
    struct output draft = { .stream = open_memstream(&text, &size), .format = wanted->format }, output;
    bool terminal = output_terminal(wanted->output);
    draft.color = wanted->format == OUTPUT_TABLE && color_wanted(terminal);
    draft.columns = output_width(&(struct output){ .stream = stdout, .terminal = terminal });
    if (!draft.stream) {
        errors_say("out of memory");
        return EXIT_OURS;
    }
    write(request, found, &draft);
    fclose(draft.stream);
    int status = output_open(&output, wanted->output, wanted->format);
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
    char *wrong = study_open(&study, expression, request->digits ? (size_t)request->digits : DIGITS, request->rounding);
    if (wrong) {
        errors_say("rump: %s", wrong);
        free(wrong);
        return status;
    }
    wrong = study_reference(&study, reach(request, &study));
    if (!wrong && !study.fraction && request->exact)
        wrong = memory_strdup(expression_is_rational(expression) ? "the exact fraction is too large to be computed"
                                                                 : "the value is no fraction that is known");
    if (wrong)
        errors_say("rump: %s", wrong);
    else
        status = request->report.plot && plot(request, &study) ? EXIT_OURS : report(request, write_study, &study);
    free(wrong);
    study_close(&study);
    return status;
}

static void write_range(const struct request *request, void *range, struct output *output)
{
    box_report(request, range, output);
}

/* Some inputs are ranges: the answer is one, too. */
static int run_box(const struct request *request, const struct expression *expression)
{
    struct side *side = memory_calloc(request->inputs, sizeof *side);
    size_t digits = request->digits ? (size_t)request->digits : BOX_DIGITS;
    bool good = true;
    for (size_t i = 0; i < request->inputs; i++) {
        const struct input *input = request->input + i;
        side[i].name = input->name;
        mpq_inits(side[i].lower, side[i].upper, NULL);
        good = good && read_input(input, input->text, side[i].lower) &&
               read_input(input, input->upper ? input->upper : input->text, side[i].upper);
        if (good && mpq_cmp(side[i].lower, side[i].upper) > 0) {
            errors_say("rump: %s: '%s..%s' ends before it begins", input->name, input->text, input->upper);
            good = false;
        }
    }
    int status = EXIT_USAGE;
    if (good) {
        struct range range = box_range(expression, side, request->inputs, (mpfr_prec_t)(3.33 * (double)digits) + 64);
        int node = range.undefined >= 0 ? range.undefined : range.uncertain;
        char *name = node >= 0 ? expression_text(expression, node, true) : NULL;
        if (name)
            errors_say("rump: %s is %sundefined somewhere in the box", name, range.undefined >= 0 ? "" : "perhaps ");
        else
            status = report(request, write_range, &range);
        free(name);
        range_free(&range);
    }
    for (size_t i = 0; i < request->inputs; i++)
        mpq_clears(side[i].lower, side[i].upper, NULL);
    free(side);
    return status;
}

int rump_mode(int argc, char **argv)
{
    struct request request;
    struct expression expression;
    int status = EXIT_USAGE;
    memory_limit(memory_half());
    if (request_parse(&request, argc, argv) && prepare(&request, &expression)) {
        status = (request.boxed ? run_box : run)(&request, &expression);
        expression_free(&expression);
    }
    request_free(&request);
    mpfr_free_cache();
    return status;
}
