/* Sums of reports of calls, written as one. */
#include "calls.h"

#include "calls/report/report.h"
#include "calls/words.h"
#include "common/memory.h"
#include "common/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/wait.h>

static void print_exits(struct output *output, const struct reports *merge)
{
    size_t i;
    json_t *part;
    json_array_foreach(merge->exits, i, part) {
        json_t *end = json_object_get(part, "exit");
        int status = 0, signal = 0;
        bool known = json_is_object(end);
        if (known)
            json_unpack(end, "{s?i, s?i}", "status", &status, "signal", &signal);
        if (known && !status && !signal)
            continue;
        char *ending = known ? report_ending(W_EXITCODE(status, signal))
                             : memory_strdup("how the command ended is not known");
        fprintf(output->stream, "%" JSON_INTEGER_FORMAT " of %" PRIu64 " reports: %s\n",
                json_integer_value(json_object_get(part, "reports")), merge->sum.reports, ending);
        free(ending);
    }
}

static void print_tables(struct output *output, const struct reports *merge)
{
    const struct measurement *sum = &merge->sum;
    char *command = words_text(sum->command), *shown = text_printable(command);
    fprintf(output->stream, "%" PRIu64 " report%s, %" PRIu64 " process%s%s%s\n", sum->reports,
            sum->reports == 1 ? "" : "s", sum->processes, sum->processes == 1 ? "" : "es", *shown ? ": " : "", shown);
    free(shown);
    free(command);
    print_exits(output, merge);
    fprintf(output->stream, "\n");
    report_tables(output, sum);
}

/* As of run, so that sums can be added up again; with the number of reports and how each of them ended. */
static json_t *json_sum(const struct reports *merge)
{
    bool same = json_array_size(merge->exits) == 1;
    json_t *end = same ? json_incref(json_object_get(json_array_get(merge->exits, 0), "exit")) : json_null();
    json_t *object = json_pack("{s:i, s:I, s:o, s:o, s:O}", "version", REPORTS_VERSION, "reports",
                               (json_int_t)merge->sum.reports, "command", output_json_texts(merge->sum.command),
                               "exit", end, "exits", merge->exits);
    json_t *sum = report_json(&merge->sum, false);
    json_object_update_missing(object, sum);
    json_decref(sum);
    return object;
}

void merge_calls_print(struct reports *merge, struct output *output, enum count_order order, bool spread,
                       bool by_errno)
{
    struct count_list *lists[] = { &merge->sum.library, &merge->sum.system };
    merge->sum.spread = spread;
    reports_complete(merge);
    for (size_t i = 0; i < 2; i++)
        counts_sort(lists[i], order);
    groups_sort(&merge->sum.groups, order);
    if (by_errno)
        measure_by_errno(&merge->sum);
    if (merge->sum.flags & COUNTERS_CALLERS)
        merge->sum.callers = counts_by_caller(&merge->sum.library);
    if (output->format == OUTPUT_JSON)
        output_json(output, json_sum(merge));
    else if (output->format == OUTPUT_CSV)
        report_csv(output, &merge->sum, NULL, 1);
    else
        print_tables(output, merge);
}
