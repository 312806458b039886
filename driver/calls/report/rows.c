/* Rows of calls: their fields, each for table, JSON and CSV at once. */
#include "rows.h"

#include "common/memory.h"
#include "common/text.h"

#include <inttypes.h>
#include <stdlib.h>

static bool timed(const void *result)
{
    return ((const struct measurement *)result)->flags & COUNTERS_TIME;
}

static bool any_waited(const struct count_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->row[i].times.waited)
            return true;
    return false;
}

static bool waiting(const void *result)
{
    const struct measurement *measured = result;
    return timed(result) && (any_waited(&measured->library) || any_waited(&measured->system));
}

static bool rates(const void *result)
{
    return ((const struct measurement *)result)->interval_s > 0;
}

static bool sums(const void *result)
{
    return !rates(result);
}

/* The shortest and the longest of what came between two readings are not known. */
static bool bounded(const void *result)
{
    return timed(result) && sums(result);
}

/* Percentiles of a sum do not follow from those of its parts. */
static bool ranked(const void *result)
{
    return bounded(result) && !((const struct measurement *)result)->reports;
}

static bool carried(const void *result)
{
    return ((const struct measurement *)result)->flags & COUNTERS_BYTES;
}

static bool called(const void *result)
{
    return ((const struct measurement *)result)->flags & COUNTERS_CALLERS;
}

static bool per_file(const void *result)
{
    return ((const struct measurement *)result)->flags & COUNTERS_PER_FILE;
}

static bool spread(const void *result)
{
    return ((const struct measurement *)result)->spread;
}

/* A value as JSON has it. */
#define VALUE(field, expression) \
    static json_t *field(const void *record) \
    { \
        const struct count *row = record; \
        return expression; \
    }
VALUE(name, json_string(row->name))
VALUE(family, json_string(row->family))
VALUE(calls, json_integer((json_int_t)row->calls))
VALUE(errors, row->unseen ? json_null() : json_integer((json_int_t)row->errors))
VALUE(calls_per_s, json_real(row->calls_per_s))
VALUE(errors_per_s, row->unseen ? json_null() : json_real(row->errors_per_s))
VALUE(errnos, row->unseen ? NULL : parts_json(&row->errnos))
VALUE(callers, parts_json(&row->callers))
VALUE(bytes, !row->carries ? NULL : row->unseen ? json_null() : json_integer((json_int_t)row->bytes))
VALUE(total_ns, json_integer((json_int_t)row->times.total))
VALUE(min_ns, json_integer((json_int_t)row->times.minimum))
VALUE(max_ns, json_integer((json_int_t)row->times.maximum))
VALUE(waited_ns, json_integer((json_int_t)row->times.waited))
VALUE(p50_ns, json_integer((json_int_t)row->times.p50))
VALUE(p99_ns, json_integer((json_int_t)row->times.p99))
VALUE(least, json_real(counts_spread(row).minimum))
VALUE(median, json_real(counts_spread(row).median))
VALUE(most, json_real(counts_spread(row).maximum))

static json_t *nothing(const void *record)
{
    (void)record;
    return NULL;
}

static char *errors_text(const void *record, const void *total)
{
    (void)total;
    const struct count *row = record;
    if (row->unseen)
        return memory_strdup("not seen");
    return row->errors ? memory_format("%" PRIu64, row->errors) : NULL;
}

static char *calls_per_s_text(const void *record, const void *total)
{
    (void)total;
    return text_rate(((const struct count *)record)->calls_per_s);
}

static char *errors_per_s_text(const void *record, const void *total)
{
    (void)total;
    const struct count *row = record;
    return row->unseen ? memory_strdup("not seen") : row->errors ? text_rate(row->errors_per_s) : NULL;
}

static char *errnos_text(const void *record, size_t room)
{
    const struct count *row = record;
    return row->unseen ? NULL : parts_text(&row->errnos, room);
}

static char *callers_text(const void *record, size_t room)
{
    return parts_text(&((const struct count *)record)->callers, room);
}

static char *bytes_text(const void *record, const void *total)
{
    const struct count *row = record;
    return row->carries || record == total ? memory_format("%" PRIu64, row->bytes) : NULL;
}

static char *share_text(const void *record, const void *total)
{
    uint64_t part = ((const struct count *)record)->times.total, all = ((const struct count *)total)->times.total;
    return memory_format("%.2f", all ? 100.0 * (double)part / (double)all : 0);
}

static char *total_text(const void *record, const void *total)
{
    (void)total;
    return text_duration(((const struct count *)record)->times.total);
}

static char *waited_text(const void *record, const void *total)
{
    (void)total;
    const struct count_times *times = &((const struct count *)record)->times;
    return times->waited ? text_duration(times->waited) : NULL;
}

/* How long one call took; of the total nobody knows. */
#define TIME(member) \
    static char *member##_text(const void *record, const void *total) \
    { \
        return record == total ? NULL : text_duration(((const struct count *)record)->times.member); \
    }
