/* What a number is made of, by name: the errors of a row by errno, its calls by who made them. */
#ifndef CALLS_PARTS_H
#define CALLS_PARTS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

struct part {
    char *name;
    uint64_t count;
};

struct parts {
    struct part *part;
    size_t count;
};

/* The part of a name that there is no name for, and comes last. */
#define PARTS_OTHER "other"

void parts_add(struct parts *parts, const char *name, uint64_t count);
void parts_add_all(struct parts *parts, const struct parts *others);
/* Take away what was there before; what has not grown is gone. */
void parts_subtract(struct parts *parts, const struct parts *before);
void parts_sort(struct parts *parts);    /* most first, then by name; PARTS_OTHER last */
void parts_fill(struct parts *parts, uint64_t sum);  /* add what is missing as PARTS_OTHER */
uint64_t parts_sum(const struct parts *parts);
void parts_free(struct parts *parts);

/* {"ENOENT": 17, "EACCES": 1}; NULL where there is none. A new reference. */
json_t *parts_json(const struct parts *parts);

/* "ENOENT 17, EACCES 1" in at most `room` columns: what does not fit is "...". A new string; NULL where there is none. */
char *parts_text(const struct parts *parts, size_t room);

#endif
