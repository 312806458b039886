/* Reports of reckon run and of the bare library, read and added up. */
#include "reports.h"

#include "calls/words.h"
#include "common/errors.h"
#include "common/memory.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static void add_exit(struct reports *reports, json_t *end, json_int_t times)
{
    size_t i;
    json_t *old;
    json_array_foreach(reports->exits, i, old) {
        if (json_equal(json_object_get(old, "exit"), end)) {
            json_integer_set(json_object_get(old, "reports"),
                             json_integer_value(json_object_get(old, "reports")) + times);
            return;
        }
    }
    json_array_append_new(reports->exits, json_pack("{s:O, s:I}", "exit", end, "reports", times));
}

/* How the commands ended: one of them, or those of a merged report. */
static int add_exits(struct reports *reports, const char *path, const json_t *report)
{
    size_t i;
    json_t *part, *parts = json_object_get(report, "exits"), *end = json_object_get(report, "exit");
    uint64_t before = reports->sum.reports;
    if (!parts) {
        reports->sum.reports++;
        add_exit(reports, end, 1);
        return 0;
    }
    json_array_foreach(parts, i, part) {
        json_int_t times = 0;
        if (json_unpack(part, "{s:o, s:I}", "exit", &end, "reports", &times) || !adding_sum(&reports->sum.reports, times))
            return adding_refuse(reports, path, adding_not_ours);
        add_exit(reports, end, times);
    }
    return reports->sum.reports > before ? 0 : adding_refuse(reports, path, adding_not_ours);
}

/* The strings of an array, ending with NULL; NULL where there is anything else in it. */
static char **strings(const json_t *array)
{
    size_t i;
    json_t *text;
    char **words = memory_calloc(json_array_size(array) + 1, sizeof *words);
    json_array_foreach(array, i, text) {
        if (!json_is_string(text)) {
            words_free(words);
            return NULL;
        }
        words[i] = memory_strdup(json_string_value(text));
    }
    return words;
}

/* One program, which other reports may have, too, or one process, which is nobody else's. */
static int add_group(struct reports *reports, const char *path, const json_t *from, bool process)
{
    const char *name;
    json_t *library, *system, *command = NULL;
    json_int_t processes;
    int pid = 0, parent = 0;
    struct count_groups *groups = &reports->sum.groups;
    if (json_unpack((json_t *)from, "{s:s, s:I, s:o, s:o, s?i, s?i, s?o}", "name", &name, "processes", &processes,
                    "library_calls", &library, "system_calls", &system, "pid", &pid, "parent", &parent, "command",
                    &command))
        return adding_refuse(reports, path, adding_not_ours);
    struct count_group *group = process ? groups_add(groups, memory_strdup(name))
                                        : groups_named(groups, memory_strdup(name));
    if (!adding_sum(&group->processes, processes))
        return adding_refuse(reports, path, adding_not_ours);
    group->pid = pid;
    group->parent = parent;
    group->command = command ? strings(command) : NULL;
    return adding_rows(reports, &group->library, path, library, true) ||
           adding_rows(reports, &group->system, path, system, true) ? -1 : 0;
}

/* Either all of the reports tell programs apart, or processes, or none does. */
static int add_groups(struct reports *reports, const char *path, const json_t *report)
{
    size_t i;
    json_t *one, *programs = json_object_get(report, "programs"), *processes = json_object_get(report, "process_list");
    uint32_t by = programs ? COUNTERS_BY_PROGRAM : processes ? COUNTERS_BY_PROCESS : 0;
    if (!reports->files)
        reports->sum.flags |= by;
    if (by != (reports->sum.flags & (COUNTERS_BY_PROGRAM | COUNTERS_BY_PROCESS))) {
        errors_say("%s: %s: its programs or processes are not told apart as those of %s", reports->who, path,
                   reports->first);
        return -1;
    }
    json_array_foreach(programs ? programs : processes, i, one)
        if (add_group(reports, path, one, !programs))
            return -1;
    return 0;
}

/* The bytes that two hexadecimal digits each stand for, a new string; NULL for another text, and for none. */
static char *bytes_of(const char *digits)
{
    size_t length = strlen(digits);
    if (!length)
        return NULL;
    char *bytes = memory_calloc(length / 2 + 1, 1);
    for (size_t i = 0; i < length; i += 2) {
        char pair[3] = { digits[i], digits[i + 1], 0 }, *end;
        bytes[i / 2] = (char)strtoul(pair, &end, 16);
        if (*end || end != pair + 2 || !isxdigit((unsigned char)pair[0]) || !bytes[i / 2]) {
            free(bytes);
            return NULL;
        }
    }
    return bytes;
}

