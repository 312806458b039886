/* What was asked for by path: files, the sums of their directories and of the file systems that they are on. */
#ifndef CALLS_FILES_H
#define CALLS_FILES_H

#include "shim/table/counters.h"

enum files_column { FILES_OPENS, FILES_LOOKS, FILES_MISSES, FILES_READS, FILES_WRITES, FILES_BYTES_READ,
                    FILES_BYTES_WRITTEN, FILES_COLUMNS };

struct file_row {
    char *path;                   /* any bytes */
    char *type;                   /* of the file system; NULL: this is no mount point */
    uint64_t sum[FILES_COLUMNS];
};

struct file_list {
    struct file_row *row;
    size_t count, room;
};

struct files {
    struct file_list files, directories, mounts;
    struct file_row other, unnamed;   /* what found no room, what has no path; without paths themselves */
};

/* How they were asked for. */
struct files_wanted {
    long depth;                   /* parts of directories' paths that are kept; 0: all */
    bool misses;                  /* only those that have some */
    bool mounts;
};

/* Add what a table says. */
void files_read(const struct counters_table *table, struct files *files);

/* Sums of directories and mounts, and the order: what is asked for most comes first. */
void files_complete(struct files *files, const struct files_wanted *wanted);

/* The row of that path in a list that files_sort_paths() sorted; NULL: none. */
const struct file_row *files_find(const struct file_list *list, const char *path);
void files_sort_paths(struct file_list *list);
void files_sort(struct file_list *list, bool misses);

/* Add to the row of that path, making one; the list need not be sorted and is not afterwards. */
void files_append(struct file_list *list, const char *path, const char *type, const uint64_t sum[FILES_COLUMNS]);

/* Make one row of those with the same path. Sorts by path. */
void files_unite(struct file_list *list);

uint64_t files_asked(const struct file_row *row);   /* opens, looks, reads and writes */
void files_free(struct files *files);
void files_free_list(struct file_list *list);

#endif