TIME(p50)
TIME(p99)
TIME(maximum)

/* In the order of JSON and CSV; `place` is the order of tables. */
static const struct field fields[] = {
    { .key = "name", .title = "name", .place = 99, .value = name },
    { .key = "family", .title = "family", .place = 90, .value = family },
    { .key = "calls", .value = calls },
    { .title = "calls", .place = 10, .right = true, .shown = sums, .value = calls },
    { .key = "errors", .value = errors },
    { .title = "errors", .place = 11, .right = true, .shown = sums, .text = errors_text },
    { .key = "calls_per_s", .title = "calls/s", .place = 10, .right = true, .shown = rates, .value = calls_per_s,
      .text = calls_per_s_text },
    { .key = "errors_per_s", .title = "errors/s", .place = 11, .right = true, .shown = rates, .value = errors_per_s,
      .text = errors_per_s_text },
    { .title = "% time", .place = 1, .right = true, .shown = timed, .text = share_text },
    { .key = "total_ns", .title = "total", .place = 2, .right = true, .shown = timed, .value = total_ns,
      .text = total_text },
    { .key = "min_ns", .shown = bounded, .value = min_ns },
    { .key = "max_ns", .title = "max", .place = 6, .right = true, .shown = bounded, .value = max_ns,
      .text = maximum_text },
    { .title = "waited", .place = 3, .right = true, .shown = waiting, .text = waited_text },
    { .key = "p50_ns", .title = "p50", .place = 4, .right = true, .shown = ranked, .value = p50_ns, .text = p50_text },
    { .key = "p99_ns", .title = "p99", .place = 5, .right = true, .shown = ranked, .value = p99_ns, .text = p99_text },
    { .key = "waited_ns", .shown = timed, .value = waited_ns },
    { .key = "least", .group = "spread", .title = "least", .place = 20, .right = true, .shown = spread, .value = least },
    { .key = "median", .group = "spread", .title = "median", .place = 21, .right = true, .shown = spread,
      .value = median },
    { .key = "most", .group = "spread", .title = "most", .place = 22, .right = true, .shown = spread, .value = most },
    { .key = "bytes", .title = "bytes", .place = 13, .right = true, .shown = carried, .value = bytes, .text = bytes_text },
    { .key = "errnos", .title = "by name", .place = 12, .value = errnos, .fit = errnos_text },
    { .key = "callers", .title = "callers", .place = 14, .shown = called, .value = callers, .fit = callers_text },
    /* Of files, in CSV: calls have none of these. */
#define OF_FILES(name) { .key = name, .shown = per_file, .value = nothing }
    OF_FILES("type"), OF_FILES("opens"), OF_FILES("looks"), OF_FILES("misses"), OF_FILES("reads"), OF_FILES("writes"),
    OF_FILES("bytes_read"), OF_FILES("bytes_written"),
    { 0 },
};

/* Of rows by error. */
static const struct field error_fields[] = {
    { .key = "name", .title = "error", .place = 20, .value = name },
    { .key = "errors", .title = "errors", .place = 10, .right = true, .value = calls },
    { .key = "calls", .title = "of", .place = 30, .value = errnos, .fit = errnos_text },
    { 0 },
};

/* Of rows by caller. */
static const struct field caller_fields[] = {
    { .key = "name", .title = "caller", .place = 20, .value = name },
    { .key = "calls", .title = "calls", .place = 10, .right = true, .value = calls },
    { .key = "names", .title = "of", .place = 30, .value = errnos, .fit = errnos_text },
    { 0 },
};

const struct count_list *rows_list(const struct measurement *result, enum rows_kind kind)
{
    const struct count_list *const lists[] = { &result->library, &result->system, &result->library_errors,
                                               &result->system_errors, &result->callers };
    return lists[kind];
}

struct records rows_records_of(const struct measurement *result, const struct count_list *list)
{
    return (struct records){ fields, result, list->row, list->count, sizeof *list->row, NULL };
}

struct records rows_records(const struct measurement *result, enum rows_kind kind)
{
    const struct count_list *list = rows_list(result, kind);
    struct records records = rows_records_of(result, list);
    if (kind >= ROWS_LIBRARY_ERRORS)
        records.fields = kind == ROWS_CALLERS ? caller_fields : error_fields;
    return records;
}

void rows_print(struct output *output, const struct measurement *result, enum rows_kind kind)
{
    struct records records = rows_records(result, kind);
    const struct count_list *list = rows_list(result, kind);
    struct count total = counts_total(list);
    for (size_t i = 0; i < list->count; i++) {
        parts_add_all(&total.errnos, &list->row[i].errnos);
        parts_add_all(&total.callers, &list->row[i].callers);
    }
    parts_sort(&total.errnos);
    parts_sort(&total.callers);
    records.total = &total;
    records_print(&records, output);
    free(total.each);
    parts_free(&total.errnos);
    parts_free(&total.callers);
}
