/* LIBCOUNT_* in the environment. A value that makes no sense costs one line on standard error, never the program. */
#include "settings.h"

#include "table/text.h"

#include <linux/limits.h>

struct settings settings = { .flags = COUNTERS_CALLS | COUNTERS_SYSCALLS };

/* The index of `value` in `choices`, or -1 after saying what would be right. */
static int choose(const char *name, const char *value, const char *const *choices, const char *expected)
{
    for (int i = 0; choices[i]; i++)
        if (text_equal(value, choices[i]))
            return i;
    char what[256];
    struct text text = { what, what, what + sizeof what - 1 };
    text_put(&text, name);
    text_char(&text, '=');
    text_put(&text, value);
    *text.next = 0;
    if (!settings.table)  /* else whoever made the table has complained */
        text_warn(2, what, ": not known; expected ", expected);
    return -1;
}

static bool on(const char *name, const char *value)
{
    static const char *const choices[] = { "", "0", "1", NULL };
    return choose(name, value, choices, "0 or 1") == 2;
}

static void read_format(const char *value)
{
    static const char *const formats[] = { "table", "json", "csv", NULL };
    int format = choose("LIBCOUNT_FORMAT", value, formats, "table, json or csv");
    if (format >= 0)
        settings.format = (enum settings_format)format;
}

static void read_level(const char *value)
{
    static const char *const levels[] = { "calls", "syscalls", "both", NULL };
    int level = choose("LIBCOUNT_LEVEL", value, levels, "calls, syscalls or both");
    if (level >= 0)
        settings.flags = (uint32_t)level + 1;  /* COUNTERS_CALLS, COUNTERS_SYSCALLS, both */
}

/* A path of the environment, copied: a program may write over that memory (servers put their titles there). */
static const char *path_of(char **environment, const char *name, char room[PATH_MAX])
{
    const char *value = text_variable(environment, name);
    if (!value || !*value)
        return NULL;
    struct text text = { room, room, room + PATH_MAX - 1 };
    text_put(&text, value);
    *text.next = 0;
    return room;
}

static char table_path[PATH_MAX], output_path[PATH_MAX], judged_path[PATH_MAX];

void settings_read(char **environment)
{
    const char *value;
    settings.table = path_of(environment, "LIBCOUNT_TABLE", table_path);
    settings.output = path_of(environment, "LIBCOUNT_OUTPUT", output_path);
    settings.judged = path_of(environment, "LIBCOUNT_JUDGE", judged_path);
    if ((value = text_variable(environment, "LIBCOUNT_DISABLE")))
        settings.disabled = on("LIBCOUNT_DISABLE", value);
    if ((value = text_variable(environment, "LIBCOUNT_FORMAT")))
        read_format(value);
    if ((value = text_variable(environment, "LIBCOUNT_LEVEL")))
        read_level(value);
    if ((value = text_variable(environment, "LIBCOUNT_TIME")) && on("LIBCOUNT_TIME", value))
        settings.flags |= COUNTERS_TIME;
    if ((value = text_variable(environment, "LIBCOUNT_DEBUG")))
        settings.debug = on("LIBCOUNT_DEBUG", value);
}

void settings_keep(struct counters_table *table)
{
    struct text text = TEXT_IN(table->output);
    table->format = settings.format;
    table->debug = settings.debug;
    text_put(&text, settings.output ? settings.output : "");
}

void settings_restore(const struct counters_table *table)
{
    struct text text = TEXT_IN(output_path);
    settings.format = (enum settings_format)table->format;
    settings.debug = table->debug;
    text_bytes(&text, table->output, sizeof table->output);
    settings.output = *text_end(&text) ? output_path : NULL;
}
