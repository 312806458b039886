/* Text built in a buffer that is given, without libc: it must work in a process that is going down. What does not fit
 * is left out. */
#ifndef TABLE_TEXT_H
#define TABLE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *start, *next, *end;
};
/* An empty text in an array of characters, which keeps room for a final 0. */
#define TEXT_IN(array) { array, array, array + sizeof array - 1 }

/* Strings, one behind the other. */
#define text_put(text, ...) text_strings(text, (const char *const[]){ __VA_ARGS__, NULL })
void text_strings(struct text *text, const char *const *strings);
void text_char(struct text *text, char c);
void text_bytes(struct text *text, const char *bytes, size_t size);
void text_number(struct text *text, uint64_t number, int width);    /* right-aligned */
void text_pad(struct text *text, const char *string, int width);    /* left-aligned */
void text_quote(struct text *text, const char *string);             /* as a JSON string */
void text_plain(struct text *text, const char *string);             /* control characters as \ooo */
const char *text_end(struct text *text);                            /* the string that a TEXT_IN has become */

size_t text_length(const char *string);
bool text_equal(const char *a, const char *b);
bool text_begins(const char *string, const char *prefix);
const char *text_base(const char *path);                            /* what stands behind its last slash */

/* The value of a variable in a list of NAME=VALUE, or NULL. */
const char *text_variable(char *const *environment, const char *name);

/* The place of a name in a value of LD_PRELOAD, whose entries end with a colon or a space, or NULL. */
const char *text_entry(const char *value, const char *name);

/* A line on a descriptor: "libcount: " a b c, which may hold any bytes. */
void text_warn(int descriptor, const char *a, const char *b, const char *c);

#endif
