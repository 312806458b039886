/* The article's table, its sums by family, and how many files its directory must have held. */
#include "article.h"

#include "common/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { VARIANTS = 3 };
static const char *const variants[VARIANTS] = { "ls -l", "ls -1", "ls" };

/* As printed in June 2006: Linux 2.4.21, 32 bits, system calls counted by strace. */
static const struct old_row {
    const char *name, *family;
    uint64_t calls[VARIANTS];
} old_rows[] = {
    { "brk", "memory", { 5, 5, 5 } },
    { "close", "close", { 17, 9, 9 } },
    { "connect", "network", { 2, 0, 0 } },
    { "execve", "process", { 1, 1, 1 } },
    { "exit_group", "process", { 1, 1, 1 } },
    { "fcntl64", "close", { 5, 1, 1 } },
    { "fstat64", "lstat", { 15, 9, 9 } },
    { "getdents64", "getdents", { 2, 2, 2 } },
    { "gettimeofday", "time", { 1, 0, 0 } },
    { "getxattr", "getxattr", { 100, 0, 0 } },
    { "ioctl", "ioctl", { 3, 3, 3 } },
    { "lstat64", "lstat", { 100, 0, 0 } },
    { "mmap2", "memory", { 9, 4, 4 } },
    { "munmap", "memory", { 8, 3, 3 } },
    { "old_mmap", "memory", { 13, 11, 11 } },
    { "open", "open", { 52, 31, 31 } },
    { "read", "read", { 14, 6, 6 } },
    { "rt_sigaction", "signal", { 3, 3, 3 } },
    { "set_thread_area", "process", { 1, 1, 1 } },
    { "socket", "network", { 2, 0, 0 } },
    { "stat64", "lstat", { 15, 15, 15 } },
    { "uname", "names", { 1, 1, 1 } },
    { "write", "write", { 2, 1, 1 } },
};
enum { OLD_ROWS = sizeof old_rows / sizeof *old_rows };

/* Its second figure: all system calls of ls -l and ls -1 in a directory of 10,000 files; and what the text says of
 * the directory of the table. */
static const uint64_t old_many[2] = { 20444, 242 }, old_files = 10000, old_said = 20;

static uint64_t old_sum(const char *family, size_t variant)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < OLD_ROWS; i++)
        if (!family || !strcmp(old_rows[i].family, family))
            sum += old_rows[i].calls[variant];
    return sum;
}

static uint64_t new_sum(const struct count_list *list, const char *family)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < list->count; i++)
        if (!family || !strcmp(list->row[i].family, family))
            sum += list->row[i].calls;
    return sum;
}

/* Today's counts of a variant: from execve on, as strace had them, or of the program alone where nothing else is known. */
static const struct count_list *today(const struct experiment *experiment, size_t variant)
{
    bool known = experiment->startup[variant] >= 0;
    return known ? &experiment->whole[variant] : &experiment->result[variant].system;
}

/* The families that have calls then or now, in the order of the old table and then of today's rows. */
static size_t families(const struct experiment *experiment, const char **names, size_t limit)
{
    size_t count = 0;
    for (size_t variant = 0; variant <= experiment->variants; variant++) {
        const struct count_list *list = variant ? today(experiment, variant - 1) : NULL;
        for (size_t i = 0; i < (list ? list->count : OLD_ROWS); i++) {
            const char *family = list ? list->row[i].family : old_rows[i].family;
            size_t at = 0;
            while (at < count && strcmp(names[at], family))
                at++;
            if (at == count && count < limit)
                names[count++] = family;
        }
    }
    return count;
}

static char *number(uint64_t value)
{
    return value ? memory_format("%" PRIu64, value) : memory_strdup("-");
}

static void add_row(struct output_table *table, const struct experiment *experiment, const char *family)
{
    size_t count = 1 + VARIANTS + experiment->variants;
    char **cells = memory_calloc(count, sizeof *cells);
    cells[0] = memory_strdup(family ? family : "total");
    for (size_t i = 0; i < VARIANTS; i++)
        cells[1 + i] = number(old_sum(family, i));
    for (size_t i = 0; i < experiment->variants; i++)
        cells[1 + VARIANTS + i] = number(new_sum(today(experiment, i), family));
    output_table_take(table, cells);
    free(cells);
}

/* What a file costs follows from the big directory; how many files there were, from the calls that come once for
 * each: lstat64 and getxattr, which only ls -l makes. */
static void print_finding(struct output *output)
{
    uint64_t held = 0;
    for (size_t i = 0; i < OLD_ROWS; i++)
        if (!strcmp(old_rows[i].name, "lstat64"))
            held = old_rows[i].calls[0];
    double cost = (double)(old_many[0] - old_many[1]) / (double)old_files;
    char *text = memory_format(
        "In 2006, %" PRIu64 " files cost ls -l %" PRIu64 " system calls and ls -1 %" PRIu64 ": %.1f more for each file, "
        "an lstat64 and a getxattr. The table has %" PRIu64 " of each, so its directory held %" PRIu64 " files, not %" PRIu64
        " as its text says.", old_files, old_many[0], old_many[1], cost, held, held, old_said);
    output_text(output, "", text);
    free(text);
}

void article_print(struct output *output, const struct experiment *experiment)
{
    enum { FAMILIES = 32 };
    const char *names[FAMILIES];
    size_t count = families(experiment, names, FAMILIES), columns = 1 + VARIANTS + experiment->variants;
    struct output_column *column = memory_calloc(columns, sizeof *column);
    char **headings = memory_calloc(columns, sizeof *headings);
    headings[0] = memory_strdup("family");
    for (size_t i = 1; i < columns; i++)
        headings[i] = i <= VARIANTS ? memory_format("2006 %s", variants[i - 1])
                                    : memory_strdup(experiment->variant[i - 1 - VARIANTS].text);
    for (size_t i = 0; i < columns; i++)
        column[i] = (struct output_column){ headings[i], i > 0 };
    struct output_table *table = output_table_new(column, columns);
    output_table_rule(table);
    for (size_t i = 0; i < count; i++)
        add_row(table, experiment, names[i]);
    output_table_rule(table);
    add_row(table, experiment, NULL);
    fprintf(output->stream, "system calls by family, %s, %zu file%s, beside those of June 2006\n",
            experiment->startup[0] >= 0 ? "start and program" : "program", experiment->size[0],
            experiment->size[0] == 1 ? "" : "s");
    output_table_print(table, output);
    fprintf(output->stream, "\n");
    print_finding(output);
    output_table_free(table);
    for (size_t i = 0; i < columns; i++)
        free(headings[i]);
    free(headings);
    free(column);
}

json_t *article_json(const struct experiment *experiment)
{
    enum { FAMILIES = 32 };
    const char *names[FAMILIES];
    size_t count = families(experiment, names, FAMILIES);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *old = json_array(), *new = json_array();
        for (size_t j = 0; j < VARIANTS; j++)
            json_array_append_new(old, json_integer((json_int_t)old_sum(names[i], j)));
        for (size_t j = 0; j < experiment->variants; j++)
            json_array_append_new(new, json_integer((json_int_t)new_sum(today(experiment, j), names[i])));
        json_array_append_new(array, json_pack("{s:s, s:o, s:o}", "family", names[i], "2006", old, "today", new));
    }
    return array;
}
