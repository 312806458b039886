/* Files, directories and mounts: their fields, for tables, JSON and CSV. */
#include "files.h"

#include "common/memory.h"
#include "common/text.h"
#include "rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW(record) ((const struct file_row *)(record))
#define SUM(field, column) \
    static json_t *field(const void *record) \
    { \
        return json_integer((json_int_t)ROW(record)->sum[column]); \
    }
SUM(opens, FILES_OPENS)
SUM(looks, FILES_LOOKS)
SUM(misses, FILES_MISSES)
SUM(reads, FILES_READS)
SUM(writes, FILES_WRITES)
SUM(bytes_read, FILES_BYTES_READ)
SUM(bytes_written, FILES_BYTES_WRITTEN)

static json_t *path(const void *record)
{
    return ROW(record)->path ? output_json_text(ROW(record)->path) : NULL;
}

/* Its bytes where they are no UTF-8, which JSON's texts are: several such paths may look the same there. */
static json_t *path_hex(const void *record)
{
    const char *bytes = ROW(record)->path;
    char *valid = text_utf8(bytes ? bytes : "");
    bool same = !bytes || !strcmp(valid, bytes);
    free(valid);
    if (same)
        return NULL;
    char *text = memory_calloc(2 * strlen(bytes) + 1, 1), *end = text;
    for (; *bytes; bytes++)
        end += sprintf(end, "%02x", (unsigned)(unsigned char)*bytes);
    json_t *value = json_string(text);
    free(text);
    return value;
}

static json_t *type(const void *record)
{
    return ROW(record)->type ? json_string(ROW(record)->type) : NULL;
}

char *report_files_path(const void *record, size_t room)
{
    char *text = text_printable(ROW(record)->path), *shown = text;
    if (text_width(text) <= room)
        return text;
    while (text_width(shown) > room - 2)
        do
            shown++;
        while ((*shown & 0xc0) == 0x80);
    shown = memory_format("..%s", shown);
    free(text);
    return shown;
}

static bool has_types(const void *subject)
{
    return ((const struct file_list *)subject)->count && ((const struct file_list *)subject)->row->type;
}

static const struct field fields[] = {
    { .key = "path", .title = "path", .place = 99, .value = path, .fit = report_files_path },
    { .key = "path_hex", .value = path_hex },
    { .key = "type", .title = "type", .place = 90, .shown = has_types, .value = type },
    { .key = "opens", .title = "opens", .place = 1, .right = true, .value = opens },
    { .key = "looks", .title = "looks", .place = 2, .right = true, .value = looks },
    { .key = "misses", .title = "misses", .place = 3, .right = true, .value = misses },
    { .key = "reads", .title = "reads", .place = 4, .right = true, .value = reads },
    { .key = "writes", .title = "writes", .place = 5, .right = true, .value = writes },
    { .key = "bytes_read", .title = "bytes read", .place = 6, .right = true, .value = bytes_read },
    { .key = "bytes_written", .title = "written", .place = 7, .right = true, .value = bytes_written },
    { 0 },
};

static struct records records_of(const struct file_list *list, size_t most)
{
    size_t count = list->count < most ? list->count : most;
    return (struct records){ fields, list, list->row, count, sizeof *list->row, NULL };
}

/* One row alone. */
static json_t *json_of(const struct file_row *row)
{
    struct file_list list = { (struct file_row *)row, 1, 0 };
    struct records records = records_of(&list, 1);
    json_t *array = records_json(&records), *object = json_incref(json_array_get(array, 0));
    json_decref(array);
    return object;
}

static void print(struct output *output, const char *title, const struct file_list *list)
{
    struct records records = records_of(list, REPORT_FILES);
    if (!list->count)
        return;
    fprintf(output->stream, "%s%zu %s%s\n", output_color(output, COLOR_HEADING), list->count, title,
            output_color(output, COLOR_NONE));
    records_print(&records, output);
    if (list->count > REPORT_FILES)
        fprintf(output->stream, "and %zu more: --format=json has all of them\n", list->count - REPORT_FILES);
    fprintf(output->stream, "\n");
}

static void print_rest(struct output *output, const struct file_row *row, const char *what)
{
    if (!files_asked(row))
        return;
    fprintf(output->stream, "%s: %" PRIu64 " opens, %" PRIu64 " looks, %" PRIu64 " reads (%" PRIu64 " bytes), %" PRIu64
            " writes (%" PRIu64 " bytes)\n", what, row->sum[FILES_OPENS], row->sum[FILES_LOOKS], row->sum[FILES_READS],
            row->sum[FILES_BYTES_READ], row->sum[FILES_WRITES], row->sum[FILES_BYTES_WRITTEN]);
}

void report_files_print(struct output *output, const struct measurement *result)
{
    const struct files *files = &result->files;
    bool misses = result->files_wanted.misses;
    if (!(result->flags & COUNTERS_PER_FILE))
        return;
    print(output, misses ? "files that were not there" : "files", &files->files);
    print(output, misses ? "directories in which something was not there" : "directories", &files->directories);
    print(output, "mounts", &files->mounts);
    print_rest(output, &files->unnamed, "pipes, sockets and what else has no path");
    print_rest(output, &files->other, "files that found no room");
    fprintf(output->stream, "\n");
}

void report_files_json(json_t *object, const struct measurement *result)
{
    const struct files *files = &result->files;
    if (!(result->flags & COUNTERS_PER_FILE))
        return;
    const struct file_list *const lists[] = { &files->files, &files->directories, &files->mounts };
    static const char *const keys[] = { "files", "directories", "mounts" };
    size_t shown = files->mounts.count || result->files_wanted.mounts ? 3 : 2;
    for (size_t i = 0; i < shown; i++) {
        struct records records = records_of(lists[i], SIZE_MAX);
        json_object_set_new(object, keys[i], records_json(&records));
    }
    json_object_set_new(object, "files_other", json_of(&files->other));
    json_object_set_new(object, "files_unnamed", json_of(&files->unnamed));
}

static json_t *nothing(const void *record)
{
    (void)record;
    return NULL;
}

/* The value that a column of the rows of calls has for a file. */
static json_t *(*value_of(const char *key))(const void *)
{
    for (const struct field *field = fields; field->key; field++)
        if (!strcmp(field->key, strcmp(key, "name") ? key : "path"))
            return field->value;
    return nothing;
}

void report_files_csv(struct output_table *table, const struct measurement *result, const char **texts, size_t count)
{
    const struct files *files = &result->files;
    const struct file_list other = { (struct file_row *)&files->other, 1, 0 };
    const struct file_list unnamed = { (struct file_row *)&files->unnamed, 1, 0 };
    const struct file_list *const lists[] = { &files->files, &files->directories, &files->mounts, &other, &unnamed };
    static const char *const kinds[] = { "file", "directory", "mount", "files_other", "files_unnamed" };
    struct records rows = rows_records_of(result, &result->library);
    size_t used = 0;
    struct field same[64] = { { 0 } };
    for (const struct field *field = rows.fields; (field->key || field->title) && used < 63; field++) {
        same[used] = *field;
        if (field->key)
            same[used].value = value_of(field->key);
        used++;
    }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        rows.fields = same;
        rows.record = lists[i]->row;
        rows.count = lists[i]->count;
        rows.size = sizeof *lists[i]->row;
        texts[count - 1] = kinds[i];
        records_csv_add(table, &rows, texts, count);
    }
}
