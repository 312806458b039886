/* A command's counts against those of a report from before: what grew, shrank, is new or gone. */
#include "against.h"

#include "calls/report/report.h"
#include "calls/words.h"
#include "common/memory.h"
#include "common/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = { "library", "system" };

bool against_limit_parse(const char *text, struct against_limit *limit)
{
    char *end;
    double value = strtod(text, &end);
    bool percent = *end == '%';
    if (*text < '0' || *text > '9' || strpbrk(text, "xXeE") || end[percent] || !isfinite(value) ||
        (!percent && value != floor(value)))
        return false;
    *limit = (struct against_limit){ true, percent, value };
    return true;
}

/* A call that is known here; those of other machines, and those without a name, by their form. */
static bool is_call(const char *name)
{
    return counts_family_of(name) || strchr(name, ':') || !strncmp(name, "syscall_", strlen("syscall_"));
}

bool against_names_known(const char *names, char **unknown)
{
    for (const char *part = names;; part = strchr(part, ',') + 1) {
        char *name = memory_format("%.*s", (int)strcspn(part, ","), part), *stranger = NULL;
        bool known = counts_families_known(name, &stranger) || is_call(name);
        free(stranger);
        if (!known) {
            *unknown = name;
            return false;
        }
        free(name);
        if (!strchr(part, ','))
            return true;
    }
}

static const struct count_list *list_of(const struct measurement *result, bool system)
{
    return system ? &result->system : &result->library;
}

static uint64_t calls_of(const struct measurement *result, bool system, const char *name)
{
    const struct count *row = counts_find(list_of(result, system), name);
    return row ? row->calls : 0;
}

static bool over(const struct against_row *row, struct against_limit limit)
{
    if (!limit.given || row->after <= row->before)
        return false;
    double more = (double)(row->after - row->before);
    return more > (limit.percent ? limit.value / 100 * (double)row->before : limit.value);
}

static void append(struct against *against, struct against_row row, struct against_limit limit)
{
    row.over = over(&row, limit);
    against->failed |= row.over;
    against->row = memory_realloc(against->row, against->count + 1, sizeof *against->row);
    against->row[against->count++] = row;
}

/* The rows of one kind, and their total in each run. */
static void compare_kind(struct against *against, const struct measurement *runs, bool system, const char *ignored,
                         struct against_limit limit)
{
    struct against_row total = { "total", "", system, true, 0, UINT64_MAX, 0, false };
    const struct count_list **lists = memory_calloc(against->runs + 1, sizeof *lists);
    uint64_t *sums = memory_calloc(against->runs, sizeof *sums);
    lists[0] = list_of(against->before, system);
    for (size_t i = 0; i < against->runs; i++)
        lists[i + 1] = list_of(&runs[i], system);
    struct count_list names = counts_union(lists, against->runs + 1);
    counts_sort(&names, ORDER_NAME);
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.row[i].name, *family = names.row[i].family;
        if (ignored && (counts_listed(ignored, name) || counts_listed(ignored, family)))
            continue;
        struct against_row row = { memory_strdup(name), family, system, false, 0, UINT64_MAX, 0, false };
        row.before = calls_of(against->before, system, name);
        for (size_t j = 0; j < against->runs; j++) {
            uint64_t calls = calls_of(&runs[j], system, name);
            row.after = calls < row.after ? calls : row.after;
            row.most = calls > row.most ? calls : row.most;
            sums[j] += calls;
        }
        total.before += row.before;
        append(against, row, limit);
    }
    for (size_t j = 0; j < against->runs; j++) {
        total.after = sums[j] < total.after ? sums[j] : total.after;
        total.most = sums[j] > total.most ? sums[j] : total.most;
    }
    if (names.count)
        append(against, total, limit);
    counts_free(&names);
    free(sums);
    free(lists);
}

struct against against_compare(const char *path, const struct measurement *before, const struct measurement *runs,
                               size_t count, const char *ignored, struct against_limit limit)
{
    struct against against = { path, before, count, NULL, 0, false };
    compare_kind(&against, runs, false, ignored, limit);
    compare_kind(&against, runs, true, ignored, limit);
    return against;
}

void against_free(struct against *against)
{
    for (size_t i = 0; i < against->count; i++)
        if (!against->row[i].total)
            free((char *)against->row[i].name);
    free(against->row);
}

static bool differs(const struct against_row *row)
{
    return row->after != row->before || row->most != row->before;
}

/* "12", or "12..19" where the runs differ. */
static char *after_text(const struct against_row *row)
{
    return row->most == row->after ? memory_format("%" PRIu64, row->after)
                                   : memory_format("%" PRIu64 "..%" PRIu64, row->after, row->most);
}

/* By how much its least is more, or its most is less, than what was there before. */
static char *change_text(const struct against_row *row)
{
    if (!row->before || !row->most)
        return memory_strdup(row->before ? "gone" : "new");
    if (row->after > row->before)
        return memory_format("+%" PRIu64 " (%+.1f%%)", row->after - row->before,
                             100 * ((double)row->after / (double)row->before - 1));
    if (row->most < row->before)
        return memory_format("-%" PRIu64 " (%+.1f%%)", row->before - row->most,
                             100 * ((double)row->most / (double)row->before - 1));
    return memory_strdup("varies");
}

