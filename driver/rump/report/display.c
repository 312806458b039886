/* What was found out about an expression, as tables, CSV, plain text or a picture. */
#include "display.h"

#include "common/memory.h"
#include "common/plot.h"
#include "common/text.h"
#include "rump/study/advice.h"
#include "words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns of the screen that the other columns of a table take, and the least that is left for values. */
enum { FORMAT_OTHERS = 40, SWEEP_OTHERS = 36, TRACE_OTHERS = 54, LEAST = 12 };

/* As wide as the labels of the findings. */
#define INDENT "           "

static size_t room(const struct output *output, int others)
{
    int left = output_width(output) - others;
    return left > LEAST ? (size_t)left : LEAST;
}

/* A row's value in so many columns: where digits are left out, two dots say so, and the exponent stays. */
static char *fit_value(const struct row *row, size_t width)
{
    char *text = memory_strdup(row->value);
    for (size_t digits = width; strlen(text) > width; digits--) {
        struct decimal decimal = decimal_of_real(row->number, digits, MPFR_RNDZ);
        char *cut = decimal_text(decimal), *exponent = strchrnul(cut, 'e');
        free(text);
        text = memory_format("%.*s..%s", (int)(exponent - cut), cut, exponent);
        free(cut);
        free(decimal.digits);
    }
    return text;
}

static char *fit_hexadecimal(const struct row *row, size_t width)
{
    const char *text = row->hexadecimal, *exponent = strchrnul(text, 'p');
    if (strlen(text) <= width)
        return memory_strdup(text);
    return memory_format("%.*s..%s", (int)(width - strlen(exponent)) - 2, text, exponent);
}

static char *ulps_text(double ulps)
{
    if (isinf(ulps))
        return memory_strdup(">1e308");
    return isnan(ulps) ? memory_strdup("-") : memory_format(ulps < 1e4 ? "%.2f" : "%.1e", ulps);
}

static struct output_table *new_table(size_t count, const char *const *names, const char *align)
{
    struct output_column columns[12];
    for (size_t i = 0; i < count; i++)
        columns[i] = (struct output_column){ names[i], align[i] == 'r' };
    struct output_table *table = output_table_new(columns, count);
    output_table_rule(table);
    return table;
}

/* A row of new strings, which are freed. */
static void add_row(struct output_table *table, size_t count, char **cells)
{
    output_table_row(table, (const char *const *)cells);
    for (size_t i = 0; i < count; i++)
        free(cells[i]);
}

static void print_table(struct output_table *table, struct output *output)
{
    output_table_print(table, output);
    output_table_free(table);
}

static char *verdict_text(const struct row *row)
{
    return memory_strdup(judge_verdict(row->judgement.verdict));
}

static void print_formats(const struct study *study, struct output *output)
{
    static const char *const names[] = { "format", "value, decimal and hexadecimal", "digits", "ulps off", "verdict" };
    struct output_table *table = new_table(5, names, "llrrl");
    for (size_t i = 0; i < study->rows; i++) {
        const struct row *row = study->row + i;
        char *value = row->cause ? memory_format("%s (%.30s)", row->value, row->cause)
                                 : fit_value(row, room(output, FORMAT_OTHERS));
        add_row(table, 5, (char *[]){ memory_strdup(row->name), value,
                memory_format("%ld", row->judgement.correct_digits), ulps_text(row->judgement.ulps),
                verdict_text(row) });
        if (mpfr_regular_p(row->number))
            add_row(table, 5, (char *[]){ NULL, fit_hexadecimal(row, room(output, FORMAT_OTHERS)), NULL, NULL, NULL });
    }
    print_table(table, output);
}

