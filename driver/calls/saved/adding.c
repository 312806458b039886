/* The rows of a report, added to those of a sum. */
#include "adding.h"

#include "common/errors.h"
#include "common/memory.h"

#include <string.h>

const char adding_not_ours[] = "not a report of reckon run or of libcount.so";

int adding_refuse(const struct reports *reports, const char *path, const char *why)
{
    errors_say("%s: %s: %s", reports->who, path, why);
    return -1;
}

/* Sums stay in the range of JSON's integers; false where they don't, and for negative numbers. */
bool adding_sum(uint64_t *sum, json_int_t value)
{
    return value >= 0 && !__builtin_add_overflow(*sum, (uint64_t)value, sum) && *sum <= INT64_MAX;
}

/* One string for each family that was ever read: it outlives the rows, which may be sorted out. */
static const char *family_kept(const char *family)
{
    static char **kept;
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(kept[i], family))
            return kept[i];
    kept = memory_realloc(kept, count + 1, sizeof *kept);
    return kept[count++] = memory_strdup(family);
}

static struct count *find(struct count_list *list, const char *name, const char *family)
{
    struct count *row = (struct count *)counts_find(list, name);
    if (row)
        return row;
    list->row = memory_realloc(list->row, list->count + 1, sizeof *list->row);
    row = &list->row[list->count++];
    *row = (struct count){ .family = family_kept(family), .times.minimum = UINT64_MAX };
    strcpy(row->name, name);  /* its length was checked */
    return row;
}

/* Add calls to those of report number `file`. */
void adding_note(struct count *row, size_t file, uint64_t calls)
{
    if (row->reports <= file) {
        row->each = memory_realloc(row->each, file + 1, sizeof *row->each);
        while (row->reports <= file)
            row->each[row->reports++] = 0;
    }
    row->each[file] += calls;
}

/* The times of a row, if the reports have times. */
static bool add_times(const struct measurement *sum, struct count *row, const json_t *from)
{
    json_int_t total = 0, least = 0, most = 0;
    bool timed = sum->flags & COUNTERS_TIME;
    if (json_unpack((json_t *)from, "{s:I, s:I, s:I}", "total_ns", &total, "min_ns", &least, "max_ns", &most))
        return !timed;
    struct count_times *times = &row->times;
    if (!timed || least < 0 || most < 0 || !adding_sum(&times->total, total))
        return false;
    times->minimum = (uint64_t)least < times->minimum ? (uint64_t)least : times->minimum;
    times->maximum = (uint64_t)most > times->maximum ? (uint64_t)most : times->maximum;
    adding_sum(&times->waited, json_integer_value(json_object_get(from, "waited_ns")));  /* earlier versions: none */
    times->p50 = (uint64_t)json_integer_value(json_object_get(from, "p50_ns"));  /* of one report: not of a sum */
    times->p99 = (uint64_t)json_integer_value(json_object_get(from, "p99_ns"));
    return true;
}

/* The errors of a row by name. Reports of earlier versions have no names. */
static bool add_errnos(struct count *row, json_int_t errors, const json_t *names)
{
    const char *name;
    json_t *calls;
    uint64_t named = 0;
    json_object_foreach((json_t *)names, name, calls) {
        if (!json_is_integer(calls) || !adding_sum(&named, json_integer_value(calls)))
            return false;
        parts_add(&row->errnos, name, (uint64_t)json_integer_value(calls));
    }
    if (named > (uint64_t)errors)
        return false;
    if (named < (uint64_t)errors)
        parts_add(&row->errnos, PARTS_OTHER, (uint64_t)errors - named);
    return !names || json_is_object(names);
}

/* Either all of the rows are timed or none. */
static int agree_on_times(struct reports *reports, const char *path, bool timed)
{
    if (!reports->timed_known && timed)
        reports->sum.flags |= COUNTERS_TIME;
    reports->timed_known = true;
    if (timed == !!(reports->sum.flags & COUNTERS_TIME))
        return 0;
    errors_say("%s: %s: its calls were %stimed, those of %s %s", reports->who, path, timed ? "" : "not ",
               reports->first, timed ? "not" : "were");
    return -1;
}

/* Bytes, where all reports have them, and callers: those of a report without are "other". */
static int add_asked(struct reports *reports, struct count *row, bool new, const char *path, const json_t *from)
{
    const char *name;
    json_t *calls, *bytes = json_object_get(from, "bytes"), *callers = json_object_get(from, "callers");
    uint64_t sum = 0;
    if (!new && row->carries != (bytes != NULL))
        return adding_refuse(reports, path, "counted with --bytes, and another report without, or the other way round");
    row->carries = bytes;
    reports->sum.flags |= bytes ? COUNTERS_BYTES : 0;
    if (json_is_integer(bytes) && !adding_sum(&row->bytes, json_integer_value(bytes)))
        return adding_refuse(reports, path, "numbers that cannot be added");
    json_object_foreach(callers, name, calls) {
        if (!json_is_integer(calls) || !adding_sum(&sum, json_integer_value(calls)))
            return adding_refuse(reports, path, adding_not_ours);
        parts_add(&row->callers, name, (uint64_t)json_integer_value(calls));
    }
    reports->sum.flags |= callers ? COUNTERS_CALLERS : 0;
    return 0;
}

/* `part`: of a program or process, whose rows have no times. */
static int add_row(struct reports *reports, struct count_list *list, const char *path, const json_t *from, bool part)
{
    const char *name, *family;
    json_int_t calls;
    json_t *errors;
    if (json_unpack((json_t *)from, "{s:s, s:s, s:I, s:o}", "name", &name, "family", &family, "calls", &calls, "errors",
                    &errors) || strlen(name) >= sizeof list->row->name)
        return adding_refuse(reports, path, adding_not_ours);
    if (!part && agree_on_times(reports, path, json_object_get(from, "total_ns")))
        return -1;
    struct count *row = find(list, name, family);
    if (add_asked(reports, row, !row->calls, path, from))
        return -1;
    if (json_is_null(errors))
        row->unseen = true;
    else if (!json_is_integer(errors) || !adding_sum(&row->errors, json_integer_value(errors)))
        return adding_refuse(reports, path, adding_not_ours);
    if (!add_errnos(row, json_is_null(errors) ? 0 : json_integer_value(errors), json_object_get(from, "errnos")))
        return adding_refuse(reports, path, adding_not_ours);
    if (!adding_sum(&row->calls, calls) || (!part && !add_times(&reports->sum, row, from)))
        return adding_refuse(reports, path, "numbers that cannot be added");
    adding_note(row, reports->files, (uint64_t)calls);
    return 0;
}

int adding_rows(struct reports *reports, struct count_list *list, const char *path, const json_t *from, bool part)
{
    size_t i;
    json_t *row;
    json_array_foreach(from, i, row)
        if (add_row(reports, list, path, row, part))
            return -1;
    return 0;
}

void adding_complete(struct count_list *list, bool callers)
{
    for (size_t i = 0; i < list->count; i++) {
        struct count *row = &list->row[i];
        if (callers)
            parts_fill(&row->callers, row->calls);
        parts_sort(&row->callers);
        parts_sort(&row->errnos);
    }
}
