/* Output: files that appear whole, tables by libsmartcols, CSV after RFC 4180, JSON by jansson. */
#include "output.h"

#include "errors.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

bool output_format_parse(const char *text, enum output_format *format)
{
    static const char *const names[] = { "table", "json", "csv" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!strcmp(text, names[i])) {
            *format = (enum output_format)i;
            return true;
        }
    }
    return false;
}

/* A temporary file beside `path` with the mode that a plain open would have given it. */
static FILE *open_temporary(struct output *output, const char *path)
{
    output->temporary = errors_format("%s.XXXXXX", path);
    int descriptor = mkostemp(output->temporary, O_CLOEXEC);
    if (descriptor < 0) {
        free(output->temporary);
        output->temporary = NULL;
        return NULL;
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    return fdopen(descriptor, "w");
}

int output_check(const char *path)
{
    struct stat status;
    int failure = 0;
    if (!path || !strcmp(path, "-"))
        return 0;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        failure = S_ISDIR(status.st_mode) ? EISDIR : access(path, W_OK) ? errno : 0;
    } else {
        char *copy = errors_strdup(path);
        failure = access(dirname(copy), W_OK | X_OK) ? errno : 0;
        free(copy);
    }
    if (failure)
        errors_say_errno(failure, "output: %s", path);
    return failure ? -1 : 0;
}

int output_open(struct output *output, const char *path, enum output_format format)
{
    struct stat status;
    *output = (struct output){ .stream = stdout, .format = format };
    if (!path || !strcmp(path, "-"))
        return 0;
    output->path = errors_strdup(path);
    bool special = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    output->stream = special ? fopen(path, "we") : open_temporary(output, path);
    if (output->stream)
        return 0;
    errors_say_errno(errno, "output: %s", path);
    free(output->path);
    output->path = NULL;
    return -1;
}

int output_close(struct output *output)
{
    const char *name = output->path ? output->path : "standard output";
    int number = 0;
    if (fflush(output->stream) || ferror(output->stream))
        number = errno ? errno : EIO;
    if (output->path && fclose(output->stream) && !number)
        number = errno;
    if (output->temporary && (number || rename(output->temporary, output->path))) {
        number = number ? number : errno;
        unlink(output->temporary);
    }
    if (number && number != EPIPE)
        errors_say_errno(number, "output: %s", name);
    free(output->temporary);
    free(output->path);
    *output = (struct output){ 0 };
    return number && number != EPIPE ? -1 : 0;
}

void output_abandon(struct output *output)
{
    if (output->path && output->stream)
        fclose(output->stream);
    if (output->temporary)
        unlink(output->temporary);
    free(output->temporary);
    free(output->path);
    *output = (struct output){ 0 };
}

void output_json(struct output *output, json_t *value)
{
    if (!value || json_dumpf(value, output->stream, JSON_INDENT(1) | JSON_REAL_PRECISION(17) | JSON_ENSURE_ASCII))
        errors_say("JSON: cannot be written");
    fputc('\n', output->stream);
    json_decref(value);
}

/* Bytes of the UTF-8 character at `text`, 0 where there is none: a lead byte decides how many may follow. */
static size_t utf8_length(const char *text)
{
    unsigned char lead = (unsigned char)*text;
    size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < length; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

json_t *output_json_text(const char *text)
{
    json_t *value = json_string(text);
    if (value)
        return value;
    char *valid = errors_calloc(3 * strlen(text) + 1, 1), *end = valid;
    while (*text) {
        size_t length = utf8_length(text);
        char *character = errors_format("%.*s", (int)length, text);
        json_t *probe = length ? json_string(character) : NULL;
        end = stpcpy(end, probe ? character : "\xef\xbf\xbd");
        text += probe ? length : 1;
        json_decref(probe);
        free(character);
    }
    value = json_string(valid);
    free(valid);
    return value;
}

struct output_table {
    size_t columns, rows;
    struct output_column *column;
    char **cells;     /* rows * columns texts; a row of rules has RULE in its first cell */
};

static char RULE[] = "-";

struct output_table *output_table_new(const struct output_column *columns, size_t count)
{
    struct output_table *table = errors_calloc(1, sizeof *table);
    table->columns = count;
    table->column = errors_calloc(count, sizeof *table->column);
    memcpy(table->column, columns, count * sizeof *columns);
    for (size_t i = 0; i < count; i++)
        table->column[i].name = errors_strdup(columns[i].name);
    return table;
}

void output_table_free(struct output_table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->rows * table->columns; i++)
        if (table->cells[i] != RULE)
            free(table->cells[i]);
    for (size_t i = 0; i < table->columns; i++)
        free((char *)table->column[i].name);
    free(table->cells);
    free(table->column);
    free(table);
}

