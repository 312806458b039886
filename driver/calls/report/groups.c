/* Programs or processes with the calls of each: their fields, for table and JSON. */
#include "groups.h"

#include "calls/words.h"
#include "common/memory.h"
#include "common/text.h"
#include "rows.h"

#include <inttypes.h>
#include <stdlib.h>

#define GROUP(record) ((const struct count_group *)(record))

static bool by_process(const void *result)
{
    return ((const struct measurement *)result)->flags & COUNTERS_BY_PROCESS;
}

static bool by_program(const void *result)
{
    return !by_process(result);
}

static bool rates(const void *result)
{
    return ((const struct measurement *)result)->interval_s > 0;
}

static bool sums(const void *result)
{
    return !rates(result);
}

#define LEVEL(field, flag, rated) \
    static bool field(const void *result) \
    { \
        return ((const struct measurement *)result)->flags & (flag) && rates(result) == (rated); \
    }
LEVEL(library, COUNTERS_CALLS, false)
LEVEL(system_calls, COUNTERS_SYSCALLS, false)
LEVEL(library_rates, COUNTERS_CALLS, true)
LEVEL(system_rates, COUNTERS_SYSCALLS, true)

static json_t *name(const void *record)
{
    return output_json_text(GROUP(record)->name);
}

static json_t *processes(const void *record)
{
    return json_integer((json_int_t)GROUP(record)->processes);
}

static json_t *pid(const void *record)
{
    return GROUP(record)->pid ? json_integer(GROUP(record)->pid) : NULL;
}

static json_t *parent(const void *record)
{
    return GROUP(record)->pid ? json_integer(GROUP(record)->parent) : NULL;
}

static json_t *command(const void *record)
{
    return GROUP(record)->command ? output_json_texts(GROUP(record)->command) : NULL;
}

/* What fits of the command; for who has none, the name. */
static char *command_text(const void *record, size_t room)
{
    char *text = GROUP(record)->command ? words_text(GROUP(record)->command) : memory_strdup(GROUP(record)->name);
    char *shown = memory_format("%.*s", (int)room, text);
    free(text);
    return shown;
}

/* Calls and errors of one kind. */
#define SUM(field, system, member) \
    static json_t *field(const void *record) \
    { \
        return json_integer((json_int_t)groups_total(GROUP(record), system).member); \
    }
SUM(library_sum, false, calls)
SUM(system_sum, true, calls)

#define RATE(field, system) \
    static json_t *field(const void *record) \
    { \
        return json_real(groups_total(GROUP(record), system).calls_per_s); \
    } \
    static char *field##_text(const void *record, const void *all) \
    { \
        (void)all; \
        return text_rate(groups_total(GROUP(record), system).calls_per_s); \
    }
RATE(library_rate, false)
RATE(system_rate, true)

static char *errors_text(const void *record, const void *all)
{
    (void)all;
    struct count calls = groups_total(GROUP(record), false), entries = groups_total(GROUP(record), true);
    if (calls.unseen || entries.unseen)
        return memory_strdup("not seen");
    return memory_format("%" PRIu64, calls.errors + entries.errors);
}

static char *error_rate_text(const void *record, const void *all)
{
    (void)all;
    struct count calls = groups_total(GROUP(record), false), entries = groups_total(GROUP(record), true);
    return text_rate(calls.errors_per_s + entries.errors_per_s);
}

static const struct field fields[] = {
    { .key = "name", .title = "program", .place = 40, .value = name },
    { .key = "processes", .value = processes },
    { .title = "processes", .place = 1, .right = true, .shown = by_program, .value = processes },
    { .key = "pid", .title = "pid", .place = 2, .right = true, .shown = by_process, .value = pid },
    { .key = "parent", .title = "parent", .place = 3, .right = true, .shown = by_process, .value = parent },
    { .key = "command", .title = "command", .place = 50, .shown = by_process, .value = command, .fit = command_text },
    { .title = "library calls", .place = 10, .right = true, .shown = library, .value = library_sum },
    { .title = "system calls", .place = 11, .right = true, .shown = system_calls, .value = system_sum },
    { .key = "library_calls_per_s", .title = "library calls/s", .place = 10, .right = true, .shown = library_rates,
      .value = library_rate, .text = library_rate_text },
    { .key = "system_calls_per_s", .title = "system calls/s", .place = 11, .right = true, .shown = system_rates,
      .value = system_rate, .text = system_rate_text },
    { .title = "errors", .place = 12, .right = true, .shown = sums, .text = errors_text },
    { .title = "errors/s", .place = 12, .right = true, .shown = rates, .text = error_rate_text },
    { 0 },
};

static struct records records_of(const struct measurement *result)
{
    const struct count_groups *groups = &result->groups;
    return (struct records){ fields, result, groups->group, groups->count, sizeof *groups->group, NULL };
}

void report_groups_print(struct output *output, const struct measurement *result)
{
    struct records records = records_of(result);
    if (!records.count)
        return;
    fprintf(output->stream, "%sby %s%s\n", output_color(output, COLOR_HEADING), by_process(result) ? "process" : "program",
            output_color(output, COLOR_NONE));
    records_print(&records, output);
    fprintf(output->stream, "\n");
}

void report_groups_json(json_t *object, const struct measurement *result)
{
    struct records records = records_of(result);
    struct measurement untimed = *result;   /* times are those of all together */
    if (!counters_sections(result->flags))
        return;
    untimed.flags &= ~(uint32_t)COUNTERS_TIME;
    json_t *array = records_json(&records);
    for (size_t i = 0; i < records.count; i++) {
        const struct count_group *group = &result->groups.group[i];
        struct records calls = rows_records_of(&untimed, &group->library);
        struct records entries = rows_records_of(&untimed, &group->system);
        json_t *one = json_array_get(array, i);
        json_object_set_new(one, "library_calls", records_json(&calls));
        json_object_set_new(one, "system_calls", records_json(&entries));
    }
    json_object_set_new(object, by_process(result) ? "process_list" : "programs", array);
}