static void print_sweep(const struct study *study, struct output *output)
{
    static const char *const names[] = { "bits", "value", "digits", "ulps off", "class" };
    struct output_table *table = new_table(5, names, "rlrrl");
    for (size_t i = 0; i < study->rows; i++) {
        const struct row *row = study->row + i;
        add_row(table, 5, (char *[]){ memory_format("%ld", (long)row->format.precision),
                fit_value(row, room(output, SWEEP_OTHERS)), memory_format("%ld", row->judgement.correct_digits),
                ulps_text(row->judgement.ulps), memory_strdup(row->class) });
    }
    print_table(table, output);
    long from = study_right_from(study);
    fprintf(output->stream, from ? "\nRight from %ld bits on.\n" : "\nNot right at the last precision.\n", from);
}

static void print_trace(const struct study *study, struct output *output)
{
    static const char *const names[] = { "operation", "value", "exponent", "cancels", "needs bits", "condition" };
    bool people = output->format == OUTPUT_TABLE;
    struct output_table *table = new_table(6, names, "llrrrl");
    for (int i = 0; i < study->trace.count; i++) {
        const struct step *step = study->trace.step + i;
        if (!study->expression->node[step->node].operands)
            continue;
        char *operation = words_operation(study, step), *condition = words_condition(step->condition);
        struct decimal decimal = decimal_of_real(step->value, 6, MPFR_RNDN);
        bool marked = step == study->trace.worst && people;
        add_row(table, 6, (char *[]){ words_shorten(operation, people ? room(output, TRACE_OTHERS) : strlen(operation)), decimal_text(decimal),
                step->known || step->zero ? memory_format("%ld", step->exponent) : memory_strdup("?"),
                step->cancels_all ? memory_strdup("all") : memory_format(step->cancelled ? "%ld" : "-", step->cancelled),
                memory_format(step->needed ? "%ld" : "no end", step->needed),
                memory_format(marked ? "%s <--" : "%s", condition) });
        free(operation);
        free(condition);
        free(decimal.digits);
    }
    print_table(table, output);
    if (!people)
        return;
    fputc('\n', output->stream);
    output_text(output, "", "Exponent e: 2^(e-1) <= |value| < 2^e. Cancels: leading bits lost by an addition. Needs bits: "
                "with that many it is computed exactly; no end: never. Condition: by how much more than its operands the "
                "result may be off; <-- loses most.");
}

static void print_certified(const struct study *study, bool whole, struct output *output)
{
    enum { ENDS = 50 };
    const struct certificate *certificate = &study->certificate;
    size_t digits = strlen(certificate->value.digits) - (*certificate->value.digits == '-');
    char *value = decimal_text(certificate->value), *fraction = words_fraction(study, whole);
    fprintf(output->stream, "Certified  %s\n", value);
    if (digits < ENDS) {  /* else the ends of the enclosure are long lines */
        struct bounds bounds = words_bounds(certificate);
        fprintf(output->stream, "  between  %s\n      and  %s\n", bounds.lower, bounds.upper);
        free(bounds.lower);
        free(bounds.upper);
    }
    char *proof = memory_format("%zu digits, %s %ld bit%s", digits,
                                certificate->from_fraction ? "from the fraction, enclosed in"
                                                           : "proved by an enclosure computed in",
                                (long)certificate->precision, certificate->precision > 1 ? "s" : "");
    output_text(output, INDENT, proof);
    fprintf(output->stream, "Exactly    %s\n", fraction ? fraction
            : expression_is_rational(study->expression) ? "(a fraction too large to be computed)" : "(no fraction is known)");
    free(proof);
    free(value);
    free(fraction);
}

/* Why so many bits are needed. */
static char *why_text(const struct study *study)
{
    char *cancels = words_cancels(study), *text = memory_strdup(cancels ? cancels : "no operation cancels any bits");
    free(cancels);
    if (!study->claim.precision || study->claim.needs < 0 || !study->expression->node[study->claim.needs].operands)
        return text;
    char *name = expression_text(study->expression, study->claim.needs, false), *shown = words_shorten(name, 40);
    long bits = claim_bits(study->exact.value[study->claim.needs].rational);
    char *longer = memory_format("%s; %s needs %ld bit%s to be exact", text, shown, bits, bits > 1 ? "s" : "");
    free(name);
    free(shown);
    free(text);
    return longer;
}

