/* The file in shared memory that holds one command's counters, from its creation to its removal. */
#ifndef CALLS_MEASURE_TABLE_FILE_H
#define CALLS_MEASURE_TABLE_FILE_H

#include "shim/table/counters.h"

struct table_file {
    struct counters_table *table;  /* mapped, initialised */
    size_t size;                   /* bytes mapped */
    char *path;
    int descriptor;                /* never 0 to 2, not inherited */
    char *link;                    /* a second name of the library, or NULL */
};

/* Make /dev/shm/libcount.UID.PID (in $TMPDIR or /tmp where that cannot be used) and remove what runs that were killed
 * left behind. Returns 0, or -1 after saying what is wrong. */
int table_file_create(struct table_file *file, uint32_t flags);

/* A name of the library without the characters at which LD_PRELOAD is split or expanded: `library` itself, or a
 * symbolic link to it that table_file_remove() removes. NULL after saying what is wrong. */
const char *table_file_library(struct table_file *file, const char *library);

/* The processes that still have the table mapped, as a new string "make (123), cc1 (456)", and how many they are;
 * NULL for none. */
char *table_file_users(const struct table_file *file, size_t *count);

void table_file_remove(struct table_file *file);

#endif