static void print_table(struct output *output, const struct against *against)
{
    static const struct output_column columns[] = { { "before", true }, { "after", true }, { "change", true },
                                                    { "", false }, { "kind", false }, { "name", false } };
    struct output_table *table = output_table_new(columns, sizeof columns / sizeof *columns);
    output_table_rule(table);
    for (size_t i = 0; i < against->count; i++) {
        const struct against_row *row = &against->row[i];
        if (!differs(row) && !row->total)
            continue;
        char *cells[] = { memory_format("%" PRIu64, row->before), after_text(row),
                          differs(row) ? change_text(row) : memory_strdup("same"), memory_strdup(row->over ? "over" : ""),
                          memory_strdup(kinds[row->system]), memory_strdup(row->name) };
        output_table_take(table, cells);
    }
    output_table_print(table, output);
    output_table_free(table);
}

/* The rows for which `is` holds, as "a, b and 3 others"; NULL where there is none. */
static char *names_of(const struct against *against, bool (*is)(const struct against_row *row), size_t *count)
{
    enum { TOLD = 5 };
    char *names = NULL;
    *count = 0;
    for (size_t i = 0; i < against->count; i++) {
        if (!is(&against->row[i]) || ++*count > TOLD)
            continue;
        const char *what = against->row[i].total ? kinds[against->row[i].system] : "";
        char *longer = memory_format("%s%s%s%s%s", names ? names : "", names ? ", " : "", what, *what ? " " : "",
                                     against->row[i].name);
        free(names);
        names = longer;
    }
    if (*count > TOLD) {
        char *longer = memory_format("%s and %zu others", names, *count - TOLD);
        free(names);
        names = longer;
    }
    return names;
}

static bool is_over(const struct against_row *row)
{
    return row->over;
}

static bool varies(const struct against_row *row)
{
    return !row->total && row->most != row->after;
}

static bool changed(const struct against_row *row)
{
    return !row->total && differs(row);
}

static void say(struct output *output, char *text)
{
    enum { LINE = 80 };
    char *lines = text_wrap(text, LINE);
    fputs(lines, output->stream);
    free(lines);
    free(text);
}

/* What follows, and what to do about it. */
static void print_words(struct output *output, const struct against *against, struct against_limit limit)
{
    size_t count;
    char *names = names_of(against, changed, &count);
    if (!count)
        say(output, memory_strdup("the same calls as before"));
    free(names);
    names = names_of(against, varies, &count);
    if (count)
        say(output, memory_format("%zu row%s from run to run by %s: %s; --ignore leaves such rows out", count,
                                  count == 1 ? " varies" : "s vary", count == 1 ? "itself" : "themselves", names));
    free(names);
    names = names_of(against, is_over, &count);
    if (count)
        say(output, memory_format("over the limit of %.15g%s: %s. If that is meant, write the report anew: --format=json "
                                  "-o %s", limit.value, limit.percent ? "%" : " calls", names, against->path));
    free(names);
}

static void print_csv(struct output *output, const struct against *against)
{
    static const struct output_column columns[] = { { "kind", false }, { "name", false }, { "family", false },
                                                    { "before", false }, { "after", false }, { "most", false },
                                                    { "over", false } };
    struct output_table *table = output_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < against->count; i++) {
        const struct against_row *row = &against->row[i];
        char *cells[] = { memory_strdup(kinds[row->system]), memory_strdup(row->name), memory_strdup(row->family),
                          memory_format("%" PRIu64, row->before), memory_format("%" PRIu64, row->after),
                          memory_format("%" PRIu64, row->most), memory_strdup(row->over ? "yes" : "no") };
        output_table_take(table, cells);
    }
    output_table_print(table, output);
    output_table_free(table);
}

void against_print(struct output *output, const struct against *against, struct against_limit limit)
{
    if (output->format == OUTPUT_CSV) {
        print_csv(output, against);
        return;
    }
    char *command = words_text(against->before->command);
    char *title = memory_format("against %s: %s", against->path, command), *shown = text_printable(title);
    fprintf(output->stream, "%s%s%s\n", output_color(output, COLOR_HEADING), shown, output_color(output, COLOR_NONE));
    print_table(output, against);
    fprintf(output->stream, "\n");
    print_words(output, against, limit);
    free(shown);
    free(title);
    free(command);
}

json_t *against_json(const struct against *against)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < against->count; i++) {
        const struct against_row *row = &against->row[i];
        if (!differs(row) && !row->total)
            continue;
        json_t *object = json_pack("{s:s, s:s, s:I, s:I, s:b}", "name", row->name, "kind", kinds[row->system],
                                   "before", (json_int_t)row->before, "after", (json_int_t)row->after,
                                   "over", row->over);
        if (row->most != row->after)
            json_object_set_new(object, "most", json_integer((json_int_t)row->most));
        json_array_append_new(rows, object);
    }
    return json_pack("{s:o, s:I, s:o, s:b}", "command", output_json_texts(against->before->command), "runs",
                     (json_int_t)against->runs, "rows", rows, "failed", against->failed);
}