static char *condition_text(const struct study *study)
{
    const struct trace *trace = &study->trace;
    char *condition = words_condition(trace->condition), *text = memory_format("%s of the whole", condition);
    free(condition);
    if (!trace->worst)
        return text;
    char *name = expression_text(study->expression, trace->worst->node, false), *shown = words_shorten(name, 30);
    char *alone = words_condition(trace->worst->condition), *longer = memory_format("%s; %s alone: %s", text, shown, alone);
    free(name);
    free(shown);
    free(alone);
    free(text);
    return longer;
}

/* How much precision one has to set, and why. */
static void print_diagnosis(const struct study *study, struct output *output)
{
    const struct { const char *label; char *text; } parts[] = {
        { "Why        ", why_text(study) }, { "Condition  ", condition_text(study) },
        { "Precision  ", words_claim(study) }, { "Instead    ", advice_of(study->expression, &study->trace) },
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].text)
            output_text(output, parts[i].label, parts[i].text);
        free(parts[i].text);
    }
}

/* Append a piece to a line of text, or begin a new line, indented, where it does not fit; takes the piece. */
static void flow(struct output *output, size_t *column, int indent, const char *separator, char *piece)
{
    size_t length = strlen(piece);
    if (*column && *column + strlen(separator) + length > (size_t)output_line(output) - 1) {
        *column = (size_t)fprintf(output->stream, "%.1s\n%*s", *separator == ' ' ? "" : separator, indent, "") - 1;
        separator = "";
    }
    *column += (size_t)fprintf(output->stream, "%s%s", *column ? separator : "", piece);
    free(piece);
}

static void print_warning(const struct study *study, struct output *output)
{
    bool *member = memory_calloc(study->rows, sizeof *member);
    size_t left = study_agreement(study, member), column = left ? 11 : 0;
    const char *separator = "";
    if (left)
        fprintf(output->stream, "%sWarning%s    ", output_color(output, COLOR_WARNING), output_color(output, COLOR_NONE));
    for (size_t i = 0; i < study->rows; i++) {
        if (!member[i])
            continue;
        flow(output, &column, 11, separator, memory_strdup(study->row[i].name));
        separator = --left == 1 ? " and " : ", ";
    }
    if (column) {
        flow(output, &column, 11, " ", memory_strdup("agree and are wrong:"));
        fputc('\n', output->stream);
        output_text(output, INDENT, "agreement between precisions proves nothing");
    }
    free(member);
}

/* What is evaluated, where, and how. */
static void print_heading(const struct request *request, struct output *output)
{
    const char *at = request->expression ? request->expression : request->order->text;
    size_t column = 0;
    while (*at) {
        int length = (int)strcspn(at, ";");
        length += at[length] == ';';
        flow(output, &column, 0, " ", memory_format("%.*s", length, at));
        at += length;
        at += strspn(at, " ");
    }
    column = (size_t)fprintf(output->stream, request->inputs ? "\nat " : "\n") - 1;
    for (size_t i = 0; i < request->inputs; i++) {
        char *text = words_shorten(request->input[i].text, 40);
        flow(output, &column, 3, i ? ", " : "", memory_format("%s = %s", request->input[i].name, text));
        free(text);
    }
    if (!request->expression)
        flow(output, &column, 3, "; ", memory_format("order \"%s\"", request->order->name));
    flow(output, &column, 3, ", ", memory_format("rounding: %s", request_rounding(request->rounding)));
    fputs("\n\n", output->stream);
}

void display_table(const struct request *request, const struct study *study, struct output *output)
{
    if (request->trace) {
        print_trace(study, output);
    } else if (request->from) {
        print_sweep(study, output);
    } else {
        print_heading(request, output);
        print_formats(study, output);
        fputc('\n', output->stream);
        print_warning(study, output);
        print_certified(study, request->exact, output);
        print_diagnosis(study, output);
    }
}

