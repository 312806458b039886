/* What was asked for by path. */
#include "files.h"

#include "common/memory.h"
#include "mounts.h"
#include "shim/table/file.h"

#include <stdlib.h>
#include <string.h>

static void add(uint64_t sum[FILES_COLUMNS], const uint64_t more[FILES_COLUMNS])
{
    for (int i = 0; i < FILES_COLUMNS; i++)
        sum[i] += more[i];
}

/* For so many more rows; in one go, which is cheaper than many page faults. */
static void make_room(struct file_list *list, size_t count)
{
    list->room = list->count + count;
    list->row = memory_realloc(list->row, list->room, sizeof *list->row);
    file_populate(list->row + list->count, count * sizeof *list->row);
}

/* With strings that become the row's. */
static void append(struct file_list *list, char *path, char *type, const uint64_t sum[FILES_COLUMNS])
{
    if (list->count >= list->room)
        make_room(list, list->count ? list->count : 1);
    struct file_row *row = &list->row[list->count++];
    *row = (struct file_row){ path, type, { 0 } };
    add(row->sum, sum);
}

void files_append(struct file_list *list, const char *path, const char *type, const uint64_t sum[FILES_COLUMNS])
{
    append(list, memory_strdup(path), type ? memory_strdup(type) : NULL, sum);
}

/* A copy of the counters of a place; true: there is something. */
static bool counters_of(const struct counters_file *file, uint64_t sum[FILES_COLUMNS])
{
    const _Atomic uint64_t *const from[] = { &file->opens, &file->looks, &file->misses, &file->reads, &file->writes,
                                             &file->bytes_read, &file->bytes_written };
    bool any = false;
    for (int i = 0; i < FILES_COLUMNS; i++) {
        sum[i] = *from[i];
        any |= sum[i];
    }
    return any;
}

/* The path of a file: a new string, NULL where the table says none. Folders came earlier: whatever stands there, this
 * ends. */
static char *path_of(const struct counters_file *file, char *begin, const char *end)
{
    size_t left = file->length;
    char *path = memory_calloc(left + 2, 1);
    path[0] = '/';
    while (file && file->length == left && file->own <= left && file->text + file->own <= end) {
        left -= file->own;
        memcpy(path + left, file->text, file->own);
        if (!left)
            return path;
        const struct counters_file *folder = counters_file(begin, file->folder);
        file = folder < file ? folder : NULL;
    }
    free(path);
    return NULL;
}

void files_read(const struct counters_table *table, struct files *files)
{
    uint64_t sum[FILES_COLUMNS];
    char *begin = counters_part(table, COUNTERS_PART_PATHS);
    const char *end = (const char *)table + counters_used(table);
    const uint32_t *word = counters_part(table, COUNTERS_PART_FILES);
    size_t count = 0;
    for (size_t i = 0; i < COUNTERS_FILES; i++)
        count += word[i] != 0;
    make_room(&files->files, count);
    counters_of(counters_file(begin, COUNTERS_FILE_OTHER), files->other.sum);
    counters_of(counters_file(begin, COUNTERS_FILE_UNNAMED), files->unnamed.sum);
    for (size_t i = 0; i < COUNTERS_FILES; i++) {
        const struct counters_file *file = word[i] ? counters_file(begin, word[i]) : NULL;
        if (!file || (const char *)file > end - sizeof *file || !counters_of(file, sum))
            continue;
        char *path = path_of(file, begin, end);
        if (path)
            append(&files->files, path, NULL, sum);
        else
            add(files->other.sum, sum);
    }
}

uint64_t files_asked(const struct file_row *row)
{
    return row->sum[FILES_OPENS] + row->sum[FILES_LOOKS] + row->sum[FILES_READS] + row->sum[FILES_WRITES];
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct file_row *)a)->path, ((const struct file_row *)b)->path);
}

static int most_first(const void *a, const void *b)
{
    uint64_t x = files_asked(a), y = files_asked(b);
    return x != y ? (x < y) - (x > y) : by_path(a, b);
}

static int missed_first(const void *a, const void *b)
{
    uint64_t x = ((const struct file_row *)a)->sum[FILES_MISSES], y = ((const struct file_row *)b)->sum[FILES_MISSES];
    return x != y ? (x < y) - (x > y) : most_first(a, b);
}

void files_sort_paths(struct file_list *list)
{
    if (list->count)
        qsort(list->row, list->count, sizeof *list->row, by_path);
}

void files_sort(struct file_list *list, bool misses)
{
    if (list->count)
        qsort(list->row, list->count, sizeof *list->row, misses ? missed_first : most_first);
}

const struct file_row *files_find(const struct file_list *list, const char *path)
{
    struct file_row wanted = { .path = (char *)path };
    return list->count ? bsearch(&wanted, list->row, list->count, sizeof *list->row, by_path) : NULL;
}

static void free_row(struct file_row *row)
{
    free(row->path);
    free(row->type);
}

void files_unite(struct file_list *list)
{
    size_t kept = 0;
    files_sort_paths(list);
    for (size_t i = 0; i < list->count; i++) {
        if (kept && !strcmp(list->row[kept - 1].path, list->row[i].path)) {
            add(list->row[kept - 1].sum, list->row[i].sum);
            free_row(&list->row[i]);
        } else {
            list->row[kept++] = list->row[i];
        }
    }
    list->count = kept;
}

/* How long the directory of a path is, or so many parts of it, without a slash at its end: 0 of the root. */
static size_t directory_length(const char *path, long depth)
{
    size_t length = (size_t)(strrchr(path, '/') - path), end = 0;
    if (!depth)
        return length;
    for (long parts = 0; end < length; end++)
        if (path[end] == '/' && parts++ == depth)
            break;
    return end;
}

/* Of files by path, of which most are in the directory of the one before. */
static void add_directories(struct files *files, long depth)
{
    struct file_list *list = &files->directories;
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < files->files.count; i++) {
        const struct file_row *row = &files->files.row[i];
        size_t length = directory_length(row->path, depth);
        if (length == last && !memcmp(list->row[list->count - 1].path, row->path, length))
            add(list->row[list->count - 1].sum, row->sum);
        else
            append(list, length ? memory_format("%.*s", (int)length, row->path) : memory_strdup("/"), NULL, row->sum);
        last = length;
    }
}

static void drop_found(struct file_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->row[i].sum[FILES_MISSES])
            list->row[kept++] = list->row[i];
        else
            free_row(&list->row[i]);
    }
    list->count = kept;
}

void files_complete(struct files *files, const struct files_wanted *wanted)
{
    struct file_list *const lists[] = { &files->files, &files->directories, &files->mounts };
    struct mounts *mounts = wanted->mounts ? mounts_read() : NULL;
    files_unite(&files->files);
    add_directories(files, wanted->depth);
    for (size_t i = 0; mounts && i < files->files.count; i++) {
        const struct file_row *row = &files->files.row[i];
        const struct mount *mount = mounts_find(mounts, row->path);
        files_append(&files->mounts, mount->path, mount->type, row->sum);
    }
    mounts_free(mounts);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (lists[i] != &files->files)
            files_unite(lists[i]);
        if (wanted->misses)
            drop_found(lists[i]);
        files_sort(lists[i], wanted->misses);
    }
}

void files_free_list(struct file_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free_row(&list->row[i]);
    free(list->row);
    *list = (struct file_list){ 0 };
}

void files_free(struct files *files)
{
    files_free_list(&files->files);
    files_free_list(&files->directories);
    files_free_list(&files->mounts);
}
