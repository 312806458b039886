/* reckon compare: count several commands and set them side by side. */
#include "modes.h"

#include "calls/measure/interrupt.h"
#include "calls/report/columns.h"
#include "calls/report/groups.h"
#include "calls/report/latency.h"
#include "calls/report/report.h"
#include "calls/saved/reports.h"
#include "common/errors.h"
#include "common/memory.h"
#include "options.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char documentation[] =
    "Count several commands, one after the other, and set them side by side.\v"
    "A COMMAND that is the name of a file and ends in .json is a report of reckon run from before. Any other "
    "is one argument and is split into words as a shell would do it; one that holds any of |;&<>(){} or "
    "sets a variable is run, and counted, as sh -c COMMAND. Standard input and output of the commands are /dev/null. "
    "`-` stands for no call, the ratio is to the first command.\n\n"
    "Examples:\n"
    "  reckon compare 'ls -l' 'ls -1'\n"
    "  reckon compare --family=getxattr,lstat 'ls -l' 'ls -lZ' 'stat *'\n"
    "  reckon compare before.json 'grep -r x .' 'git grep x'";

static void tables(struct output *output, const struct calls_options *options, const struct measurement *results)
{
    enum { NAMES = 40 };   /* the columns of names and families */
    struct column *columns = memory_calloc(options->argument_count, sizeof *columns);
    for (size_t i = 0; i < options->argument_count; i++)
        columns[i].result = &results[i];
    columns_headings(output, columns, (const char *const *)options->arguments, options->argument_count, NAMES, 0);
    int first = options->by_errno ? ROWS_LIBRARY_ERRORS : ROWS_LIBRARY;
    for (int kind = first; kind <= first + 1; kind++) {
        struct columns_layout layout = { kind, options->order, !options->by_errno, false };
        columns_print(output, layout, columns, options->argument_count);
        layout.times = true;
        if (options->flags & COUNTERS_TIME && !options->by_errno)
            columns_print(output, layout, columns, options->argument_count);
    }
    columns_print(output, (struct columns_layout){ ROWS_CALLERS, options->order, false, false }, columns,
                  options->argument_count);
    for (size_t i = 0; i < options->argument_count; i++) {
        if (results[i].groups.count)
            fprintf(output->stream, "%s ", columns[i].heading);
        report_groups_print(output, &results[i]);
    }
    columns_files(output, columns, options->argument_count);
    columns_uncounted(output, columns, options->argument_count);
    columns_free(columns, options->argument_count);
}

static json_t *objects(const struct measurement *results, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, report_json(&results[i], false));
    return json_pack("{s:i, s:o}", "version", 1, "commands", array);
}

static int report(const struct calls_options *options, const struct measurement *results)
{
    struct output output;
    int failure = 0;
    if (options->common.plot && latency_plot(options->common.plot, results, options->argument_count))
        failure = EXIT_OURS;
    if (output_open(&output, options->common.output, options->common.format))
        return EXIT_OURS;
    if (output.format == OUTPUT_JSON)
        output_json(&output, objects(results, options->argument_count));
    else if (output.format == OUTPUT_CSV)
        report_csv(&output, results, NULL, options->argument_count);
    else
        tables(&output, options, results);
    return output_close(&output) ? EXIT_OURS : failure;
}

/* A report from before stands in place of a command. */
static bool is_report(const char *text)
{
    static const char ending[] = ".json";
    struct stat status;
    size_t length = strlen(text);
    return length >= strlen(ending) && !strcmp(text + length - strlen(ending), ending) && !stat(text, &status) &&
           S_ISREG(status.st_mode);
}

/* Read the reports, in saved[] at the places of their names, before anything runs: commands are counted in the way in
 * which all of these were. */
static int read_reports(struct calls_options *options, struct reports *saved)
{
    bool settled = false;
    for (size_t i = 0; i < options->argument_count; i++) {
        const char *path = options->arguments[i];
        if (!is_report(path))
            continue;
        saved[i].who = "compare";
        if (reports_read_one(&saved[i], path) || reports_settle(&saved[i], path, settled, &options->flags))
            return EXIT_OURS;
        settled = true;
    }
    return 0;
}

/* Count one of the commands; its words live as long as its result. */
static int count_one(const struct calls_options *options, const char *text, struct measurement *result)
{
    char **words = words_command(text);
    if (!words) {
        errors_say("compare: an empty command");
        return EXIT_OURS;
    }
    int failure = measure(&(struct launch){ .argv = words, .quiet = true }, calls_options_flags(options), result);
    result->command = words;
    if (!failure)
        measure_warn(result);
    calls_options_apply(options, result);
    return failure;
}

/* Count the commands, and take what was counted before for those that are reports. */
static int count_all(const struct calls_options *options, const struct reports *saved, struct measurement *results)
{
    int failure = 0;
    interrupt_begin();
    for (size_t i = 0; i < options->argument_count && !failure && !interrupt_noted(); i++) {
        if (saved[i].files) {
            results[i] = saved[i].sum;
            calls_options_apply(options, &results[i]);
        } else {
            failure = count_one(options, options->arguments[i], &results[i]);
        }
    }
    interrupt_end();
    return failure;
}

int compare_mode(int argc, char **argv)
{
    struct calls_options options = { 0 };
    calls_options_parse(&options, argc, argv, 0, "'COMMAND A' 'COMMAND B' ...", documentation);
    if (options_check_files(&options.common))
        return EXIT_OURS;
    struct measurement *results = memory_calloc(options.argument_count, sizeof *results);
    struct reports *saved = memory_calloc(options.argument_count, sizeof *saved);
    int failure = read_reports(&options, saved);
    if (!failure)
        failure = count_all(&options, saved, results);
    int signal = interrupt_noted();
    if (!failure && !signal)
        failure = report(&options, results);
    for (size_t i = 0; i < options.argument_count; i++) {
        if (results[i].command && saved[i].files)
            saved[i].sum = results[i];
        else
            words_free(results[i].command);
        if (!saved[i].files)
            measure_free(&results[i]);
        reports_free(&saved[i]);
    }
    free(saved);
    free(results);
    if (signal)
        interrupt_die(signal);
    return failure;
}