void display_csv(const struct request *request, const struct study *study, struct output *output)
{
    static const char *const names[] = { "name", "precision", "rounding", "order", "value", "hex", "correct_digits",
                                         "ulps", "verdict", "class" };
    if (request->trace) {
        print_trace(study, output);
        return;
    }
    struct output_table *table = new_table(10, names, "llllllllll");
    for (size_t i = 0; i < study->rows; i++) {
        const struct row *row = study->row + i;
        add_row(table, 10, (char *[]){ memory_strdup(row->name), memory_format("%ld", (long)row->format.precision),
                memory_strdup(request_rounding(row->rounding)),
                memory_strdup(request->expression ? "" : request->order->name), memory_strdup(row->value),
                memory_strdup(row->hexadecimal), memory_format("%ld", row->judgement.correct_digits),
                isfinite(row->judgement.ulps) ? memory_format("%.17g", row->judgement.ulps) : memory_strdup(""),
                verdict_text(row), memory_strdup(row->class) });
    }
    print_table(table, output);
}

void display_quiet(const struct request *request, const struct study *study, FILE *stream)
{
    char *text = request->exact ? words_fraction(study, true)
                 : study->rows == 1 ? memory_strdup(study->row->value) : decimal_text(study->certificate.value);
    fputs(text, stream);
    fputc('\n', stream);
    free(text);
}

/* One line per row: precision, relative error, and the number of the class. Exact results have no error that a logarithm
 * could show: they stand where the smallest one of their precision would, in a class of their own. */
static char *plot_data(const struct study *study)
{
    static const char *const classes[] = { "right", "plausible", "huge", "zero", "other" };
    enum { EXACT = sizeof classes / sizeof *classes };
    char *data = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&data, &size);
    for (size_t i = 0; stream && i < study->rows; i++) {
        const struct row *row = study->row + i;
        mpfr_t error;
        int class = 0;
        while (strcmp(classes[class], row->class))
            class++;
        bool exact = mpfr_equal_p(study->reference, row->number);
        mpfr_init2(error, 64);
        mpfr_reldiff(error, study->reference, row->number, MPFR_RNDN);
        mpfr_abs(error, error, MPFR_RNDN);
        mpfr_log10(error, error, MPFR_RNDN);
        if (exact || mpfr_number_p(error))
            fprintf(stream, "%ld %.6g %d\n", (long)row->format.precision,
                    exact ? -log10(2) * (double)row->format.precision : mpfr_get_d(error, MPFR_RNDN), exact ? EXACT : class);
        mpfr_clear(error);
    }
    if (stream)
        fclose(stream);
    return data ? data : memory_strdup("");
}

int display_plot(const struct request *request, const struct study *study)
{
    char *data = plot_data(study);
    char *title = words_shorten(request->expression ? request->expression : "Rump's expression", 60);
    for (char *at = title; *at; at++)
        *at = *at == '"' || *at == '\\' || *at == '\n' ? ' ' : *at;
    char *script = memory_format(
        "set title \"%s: how far off is each precision?\" noenhanced\n"
        "set xlabel 'precision, bits'\nset ylabel 'relative error, power of ten'\n"
        "set key outside right top\nset border 3\nset tics nomirror\nset autoscale xfixmax\n"
        "set arrow from graph 0, first 0 to graph 1, first 0 nohead dt 2 lc rgb '#888888'\n"
        "do for [i=1:4] { bits = int(word('24 53 64 113', i)); name = word('binary32 binary64 x87 binary128', i)\n"
        "set arrow from bits, graph 0 to bits, graph 1 nohead lc rgb '#cccccc' back\n"
        "set label name at bits, graph 0.02 rotate offset 0.6, 0 tc rgb '#888888' font ',9' }\n"
        "plot for [k=0:5] $data using 1:($3 == k ? $2 : NaN) with points pt int(word('7 5 9 11 2 6', k+1)) ps 0.6 "
        "lc rgb word('#1b7837 #d6604d #4d4d4d #b2abd2 #f1a340 #1b7837', k+1) "
        "title word('right plausible huge zero other exact', k+1)\n",
        title);
    int status = plot_write(request->report.plot, script, data);
    free(data);
    free(title);
    free(script);
    return status;
}
