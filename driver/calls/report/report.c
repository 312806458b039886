/* Measurements as text for people, JSON and CSV. */
#include "report.h"

#include "calls/words.h"
#include "common/memory.h"
#include "common/text.h"
#include "files.h"
#include "groups.h"
#include "prometheus.h"
#include "rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

char *report_ending(int status)
{
    if (WIFSIGNALED(status))
        return memory_format("signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    return memory_format("exit status %d", WEXITSTATUS(status));
}

static void print_rows(struct output *output, const struct measurement *result, enum rows_kind kind)
{
    static const char *const titles[] = { [ROWS_LIBRARY] = "library calls", [ROWS_SYSTEM] = "system calls",
                                          [ROWS_LIBRARY_ERRORS] = "errors of library calls",
                                          [ROWS_SYSTEM_ERRORS] = "errors of system calls",
                                          [ROWS_CALLERS] = "library calls by caller" };
    const struct count_list *list = rows_list(result, kind);
    if (!list->count)
        return;
    fprintf(output->stream, "%s%s", output_color(output, COLOR_HEADING), titles[kind]);
    if (result->processes > 1)
        fprintf(output->stream, " of %" PRIu64 " processes", result->processes);
    if (result->interval_s > 0)
        fprintf(output->stream, ", in %.3g s", result->interval_s);
    if (result->flags & COUNTERS_TIME && kind <= ROWS_SYSTEM)
        fprintf(output->stream, ", wall time");
    fprintf(output->stream, "%s\n", output_color(output, COLOR_NONE));
    rows_print(output, result, kind);
    if (kind == ROWS_SYSTEM && result->startup_known)
        fprintf(output->stream, "%" PRIu64 " of them by program start (execve to the end of the loader), "
                "%" PRIu64 " by the program\n", result->startup, counts_total(list).calls - result->startup);
    fprintf(output->stream, "\n");
}

void report_uncounted(struct output *output, const char *where, const char *text)
{
    char *shown = text_printable(text);
    fprintf(output->stream, "%suncounted%s%s%s: %s\n", output_color(output, COLOR_WARNING), where ? " in " : "",
            where ? where : "", output_color(output, COLOR_NONE), shown);
    free(shown);
}

void report_tables(struct output *output, const struct measurement *result)
{
    print_rows(output, result, result->by_errno ? ROWS_LIBRARY_ERRORS : ROWS_LIBRARY);
    print_rows(output, result, result->by_errno ? ROWS_SYSTEM_ERRORS : ROWS_SYSTEM);
    if (result->by_errno && (result->library.count || result->system.count) && !result->library_errors.count &&
        !result->system_errors.count)
        fprintf(output->stream, "no errors\n");
    if (!result->library.count && !result->system.count && !result->uncounted_count)
        fprintf(output->stream, "no calls\n");
    if (result->flags & COUNTERS_CALLERS)
        print_rows(output, result, ROWS_CALLERS);
    report_groups_print(output, result);
    report_files_print(output, result);
    for (size_t i = 0; i < result->uncounted_count; i++)
        report_uncounted(output, NULL, result->uncounted[i]);
}

void report_run(struct output *output, const struct measurement *result)
{
    if (output->format == OUTPUT_JSON)
        output_json(output, report_json(result, true));
    else if (output->format == OUTPUT_CSV)
        report_csv(output, result, NULL, 1);
    else if (output->format == OUTPUT_PROMETHEUS)
        prometheus_print(output, result, NULL, 1);
    else
        report_tables(output, result);
}

static json_t *json_rows(const struct measurement *result, enum rows_kind kind)
{
    struct records records = rows_records(result, kind);
    return records_json(&records);
}

json_t *report_json(const struct measurement *result, bool version)
{
    bool killed = WIFSIGNALED(result->status);
    json_t *object = json_object(), *uncounted = json_array();
    for (size_t i = 0; i < result->uncounted_count; i++)
        json_array_append_new(uncounted, output_json_text(result->uncounted[i]));
    if (version)
        json_object_set_new(object, "version", json_integer(1));
    json_object_set_new(object, "command", output_json_texts(result->command));
    if (result->running)
        json_object_set_new(object, "running", json_true());
    else
        json_object_set_new(object, "exit", json_pack("{s:i}", killed ? "signal" : "status",
                            killed ? WTERMSIG(result->status) : WEXITSTATUS(result->status)));
    if (result->interval_s > 0)
        json_object_set_new(object, "interval_s", json_real(result->interval_s));
    json_object_set_new(object, "processes", json_integer((json_int_t)result->processes));
    json_object_set_new(object, "level", json_string(measure_level(result->flags)));
    json_object_set_new(object, "whole", json_boolean(result->flags & COUNTERS_WHOLE));
    json_object_set_new(object, "library_calls", json_rows(result, ROWS_LIBRARY));
    json_object_set_new(object, "system_calls", json_rows(result, ROWS_SYSTEM));
    report_groups_json(object, result);
    report_files_json(object, result);
    if (result->by_errno) {
        json_object_set_new(object, "library_errors", json_rows(result, ROWS_LIBRARY_ERRORS));
        json_object_set_new(object, "system_errors", json_rows(result, ROWS_SYSTEM_ERRORS));
    }
    if (result->startup_known)
        json_object_set_new(object, "startup_system_calls", json_integer((json_int_t)result->startup));
    json_object_set_new(object, "uncounted", uncounted);
    return object;
}

void report_csv(struct output *output, const struct measurement *results, const size_t *files, size_t count)
{
    static const char *const names[] = { "files", "command", "kind" }, *const kinds[] = { "library", "system" };
    size_t first = files ? 0 : 1, columns = sizeof names / sizeof *names - first;
    int first_kind = results->by_errno ? ROWS_LIBRARY_ERRORS : ROWS_LIBRARY;
    struct records records = rows_records(results, first_kind);
    struct output_table *table = records_csv(&records, names + first, columns);
    for (size_t i = 0; i < count; i++) {
        char *number = memory_format("%zu", files ? files[i] : 0), *command = words_text(results[i].command);
        for (int kind = 0; kind < 2; kind++) {
            records = rows_records(&results[i], first_kind + kind);
            records_csv_add(table, &records, (const char *[]){ number, command, kinds[kind] } + first, columns);
        }
        if (results[i].flags & COUNTERS_PER_FILE && !results->by_errno)
            report_files_csv(table, &results[i], (const char *[]){ number, command, NULL } + first, columns);
        free(command);
        free(number);
    }
    output_table_print(table, output);
    output_table_free(table);
}
