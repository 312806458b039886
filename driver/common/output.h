/* Where results go: a stream or a file that appears whole or not at all, in one of several formats. */
#ifndef COMMON_OUTPUT_H
#define COMMON_OUTPUT_H

#include "color.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum output_format { OUTPUT_TABLE, OUTPUT_JSON, OUTPUT_CSV, OUTPUT_PROMETHEUS };

/* A destination. With a path the text is written to PATH.XXXXXX beside it and renamed by output_close; until then all
 * signals wait, so that none leaves that file behind. */
struct output {
    FILE *stream;
    char *path;       /* NULL: a standard stream */
    char *temporary;  /* the file that is being written, NULL for a standard stream or a device */
    sigset_t mask;    /* of signals, from before the temporary file */
    enum output_format format;
    bool terminal;    /* people look at it as it comes */
    bool color;
    int columns;      /* of what it is for; 0: see output_width() */
    size_t rows;      /* records that a table shows at most, the first ones; 0: all */
};

/* Whether output_open(path) would write to a terminal. */
bool output_terminal(const char *path);

/* What begins and ends a coloured text on this output: nothing where it has no colours. */
const char *output_color(const struct output *output, enum color color);

/* The file name that a pattern stands for: %p is the process id, %h the host's name, %% a percent sign. A new string.
 * All paths below are such patterns. */
char *output_name(const char *pattern);

/* Whether output_open(path) is likely to succeed, found out without making anything: for use before a long run whose
 * results would be lost, and which must not see our file. Returns 0, or -1 after saying what is wrong. */
int output_check(const char *path);

/* Open `path` (NULL or "-" is standard output). A path that is not a regular file, such as /dev/full or a pipe,
 * is written to directly. Returns 0, or -1 after saying what is wrong. */
int output_open(struct output *output, const char *path, enum output_format format);

/* The same for who leaves standard output to a command: NULL is standard error. */
int output_open_beside(struct output *output, const char *path, enum output_format format);

/* Flush, check for write errors and rename into place. Returns 0, or -1 after saying what is wrong. SIGPIPE's
 * reader that has gone away is not a fault of ours and is not reported. */
int output_close(struct output *output);

/* Drop what was written: nothing appears at the path. */
void output_abandon(struct output *output);

/* A table that can be printed for people (libsmartcols) or as CSV (RFC 4180). */
struct output_column {
    const char *name;
    bool right;       /* numbers: right-aligned */
};
struct output_table;

struct output_table *output_table_new(const struct output_column *columns, size_t count);
void output_table_free(struct output_table *table);

/* Add a row of as many cells as columns; NULL is an empty cell. The texts are copied, or become the table's. */
void output_table_row(struct output_table *table, const char *const *cells);
void output_table_take(struct output_table *table, char *const *cells);

/* Dashes under or above what follows, as strace -c draws them; CSV has none of them. */
void output_table_rule(struct output_table *table);

/* Print as table or CSV, as output->format says. */
void output_table_print(const struct output_table *table, struct output *output);

/* Screen columns that the table takes. */
size_t output_table_width(const struct output_table *table);

/* Columns of the terminal that the output goes to, or of COLUMNS; 80 where neither is known. */
int output_width(const struct output *output);

/* The same for text, whose lines are hard to read where they are longer than 80. */
int output_line(const struct output *output);

/* A text of any bytes in such lines, `label` beside the first and as much space before the others; "" for none. */
void output_text(struct output *output, const char *label, const char *text);

#endif
