/* Metrics: named, with base units and suffixes as Prometheus's naming rules have them (https://prometheus.io/docs/practices/naming),
 * written as its exposition format has them (https://prometheus.io/docs/instrumenting/exposition_formats). */
#include "prometheus.h"

#include "calls/words.h"
#include "common/memory.h"
#include "common/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "libcount_"

struct samples;

struct metric {
    const char *name, *type, *help;
    void (*add)(struct samples *to, const struct measurement *result, bool system);
    bool system;
};

/* Where the samples of one metric go, and what all of one result have before their own labels. */
struct samples {
    FILE *stream;
    const struct metric *metric;
    bool begun;                   /* there was one */
    char *common;                 /* command="ls -l",pid="4711" */
};

/* A label's value is any UTF-8 text, with backslash, quote and line end escaped. A new string. */
static char *label_value(const char *text)
{
    char *valid = text_utf8(text), *value = memory_calloc(2 * strlen(valid) + 1, 1), *out = value;
    for (const char *c = valid; *c; c++) {
        if (*c == '\\' || *c == '"' || *c == '\n')
            *out++ = '\\';
        *out++ = *c == '\n' ? 'n' : *c;
    }
    free(valid);
    return value;
}

/* The start of a sample: name, and labels as pairs of name and text that end with NULL; a label without text is left
 * out. The caller writes the value. Before the first one stands what the metric is. */
static void sample(struct samples *to, const char *suffix, ...)
{
    const struct metric *metric = to->metric;
    va_list labels;
    if (!to->begun)
        fprintf(to->stream, "# HELP " PREFIX "%s %s\n# TYPE " PREFIX "%s %s\n", metric->name, metric->help, metric->name,
                metric->type);
    to->begun = true;
    fprintf(to->stream, PREFIX "%s%s{%s", metric->name, suffix, to->common);
    va_start(labels, suffix);
    for (const char *name; (name = va_arg(labels, const char *));) {
        const char *text = va_arg(labels, const char *);
        if (!text)
            continue;
        char *value = label_value(text);
        fprintf(to->stream, ",%s=\"%s\"", name, value);
        free(value);
    }
    va_end(labels);
    fputs("} ", to->stream);
}

static void whole(struct samples *to, uint64_t value)
{
    fprintf(to->stream, "%" PRIu64 "\n", value);
}

static void seconds(struct samples *to, uint64_t ns)
{
    fprintf(to->stream, "%" PRIu64 ".%09" PRIu64 "\n", ns / 1000000000, ns % 1000000000);
}

static void processes(struct samples *to, const struct measurement *result, bool system)
{
    (void)system;
    sample(to, "", NULL);
    whole(to, result->processes);
}

static void running(struct samples *to, const struct measurement *result, bool system)
{
    (void)system;
    sample(to, "", NULL);
    whole(to, result->running);
}

static void status(struct samples *to, const struct measurement *result, bool system)
{
    (void)system;
    if (result->running)
        return;
    sample(to, "", NULL);
    whole(to, (uint64_t)launch_exit_status(result->status));
}

static void uncounted(struct samples *to, const struct measurement *result, bool system)
{
    (void)system;
    for (size_t i = 0; i < result->uncounted_count; i++) {
        sample(to, "", "reason", result->uncounted[i], NULL);
        whole(to, 1);
    }
}

static void startup(struct samples *to, const struct measurement *result, bool system)
{
    (void)system;
    if (!result->startup_known)
        return;
    sample(to, "", NULL);
    whole(to, result->startup);
}

static const struct count_list *rows_of(const struct measurement *result, bool system)
{
    return system ? &result->system : &result->library;
}

static void list_calls(struct samples *to, const char *program, const struct count_list *list)
{
    for (const struct count *row = list->row; row < list->row + list->count; row++) {
        sample(to, "", "program", program, "family", row->family, "name", row->name, NULL);
        whole(to, row->calls);
    }
}

/* Of rows whose errors were all seen; the others are told by `unseen`. */
static void list_errors(struct samples *to, const char *program, const struct count_list *list)
{
    for (const struct count *row = list->row; row < list->row + list->count; row++) {
        for (size_t i = 0; !row->unseen && i < row->errnos.count; i++) {
            sample(to, "", "program", program, "family", row->family, "name", row->name, "errno",
                   row->errnos.part[i].name, NULL);
            whole(to, row->errnos.part[i].count);
        }
    }
}

static void calls(struct samples *to, const struct measurement *result, bool system)
{
    list_calls(to, NULL, rows_of(result, system));
}

static void errors(struct samples *to, const struct measurement *result, bool system)
{
    list_errors(to, NULL, rows_of(result, system));
}

static void unseen(struct samples *to, const struct measurement *result, bool system)
{
    const struct count_list *list = rows_of(result, system);
    for (const struct count *row = list->row; row < list->row + list->count; row++) {
        if (!row->unseen)
            continue;
        sample(to, "", "family", row->family, "name", row->name, NULL);
        whole(to, 1);
    }
}

static void bytes(struct samples *to, const struct measurement *result, bool system)
{
    const struct count_list *list = rows_of(result, system);
    for (const struct count *row = list->row; row < list->row + list->count; row++) {
        if (!(result->flags & COUNTERS_BYTES) || !row->carries || row->unseen)
            continue;
        sample(to, "", "family", row->family, "name", row->name, NULL);
        whole(to, row->bytes);
    }
}

