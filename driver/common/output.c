/* Output: files that appear whole, tables by libsmartcols, CSV after RFC 4180. */
#include "output.h"

#include "errors.h"
#include "hold.h"
#include "memory.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { WIDEST = 10000, LINE = 80 };

/* A temporary file beside `path` with the mode that a plain open would have given it. Signals wait meanwhile. */
static FILE *open_temporary(struct output *output, const char *path)
{
    output->temporary = memory_format("%s.XXXXXX", path);
    hold_begin(&output->mask);
    int descriptor = mkostemp(output->temporary, O_CLOEXEC);
    if (descriptor < 0) {
        int number = errno;
        hold_end(&output->mask);
        free(output->temporary);
        output->temporary = NULL;
        errno = number;
        return NULL;
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    return fdopen(descriptor, "w");
}

char *output_name(const char *pattern)
{
    struct utsname host = { .nodename = "localhost" };
    char *name = NULL;
    size_t size;
    FILE *stream = open_memstream(&name, &size);
    uname(&host);
    for (const char *c = pattern; stream && *c; c++) {
        if (c[0] == '%' && c[1] == 'p')
            fprintf(stream, "%d", getpid()), c++;
        else if (c[0] == '%' && c[1] == 'h')
            fputs(host.nodename, stream), c++;
        else
            fputc(*c, stream), c += c[0] == '%' && c[1] == '%';
    }
    if (stream)
        fclose(stream);
    return name ? name : memory_strdup(pattern);
}

static int check(const char *path)
{
    struct stat status;
    int failure = 0;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        failure = S_ISDIR(status.st_mode) ? EISDIR : access(path, W_OK) ? errno : 0;
    } else {
        char *copy = memory_strdup(path);
        failure = access(dirname(copy), W_OK | X_OK) ? errno : 0;
        free(copy);
    }
    if (failure)
        errors_say_errno(failure, "output: %s", path);
    return failure ? -1 : 0;
}

bool output_terminal(const char *path)
{
    return (!path || !strcmp(path, "-")) && isatty(STDOUT_FILENO);
}

int output_check(const char *path)
{
    if (!path || !strcmp(path, "-"))
        return 0;
    char *name = output_name(path);
    int result = check(name);
    free(name);
    return result;
}

static void use_stream(struct output *output, FILE *stream, bool terminal, enum output_format format)
{
    *output = (struct output){ .stream = stream, .format = format, .terminal = terminal };
    output->color = format == OUTPUT_TABLE && color_wanted(terminal);
}

int output_open_beside(struct output *output, const char *path, enum output_format format)
{
    if (path)
        return output_open(output, path, format);
    int descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");  /* with a buffer, which stderr has not */
    if (!stream) {
        errors_say_errno(errno, "output: standard error");
        return -1;
    }
    use_stream(output, stream, isatty(descriptor), format);
    return 0;
}

int output_open(struct output *output, const char *path, enum output_format format)
{
    struct stat status;
    use_stream(output, stdout, output_terminal(path), format);
    if (!path || !strcmp(path, "-"))
        return 0;
    output->path = output_name(path);
    bool special = stat(output->path, &status) == 0 && !S_ISREG(status.st_mode);
    output->stream = special ? fopen(output->path, "we") : open_temporary(output, output->path);
    if (output->stream)
        return 0;
    errors_say_errno(errno, "output: %s", output->path);
    free(output->path);
    output->path = NULL;
    return -1;
}

/* The end of an output, whatever has become of it. */
static void forget(struct output *output)
{
    if (output->temporary)
        hold_end(&output->mask);
    free(output->temporary);
    free(output->path);
    *output = (struct output){ 0 };
}

int output_close(struct output *output)
{
    bool ours = output->stream != stdout;
    const char *name = output->path ? output->path : ours ? "standard error" : "standard output";
    int number = 0;
    if (fflush(output->stream) || ferror(output->stream))
        number = errno ? errno : EIO;
    if (ours && fclose(output->stream) && !number)
        number = errno;
    if (output->temporary && (number || rename(output->temporary, output->path))) {
        number = number ? number : errno;
        unlink(output->temporary);
    }
    if (number && number != EPIPE)
        errors_say_errno(number, "output: %s", name);
    forget(output);
    return number && number != EPIPE ? -1 : 0;
}

void output_abandon(struct output *output)
{
    if (output->stream && output->stream != stdout)
        fclose(output->stream);
    if (output->temporary)
        unlink(output->temporary);
    forget(output);
}

struct output_table {
    size_t columns, rows;
    struct output_column *column;
    char **cells;     /* rows * columns texts; a row of rules has RULE in its first cell */
};

static char RULE[] = "-";

