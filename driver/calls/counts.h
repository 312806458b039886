/* Lists of named rows of calls. Pure. */
#ifndef CALLS_COUNTS_H
#define CALLS_COUNTS_H

#include "common/statistics.h"
#include "parts.h"
#include "shim/table/counters.h"
#include "shim/table/names.h"

/* Nanoseconds; p50 and p99 come from the table's bins, so they are right to an eighth. All 0 without timing. */
struct count_times {
    uint64_t total, minimum, maximum, p50, p99;
    uint64_t waited;              /* of the total: for a child, a time, a message */
};

struct count {
    char name[NAMES_SIZE];
    const char *family;
    uint64_t calls, errors;
    bool unseen;                  /* how some of these calls ended was not seen: `errors` is a lower bound */
    struct parts errnos;          /* of the errors; their sum is `errors` */
    struct parts callers;         /* of the calls, where asked for; their sum is `calls` */
    bool carries;                 /* its results are numbers of bytes: */
    uint64_t bytes;               /* their sum, where asked for */
    struct count_times times;
    double calls_per_s, errors_per_s;  /* between two readings; see live/rates.h */
    uint64_t *each;               /* the calls in each of `reports` reports that were added up; NULL: in one */
    size_t reports;
};

struct count_list {
    struct count *row;
    size_t count;
};

enum count_order { ORDER_CALLS, ORDER_ERRORS, ORDER_NAME, ORDER_FAMILY, ORDER_TIME };

/* A new row at the end, for the caller to fill in; what a row holds. */
struct count *counts_append(struct count_list *list);
void counts_row_free(struct count *row);

/* Add the rows of another list, by name: their parts become this list's. */
void counts_merge(struct count_list *list, struct count_list *others);

/* Add calls of a system call, by its number on an architecture ("" is this machine's own, "i386:" is another), whose
 * errors were not seen: to the row of its name, or as a new one. */
void counts_add_unseen(struct count_list *list, const char *architecture, int number, uint64_t calls);
void counts_free(struct count_list *list);

/* Most first for calls, errors and total time; ties by calls, then by name. */
void counts_sort(struct count_list *list, enum count_order order);

/* Whether `name` is one of the comma-separated `names`. */
bool counts_listed(const char *names, const char *name);

/* Keep the rows whose family is one of `families`, a comma-separated list that counts_families_known() accepts. */
void counts_keep(struct count_list *list, const char *families);

/* Whether each name of a comma-separated list is a family; else *unknown is a new string with the first that isn't. */
bool counts_families_known(const char *families, char **unknown);

/* The family of a library call or of a system call of this machine; NULL for another name. */
const char *counts_family_of(const char *call);

/* The names of all families, in the order of calls.def, as a new string: "lstat, getxattr, ...". */
char *counts_families(void);

/* The row of that name, or NULL. */
const struct count *counts_find(const struct count_list *list, const char *name);

/* Every name that occurs in one of `lists`, once, with sums of calls, errors and total time. */
struct count_list counts_union(const struct count_list *const *lists, size_t count);

/* The rows by error: one for each errno, whose `calls` failed with it; or by caller, who made so many `calls`. Their
 * `errnos` are by the name of the call. */
struct count_list counts_by_errno(const struct count_list *list);
struct count_list counts_by_caller(const struct count_list *list);

/* Sums over all rows; only calls, errors, their rates and times.total and times.waited are filled in, and `each`, the caller's to free,
 * where rows have it. */
struct count counts_total(const struct count_list *list);

/* The least, median and most of `each`. */
struct statistics_spread counts_spread(const struct count *row);

#endif