/* A summary: quantiles 0 and 1 are the shortest and the longest call. */
static void durations(struct samples *to, const struct measurement *result, bool system)
{
    const struct count_list *list = rows_of(result, system);
    for (const struct count *row = list->row; row < list->row + list->count; row++) {
        if (!(result->flags & COUNTERS_TIME))
            continue;
        const struct count_times *times = &row->times;
        const struct { const char *quantile; uint64_t ns; } quantiles[] = {
            { "0", times->minimum }, { "0.5", times->p50 }, { "0.99", times->p99 }, { "1", times->maximum },
        };
        for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
            sample(to, "", "family", row->family, "name", row->name, "quantile", quantiles[i].quantile, NULL);
            seconds(to, quantiles[i].ns);
        }
        sample(to, "_sum", "family", row->family, "name", row->name, NULL);
        seconds(to, times->total);
        sample(to, "_count", "family", row->family, "name", row->name, NULL);
        whole(to, row->calls);
    }
}

static void waited(struct samples *to, const struct measurement *result, bool system)
{
    const struct count_list *list = rows_of(result, system);
    for (const struct count *row = list->row; row < list->row + list->count; row++) {
        if (!row->times.waited)
            continue;
        sample(to, "", "family", row->family, "name", row->name, NULL);
        seconds(to, row->times.waited);
    }
}

static void callers(struct samples *to, const struct measurement *result, bool system)
{
    (void)system;
    for (const struct count *row = result->library.row; row < result->library.row + result->library.count; row++) {
        for (size_t i = 0; i < row->callers.count; i++) {
            sample(to, "", "family", row->family, "name", row->name, "caller", row->callers.part[i].name, NULL);
            whole(to, row->callers.part[i].count);
        }
    }
}

static void program_calls(struct samples *to, const struct measurement *result, bool system)
{
    for (size_t i = 0; result->flags & COUNTERS_BY_PROGRAM && i < result->groups.count; i++) {
        const struct count_group *group = &result->groups.group[i];
        list_calls(to, group->name, system ? &group->system : &group->library);
    }
}

static void program_errors(struct samples *to, const struct measurement *result, bool system)
{
    for (size_t i = 0; result->flags & COUNTERS_BY_PROGRAM && i < result->groups.count; i++) {
        const struct count_group *group = &result->groups.group[i];
        list_errors(to, group->name, system ? &group->system : &group->library);
    }
}

static const struct metric metrics[] = {
    { "processes", "gauge", "Processes in which calls were counted.", processes, false },
    { "running", "gauge", "Whether the command has not ended yet.", running, false },
    { "exit_status", "gauge", "Exit status of the command; 128 and the signal's number where one killed it.", status, false },
    { "uncounted", "gauge", "1 for each reason why calls are missing from the counts.", uncounted, false },
    { "library_calls_total", "counter", "Library calls.", calls, false },
    { "library_call_errors_total", "counter", "Library calls that failed.", errors, false },
    { "library_call_bytes_total", "counter", "Bytes that library calls read, wrote or sent.", bytes, false },
    { "library_call_duration_seconds", "summary", "Wall time of library calls.", durations, false },
    { "library_call_waiting_seconds_total", "counter", "Part of that in which they waited.", waited, false },
    { "library_calls_by_caller_total", "counter", "Library calls by the object that made them.", callers, false },
    { "program_library_calls_total", "counter", "Library calls of each program.", program_calls, false },
    { "program_library_call_errors_total", "counter", "Library calls of each program that failed.", program_errors, false },
    { "system_calls_total", "counter", "System calls.", calls, true },
    { "system_call_errors_total", "counter", "System calls that failed.", errors, true },
    { "system_call_errors_unseen", "gauge", "1 where how some of these calls ended was not seen.", unseen, true },
    { "system_call_bytes_total", "counter", "Bytes that system calls read, wrote or sent.", bytes, true },
    { "system_call_duration_seconds", "summary", "Wall time of system calls.", durations, true },
    { "system_call_waiting_seconds_total", "counter", "Part of that in which they waited.", waited, true },
    { "startup_system_calls_total", "counter", "System calls from execve to the end of the loader.", startup, true },
    { "program_system_calls_total", "counter", "System calls of each program.", program_calls, true },
    { "program_system_call_errors_total", "counter", "System calls of each program that failed.", program_errors, true },
};

static char *common_labels(const struct measurement *result, int pid)
{
    char *words = words_text(result->command), *value = label_value(words);
    char *labels = pid ? memory_format("command=\"%s\",pid=\"%d\"", value, pid) : memory_format("command=\"%s\"", value);
    free(value);
    free(words);
    return labels;
}

void prometheus_print(struct output *output, const struct measurement *results, const int *pids, size_t count)
{
    for (const struct metric *metric = metrics; metric < metrics + sizeof metrics / sizeof *metrics; metric++) {
        struct samples to = { .stream = output->stream, .metric = metric };
        for (size_t i = 0; i < count; i++) {
            to.common = common_labels(&results[i], pids ? pids[i] : 0);
            metric->add(&to, &results[i], metric->system);
            free(to.common);
        }
    }
}