static char **new_row(struct output_table *table)
{
    table->cells = errors_realloc(table->cells, (table->rows + 1) * table->columns, sizeof *table->cells);
    char **row = table->cells + table->rows++ * table->columns;
    memset(row, 0, table->columns * sizeof *row);
    return row;
}

void output_table_row(struct output_table *table, const char *const *cells)
{
    char **row = new_row(table);
    for (size_t i = 0; i < table->columns; i++)
        row[i] = cells[i] ? errors_strdup(cells[i]) : NULL;
}

void output_table_rule(struct output_table *table)
{
    new_row(table)[0] = RULE;
}

/* One field of RFC 4180: quoted when it holds a comma, a quote or a line end. */
static void csv_field(FILE *stream, const char *text)
{
    if (!text)
        return;
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

static void print_csv(const struct output_table *table, FILE *stream)
{
    for (size_t i = 0; i < table->columns; i++) {
        if (i)
            fputc(',', stream);
        csv_field(stream, table->column[i].name);
    }
    fputs("\n", stream);
    for (size_t row = 0; row < table->rows; row++) {
        char **cells = table->cells + row * table->columns;
        if (cells[0] == RULE)
            continue;
        for (size_t i = 0; i < table->columns; i++) {
            if (i)
                fputc(',', stream);
            csv_field(stream, cells[i]);
        }
        fputs("\n", stream);
    }
}

/* Screen columns of a text; bytes where it is not valid in the locale. */
static size_t text_width(const char *text)
{
    wchar_t wide[1024];
    size_t length = mbstowcs(wide, text, 1024);
    int width = length < 1024 ? wcswidth(wide, length) : -1;
    return width < 0 ? strlen(text) : (size_t)width;
}

/* Width in screen columns of the longest text of a column, for its rules. */
static size_t column_width(const struct output_table *table, size_t column)
{
    size_t width = text_width(table->column[column].name);
    for (size_t row = 0; row < table->rows; row++) {
        const char *cell = table->cells[row * table->columns + column];
        size_t cells = cell && cell != RULE ? text_width(cell) : 0;
        width = cells > width ? cells : width;
    }
    return width;
}

static void fill_line(const struct output_table *table, size_t row, struct libscols_line *line, char **rules)
{
    char **cells = table->cells + row * table->columns;
    for (size_t i = 0; i < table->columns; i++) {
        const char *cell = cells[0] == RULE ? rules[i] : cells[i];
        if (scols_line_set_data(line, i, cell ? cell : ""))
            errors_say("out of memory");
    }
}

static void print_table(const struct output_table *table, FILE *stream)
{
    struct libscols_table *out = scols_new_table();
    char **rules = errors_calloc(table->columns, sizeof *rules);
    scols_table_set_stream(out, stream);
    scols_table_enable_nowrap(out, 1);
    scols_table_set_termforce(out, SCOLS_TERMFORCE_NEVER);
    for (size_t i = 0; i < table->columns; i++) {
        size_t width = column_width(table, i);
        int flags = table->column[i].right ? SCOLS_FL_RIGHT : 0;
        scols_table_new_column(out, table->column[i].name, 1, flags);
        rules[i] = errors_calloc(width + 1, 1);
        memset(rules[i], '-', width);
    }
    for (size_t row = 0; row < table->rows; row++)
        fill_line(table, row, scols_table_new_line(out, NULL), rules);
    scols_print_table(out);
    scols_unref_table(out);
    for (size_t i = 0; i < table->columns; i++)
        free(rules[i]);
    free(rules);
}

void output_table_print(const struct output_table *table, struct output *output)
{
    if (output->format == OUTPUT_CSV)
        print_csv(table, output->stream);
    else if (table->rows)
        print_table(table, output->stream);
}

int output_width(void)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    int width = columns ? atoi(columns) : 0;
    if (width > 0)
        return width;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}