/* The sums of one path; false where they cannot be added. */
static bool add_file(struct file_list *list, const json_t *from)
{
    static const char *const keys[FILES_COLUMNS] = { "opens", "looks", "misses", "reads", "writes", "bytes_read",
                                                     "bytes_written" };
    const char *path = NULL, *type = NULL, *digits = NULL;
    uint64_t sum[FILES_COLUMNS] = { 0 };
    json_unpack((json_t *)from, "{s?s, s?s, s?s}", "path", &path, "path_hex", &digits, "type", &type);
    for (int i = 0; i < FILES_COLUMNS; i++) {
        const json_t *number = json_object_get(from, keys[i]);
        if (!json_is_integer(number) || !adding_sum(&sum[i], json_integer_value(number)))
            return false;
    }
    char *bytes = digits ? bytes_of(digits) : NULL;
    if (!digits || bytes)
        files_append(list, bytes ? bytes : path ? path : "", type, sum);
    free(bytes);
    return !digits || bytes;
}

/* Files, where reports have them. */
static int add_files(struct reports *reports, const char *path, const json_t *report)
{
    struct files *files = &reports->sum.files;
    struct file_list rest[2] = { { 0 } };
    struct { const char *key; struct file_list *list; } parts[] = {
        { "files", &files->files }, { "directories", &files->directories }, { "mounts", &files->mounts },
        { "files_other", &rest[0] }, { "files_unnamed", &rest[1] },
    };
    bool good = true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t k;
        json_t *row, *rows = json_object_get(report, parts[i].key);
        json_array_foreach(rows, k, row)
            good = good && add_file(parts[i].list, row);
        if (json_is_object(rows))
            good = good && add_file(parts[i].list, rows);
        reports->sum.flags |= rows ? COUNTERS_PER_FILE : 0;
    }
    for (int i = 0; good && i < FILES_COLUMNS; i++) {
        files->other.sum[i] += rest[0].count ? rest[0].row->sum[i] : 0;
        files->unnamed.sum[i] += rest[1].count ? rest[1].row->sum[i] : 0;
    }
    files_free_list(&rest[0]);
    files_free_list(&rest[1]);
    return good ? 0 : adding_refuse(reports, path, adding_not_ours);
}

/* The command that all reports have, else none. */
static int add_command(struct reports *reports, const char *path, const json_t *command)
{
    struct measurement *sum = &reports->sum;
    size_t i = 0;
    char **words = strings(command);
    if (!words)
        return adding_refuse(reports, path, adding_not_ours);
    if (!sum->command) {
        sum->command = words;
        return 0;
    }
    while (words[i] && sum->command[i] && !strcmp(words[i], sum->command[i]))
        i++;
    if (words[i] || sum->command[i]) {
        words_free(sum->command);
        sum->command = memory_calloc(1, sizeof *sum->command);
    }
    words_free(words);
    return 0;
}

/* Each text once. */
static int add_uncounted(struct reports *reports, const char *path, const json_t *uncounted)
{
    char **texts = strings(uncounted);
    if (!texts)
        return adding_refuse(reports, path, adding_not_ours);
    for (char **text = texts; *text; text++)
        measure_uncounted(&reports->sum, *text);
    free(texts);
    return 0;
}

/* Whether the numbers of this report mean the same as those before it: only then may they be added. */
static int agree(struct reports *reports, const char *path, const char *level, bool whole)
{
    struct measurement *sum = &reports->sum;
    if (!measure_flags(level))
        return adding_refuse(reports, path, adding_not_ours);
    if (!reports->first) {
        reports->first = path;
        reports->exits = json_array();
        sum->flags = measure_flags(level) | (whole ? COUNTERS_WHOLE : 0);
        sum->startup_known = true;
    }
    bool was_whole = sum->flags & COUNTERS_WHOLE;
    if (!strcmp(measure_level(sum->flags), level) && was_whole == whole)
        return 0;
    errors_say("%s: %s: counted with --level=%s%s, %s with --level=%s%s", reports->who, path, level, whole ? " --whole" : "",
               reports->first, measure_level(sum->flags), was_whole ? " --whole" : "");
    return -1;
}

int reports_version(const char *who, const char *path, const json_t *report)
{
    const json_t *version = json_object_get(report, "version");
    if (!json_is_integer(version)) {
        errors_say("%s: %s: not a report of reckon", who, path);
        return -1;
    }
    if (json_integer_value(version) == REPORTS_VERSION)
        return 0;
    errors_say("%s: %s: version %" JSON_INTEGER_FORMAT ", and this reckon reads version %d", who, path,
               json_integer_value(version), REPORTS_VERSION);
    return -1;
}