struct output_table *output_table_new(const struct output_column *columns, size_t count)
{
    struct output_table *table = memory_calloc(1, sizeof *table);
    table->columns = count;
    table->column = memory_calloc(count, sizeof *table->column);
    memcpy(table->column, columns, count * sizeof *columns);
    for (size_t i = 0; i < count; i++)
        table->column[i].name = memory_strdup(columns[i].name);
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
    table->cells = memory_realloc(table->cells, (table->rows + 1) * table->columns, sizeof *table->cells);
    char **row = table->cells + table->rows++ * table->columns;
    memset(row, 0, table->columns * sizeof *row);
    return row;
}

void output_table_row(struct output_table *table, const char *const *cells)
{
    char **row = new_row(table);
    for (size_t i = 0; i < table->columns; i++)
        row[i] = cells[i] ? memory_strdup(cells[i]) : NULL;
}

void output_table_take(struct output_table *table, char *const *cells)
{
    memcpy(new_row(table), cells, table->columns * sizeof *cells);
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

/* All cells as the screen can show them, the names of the columns first; a row of rules stays one. */
static char **printable_cells(const struct output_table *table)
{
    char **shown = memory_calloc((table->rows + 1) * table->columns, sizeof *shown);
    for (size_t i = 0; i < table->columns; i++)
        shown[i] = text_printable(table->column[i].name);
    for (size_t i = 0; i < table->rows * table->columns; i++) {
        const char *cell = table->cells[i];
        shown[table->columns + i] = cell == RULE ? RULE : text_printable(cell ? cell : "");
    }
    return shown;
}

static void free_cells(const struct output_table *table, char **shown)
{
    for (size_t i = 0; i < (table->rows + 1) * table->columns; i++)
        if (shown[i] != RULE)
            free(shown[i]);
    free(shown);
}

/* Screen columns of the widest cell of a column. */
static size_t column_width(const struct output_table *table, char **shown, size_t column)
{
    size_t width = 0;
    for (size_t row = 0; row <= table->rows; row++) {
        const char *cell = shown[row * table->columns + column];
        size_t columns = cell == RULE ? 0 : text_width(cell);
        width = columns > width ? columns : width;
    }
    return width;
}

size_t output_table_width(const struct output_table *table)
{
    char **shown = printable_cells(table);
    size_t width = table->columns - 1;
    for (size_t i = 0; i < table->columns; i++)
        width += column_width(table, shown, i);
    free_cells(table, shown);
    return width;
}

static void fill_line(struct libscols_line *line, char **cells, char **rules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (scols_line_set_data(line, i, cells[0] == RULE ? rules[i] : cells[i]))
            errors_say("out of memory");
}

static void print_table(const struct output_table *table, const struct output *output)
{
    struct libscols_table *out = scols_new_table();
    char **rules = memory_calloc(table->columns, sizeof *rules), **shown = printable_cells(table);
    scols_table_set_stream(out, output->stream);
    scols_table_enable_nowrap(out, 1);
    scols_table_enable_noencoding(out, 1);
    scols_table_enable_colors(out, output->color);
    scols_table_set_termforce(out, SCOLS_TERMFORCE_NEVER);
    for (size_t i = 0; i < table->columns; i++) {
        size_t width = column_width(table, shown, i);
        struct libscols_column *column =
            scols_table_new_column(out, shown[i], 1, table->column[i].right ? SCOLS_FL_RIGHT : 0);
        if (*shown[i])
            scols_cell_set_color(scols_column_get_header(column), color_code(COLOR_HEADING));
        rules[i] = memory_calloc(width + 1, 1);
        memset(rules[i], '-', width);
    }
    for (size_t row = 1; row <= table->rows; row++)
        fill_line(scols_table_new_line(out, NULL), shown + row * table->columns, rules, table->columns);
    scols_print_table(out);
    scols_unref_table(out);
    free_cells(table, shown);
    for (size_t i = 0; i < table->columns; i++)
        free(rules[i]);
    free(rules);
}

void output_table_print(const struct output_table *table, struct output *output)
{
    if (output->format == OUTPUT_CSV)
        print_csv(table, output->stream);
    else if (table->rows)
        print_table(table, output);
}

const char *output_color(const struct output *output, enum color color)
{
    return output->color ? color_code(color) : "";
}

int output_width(const struct output *output)
{
    struct winsize size;
    if (output->columns)
        return output->columns;
    const char *columns = getenv("COLUMNS");
    long width = columns ? strtol(columns, NULL, 10) : 0;
    if (width > 0)
        return width < WIDEST ? (int)width : WIDEST;
    if (output->terminal && ioctl(fileno(output->stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return LINE;
}

int output_line(const struct output *output)
{
    int width = output_width(output);
    return width < LINE ? width : LINE;
}

void output_text(struct output *output, const char *label, const char *text)
{
    int indent = (int)text_width(label), line = output_line(output);
    char *shown = text_printable(text), *lines = text_wrap(shown, line > indent ? (size_t)(line - indent) : 1);
    for (char *at = lines, *end; (end = strchr(at, '\n')); at = end + 1)
        fprintf(output->stream, "%*s%.*s\n", indent, at == lines ? label : "", (int)(end - at), at);
    free(lines);
    free(shown);
}
