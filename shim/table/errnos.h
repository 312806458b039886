/* The errors of a row, by errno. */
#ifndef TABLE_ERRNOS_H
#define TABLE_ERRNOS_H

#include "counters.h"

enum { ERRNOS_MOST = 64, ERRNOS_NAME = 24 };

struct errnos {
    size_t count;
    struct {
        uint32_t number;         /* 0: of which nobody knows */
        uint64_t calls;
    } each[ERRNOS_MOST];
};

/* What the table knows of the `errors` of a row, which counts library calls first, then system calls: the most frequent
 * first, errors without a place in the table last. The sum is `errors`. */
void errnos_read(struct errnos *errnos, const struct counters_table *table, size_t row, uint64_t errors);

/* "ENOENT"; "other" for 0. */
const char *errnos_name(uint32_t number, char name[ERRNOS_NAME]);

#endif
