/* Records as table, JSON and CSV. Each field is described once, for all three. */
#ifndef COMMON_RECORDS_H
#define COMMON_RECORDS_H

#include "output_json.h"

struct field {
    const char *key;      /* in JSON, and above the column in CSV; NULL: only in tables */
    const char *group;    /* the object within the record that has it in JSON; NULL: the record itself */
    const char *title;    /* above the column in tables; NULL: not in tables */
    unsigned place;       /* in tables: columns stand in ascending order */
    bool right;           /* in tables: aligned to the right */
    bool (*shown)(const void *subject);                           /* NULL: always */
    json_t *(*value)(const void *record);                         /* a new reference; JSON's null: not known; NULL: no such member */
    char *(*text)(const void *record, const void *total);         /* a new string for tables; NULL: the value's */
    char *(*fit)(const void *record, size_t room);                /* the same in so many columns, all that other columns leave */
};

struct records {
    const struct field *fields;  /* the last is all zero */
    const void *subject;         /* what the records are about, for `shown` */
    const void *record;          /* an array */
    size_t count, size;          /* of the array, of each record */
    const void *total;           /* a record that stands below the others in tables; NULL: none */
};

/* A table for people, with rules below the head and above the total. */
void records_print(const struct records *records, struct output *output);

/* An array of objects. */
json_t *records_json(const struct records *records);

/* CSV: a table whose first columns are `names`, and then records with texts in these columns. A field that is an object
 * in JSON is "KEY VALUE, KEY VALUE" in CSV and tables. */
struct output_table *records_csv(const struct records *records, const char *const *names, size_t count);
void records_csv_add(struct output_table *table, const struct records *records, const char *const *texts, size_t count);

#endif