int reports_add(struct reports *reports, const char *path, const json_t *report)
{
    json_t *command, *end, *library, *system, *uncounted, *startup = json_object_get(report, "startup_system_calls");
    json_int_t processes;
    const char *level;
    int whole;
    struct measurement *sum = &reports->sum;
    if (json_unpack((json_t *)report, "{s:o, s:o, s:I, s:s, s:b, s:o, s:o, s:o}", "command", &command, "exit", &end,
                    "processes", &processes, "level", &level, "whole", &whole, "library_calls", &library,
                    "system_calls", &system, "uncounted", &uncounted) ||
        !json_is_array(command) || !json_is_array(library) || !json_is_array(system) || !json_is_array(uncounted) ||
        !adding_sum(&sum->processes, processes))
        return adding_refuse(reports, path, adding_not_ours);
    if (agree(reports, path, level, whole) || add_exits(reports, path, report) || add_command(reports, path, command) ||
        add_uncounted(reports, path, uncounted))
        return -1;
    sum->startup_known = sum->startup_known && startup && adding_sum(&sum->startup, json_integer_value(startup));
    if (adding_rows(reports, &sum->library, path, library, false) ||
        adding_rows(reports, &sum->system, path, system, false) || add_groups(reports, path, report) ||
        add_files(reports, path, report))
        return -1;
    reports->files++;
    return 0;
}

void reports_complete(struct reports *reports)
{
    struct measurement *sum = &reports->sum;
    bool callers = sum->flags & COUNTERS_CALLERS;
    struct file_list *const lists[] = { &sum->files.files, &sum->files.directories, &sum->files.mounts };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        files_unite(lists[i]);
        files_sort(lists[i], false);
    }
    for (size_t i = 0; i < sum->library.count; i++)
        adding_note(&sum->library.row[i], reports->files - 1, 0);
    for (size_t i = 0; i < sum->system.count; i++)
        adding_note(&sum->system.row[i], reports->files - 1, 0);
    adding_complete(&sum->library, callers);
    adding_complete(&sum->system, false);
    for (size_t i = 0; i < sum->groups.count; i++) {
        adding_complete(&sum->groups.group[i].library, callers);
        adding_complete(&sum->groups.group[i].system, false);
    }
}

void reports_free(struct reports *reports)
{
    struct measurement *sum = &reports->sum;
    words_free(sum->command);
    measure_free(sum);
    json_decref(reports->exits);
}

void reports_say_no_json(const char *who, const char *path, const json_error_t *error)
{
    errors_say("%s: %s: line %d: not JSON: %s%s", who, path, error->line, error->text,
               error->line > 1 ? "" : "; only reports of --format=json tell how a command ended and what was not counted");
}

int reports_read_one(struct reports *reports, const char *path)
{
    json_error_t error;
    int status = 0, signal = 0;
    FILE *stream = fopen(path, "re");
    if (!stream) {
        errors_say_errno(errno, "%s: %s", reports->who, path);
        return -1;
    }
    json_t *report = json_loadf(stream, JSON_REJECT_DUPLICATES, &error);
    fclose(stream);
    if (!report)
        reports_say_no_json(reports->who, path, &error);
    int failure = !report || reports_version(reports->who, path, report) || reports_add(reports, path, report) ? -1 : 0;
    if (!failure && reports->sum.reports != 1)
        failure = adding_refuse(reports, path, "a sum of several reports");
    json_unpack(json_object_get(report, "exit"), "{s?i, s?i}", "status", &status, "signal", &signal);
    json_decref(report);
    if (!failure)
        reports_complete(reports);
    reports->sum.status = W_EXITCODE(status, signal);
    reports->sum.reports = 0;
    reports->sum.system_counted = reports->sum.system.count;
    return failure;
}

int reports_settle(const struct reports *reports, const char *path, bool settled, uint32_t *flags)
{
    enum { LEVEL = COUNTERS_CALLS | COUNTERS_SYSCALLS, SAME = LEVEL | COUNTERS_WHOLE };
    uint32_t wanted = *flags, was = reports->sum.flags & SAME;
    if (!(wanted & LEVEL))
        wanted |= was & LEVEL;
    if (!settled)
        wanted |= was & COUNTERS_WHOLE;
    if ((wanted & SAME) == was) {
        *flags |= was;
        return 0;
    }
    errors_say("%s: %s: counted with --level=%s%s", reports->who, path, measure_level(was),
               was & COUNTERS_WHOLE ? " --whole" : ", and not with --whole");
    return -1;
}
