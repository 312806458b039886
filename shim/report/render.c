/* What the report says: the rows of the table with names and families, as text, JSON or CSV. */
#include "report/render.h"

#include "counters.h"
#include "report/errors.h"
#include "settings.h"
#include "table/names.h"
#include "table/reasons.h"

enum { TABLE_WIDTH = 80, OTHERS = 32, TIMES = 30 /* columns before the name, of times */ };

/* What is printed of one row. */
struct row {
    char name[NAMES_SIZE];
    const char *family;
    size_t number;             /* of its row, as errnos.h has it */
    struct counter counter;
    const struct counter_times *times; /* NULL: not timed */
};

/* The rows with calls, most calls first, then by name. */
static size_t collect(struct row *rows, bool system)
{
    size_t count = 0;
    struct counters_times *times = counters_timed ? counters_times(counters_table) : NULL;
    for (size_t i = 0; i < (system ? (size_t)SYSTEM_CALLS : (size_t)LIBRARY_CALLS); i++) {
        struct row row = { .counter = counters_sum(counters_table, i, system) };
        if (!row.counter.calls)
            continue;
        size_t at = count++;
        rows[at] = row;
        rows[at].number = system ? (size_t)LIBRARY_CALLS + i : i;
        if (times)
            rows[at].times = system ? &times->system[i] : &times->library[i];
        if (system)
            rows[at].family = names_row(counters_table, i, rows[at].name);
        else
            rows[at].family = names_call(i, rows[at].name);
    }
    return count;
}

static bool before(const struct row *a, const struct row *b)
{
    if (a->counter.calls != b->counter.calls)
        return a->counter.calls > b->counter.calls;
    const char *x = a->name, *y = b->name;
    while (*x && *x == *y)
        x++, y++;
    return (unsigned char)*x < (unsigned char)*y;
}

static void sort(struct row **order, struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at && before(&rows[i], order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = &rows[i];
    }
}

/* Hundredths of a percent as "12.34", six wide. */
static void put_share(struct text *text, uint64_t part, uint64_t whole)
{
    for (; whole >> 48; whole >>= 1)  /* no overflow below, and no floating point here */
        part >>= 1;
    uint64_t share = whole ? (part * 10000 + whole / 2) / whole : 0;
    text_number(text, share / 100, 3);
    text_char(text, '.');
    text_number(text, share / 10 % 10, 0);
    text_number(text, share % 10, 0);
}

/* One line: the share of the time, the time and that of a call where they are known; calls, errors, family and name, and
 * the errors by name as far as a line of TABLE_WIDTH has room. */
static void put_line(struct text *text, const struct row *row, const uint64_t *ns, uint64_t all)
{
    if (ns) {
        put_share(text, *ns, all);
        text_number(text, *ns / 1000, 12);
        text_number(text, *ns / (row->counter.calls ? row->counter.calls : 1), 11);
        text_char(text, ' ');
    }
    text_number(text, row->counter.calls, 10);
    text_char(text, ' ');
    if (row->counter.errors)
        text_number(text, row->counter.errors, 9);
    else
        text_pad(text, "", 9);
    text_put(text, "  ");
    text_pad(text, row->family, 9);
    text_char(text, ' ');
    text_put(text, row->name);
    size_t used = OTHERS + (counters_timed ? TIMES : 0) + text_length(row->name);
    errors_put(text, row->number, row->counter.errors, used < TABLE_WIDTH ? TABLE_WIDTH - used : 0);
    text_char(text, '\n');
}

static void put_rule(struct text *text)
{
    text_put(text, counters_timed ? "------ ----------- ---------- " : "");
    text_put(text, "---------- ---------  --------- ------------------\n");
}

static void put_table(struct text *text, struct row **order, size_t count, const char *kind)
{
    struct row total = { .name = "total", .family = "", .number = COUNTERS_ROWS };
    uint64_t all = 0, ns;
    for (size_t i = 0; i < count; i++) {
        total.counter.calls += order[i]->counter.calls;
        total.counter.errors += order[i]->counter.errors;
        all += order[i]->times ? order[i]->times->total : 0;
    }
    text_put(text, counters_timed ? "\n% time    total us    ns/call " : "\n");
    text_put(text, "     calls    errors  family    ");
    text_put(text, kind);
    text_char(text, '\n');
    put_rule(text);
    for (size_t i = 0; i < count; i++) {
        ns = order[i]->times ? order[i]->times->total : 0;
        put_line(text, order[i], order[i]->times ? &ns : NULL, all);
    }
    put_rule(text);
    put_line(text, &total, counters_timed ? &all : NULL, all);
}

static void put_member(struct text *text, const char *name, uint64_t value)
{
    text_put(text, ", \"");
    text_put(text, name);
    text_put(text, "\": ");
    text_number(text, value, 0);
}

static void put_json(struct text *text, struct row **order, size_t count, const char *kind)
{
    text_put(text, ",\n \"");
    text_put(text, kind);
    text_put(text, "\": [");
    for (size_t i = 0; i < count; i++) {
        const struct counter_times *times = order[i]->times;
        text_put(text, i ? ",\n  {\"name\": " : "\n  {\"name\": ");
        text_quote(text, order[i]->name);
        text_put(text, ", \"family\": ");
        text_quote(text, order[i]->family);
        put_member(text, "calls", order[i]->counter.calls);
        put_member(text, "errors", order[i]->counter.errors);
        errors_put_json(text, order[i]->number, order[i]->counter.errors);
        if (times) {
            put_member(text, "total_ns", times->total);
            put_member(text, "min_ns", times->minimum ? times->minimum - 1 : 0);
            put_member(text, "max_ns", times->maximum);
            put_member(text, "p50_ns", counters_percentile(times, 50));
            put_member(text, "p99_ns", counters_percentile(times, 99));
            put_member(text, "waited_ns", times->waited);
        }
        text_char(text, '}');
    }
    text_char(text, ']');
}

/* Whether a shell takes the word as it is. */
static bool plain(const char *word)
{
    const char *c = word;
    while ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_' || *c == '@' ||
           (*c >= '+' && *c <= '/') || *c == '%' || *c == '=' || *c == ':')
        c++;
    return c > word && !*c;
}

/* The words as a shell takes them, in a field after RFC 4180: as reckon has them in its CSV. */
static void put_command(struct text *text, const struct text *command)
{
    bool quoted = false;
    for (const char *c = command->start; c < command->next; c++)
        quoted |= *c == ',' || *c == '"' || *c == '\r' || *c == '\n';
    text_put(text, quoted ? "\"" : "");
    for (const char *word = command->start; word < command->next; word += text_length(word) + 1) {
        const char *quote = plain(word) ? "" : "'";
        text_put(text, word > command->start ? " " : "", quote);
        for (const char *c = word; *c; c++) {
            if (*c == '\'')
                text_put(text, "'\\'");
            else if (*c == '"')
                text_char(text, '"');
            text_char(text, *c);
        }
        text_put(text, quote);
    }
    text_put(text, quoted ? "\"," : ",");
}

static void put_csv(struct text *text, struct row **order, size_t count, const char *kind, const struct text *command,
                    render_room *make_room)
{
    enum { FIGURES = 1024, WIDEST = 5 /* characters that a byte of the command takes, and its quotes */ };
    for (size_t i = 0; i < count; i++) {
        const struct counter_times *times = order[i]->times;
        make_room(text, FIGURES + WIDEST * (size_t)(command->next - command->start));
        put_command(text, command);
        text_put(text, kind);
        text_char(text, ',');
        text_put(text, order[i]->name);
        text_char(text, ',');
        text_put(text, order[i]->family);
        text_char(text, ',');
        text_number(text, order[i]->counter.calls, 0);
        text_char(text, ',');
        text_number(text, order[i]->counter.errors, 0);
        const uint64_t figures[] = { times ? times->total : 0, times && times->minimum ? times->minimum - 1 : 0,
                                     times ? times->maximum : 0, times ? counters_percentile(times, 50) : 0,
                                     times ? counters_percentile(times, 99) : 0, times ? times->waited : 0 };
        for (size_t k = 0; times && k < sizeof figures / sizeof *figures; k++) {
            text_char(text, ',');
            text_number(text, figures[k], 0);
        }
        errors_put_csv(text, order[i]->number, order[i]->counter.errors);
        text_char(text, '\n');
    }
}

static void put_title(struct text *text, const struct text *command)
{
    text_put(text, "libcount:");
    for (const char *word = command->start; word < command->next; word += text_length(word) + 1) {
        text_char(text, ' ');
        text_plain(text, word);
    }
    text_put(text, " (");
    text_number(text, counters_table->processes, 0);
    text_put(text, counters_table->processes == 1 ? " process)\n" : " processes)\n");
}

/* With LIBCOUNT_DEBUG: how many system calls did without a signal. */
static void put_patched(struct text *text)
{
    uint64_t calls = 0, hits = counters_table->hits;
    for (size_t i = 0; i < SYSTEM_CALLS; i++) {
        struct counter sum = counters_sum(counters_table, i, true);
        calls += sum.calls;  /* clang 14 does not take an atomic member of what a function returns */
    }
    text_put(text, "patched: ");
    text_number(text, calls - hits, 0);
    text_put(text, " of ");
    text_number(text, calls, 0);
    text_put(text, " system calls (");
    text_number(text, calls ? (calls - hits) * 1000 / calls : 0, 0);
    text_put(text, " per mille)\n");
}

static void put_json_head(struct text *text, int status, const struct text *command)
{
    static const char *const levels[] = { "", "calls", "syscalls", "both" };
    text_put(text, "{\"version\": 1, \"command\": [");
    for (const char *word = command->start; word < command->next; word += text_length(word) + 1) {
        text_put(text, word > command->start ? ", " : "");
        text_quote(text, word);
    }
    text_put(text, "], \"exit\": ");
    if (status < 0) {
        text_put(text, "null");
    } else {
        text_put(text, status >= RENDER_SIGNAL ? "{\"signal\": " : "{\"status\": ");
        text_number(text, (uint64_t)(status >= RENDER_SIGNAL ? status - RENDER_SIGNAL : status), 0);
        text_char(text, '}');
    }
    put_member(text, "processes", counters_table->processes);
    text_put(text, ", \"level\": \"");
    text_put(text, levels[counters_table->flags & (COUNTERS_CALLS | COUNTERS_SYSCALLS)]);
    text_put(text, "\", \"whole\": false");
}

static void put_uncounted(struct text *text, enum settings_format format)
{
    char room[512];
    struct text line = TEXT_IN(room);
    if (format == FORMAT_JSON)
        text_put(text, ",\n \"uncounted\": [");
    for (size_t n = 0; reasons_line(&line, counters_table, n); n++, line.next = line.start) {
        text_end(&line);
        if (format == FORMAT_JSON) {
            text_put(text, n ? ", " : "");
            text_quote(text, room);
        } else {
            text_put(text, n ? "" : "\n", "uncounted: ");
            text_plain(text, room);
            text_char(text, '\n');
        }
    }
    if (format == FORMAT_JSON)
        text_put(text, "]}\n");
}

void render(struct text *text, int status, const struct text *command, render_room *make_room)
{
    static struct row rows[(int)LIBRARY_CALLS + (int)SYSTEM_CALLS];
    static struct row *order[sizeof rows / sizeof *rows];
    static const char *const kinds[][2] = { { "library call", "library_calls" }, { "system call", "system_calls" } };
    if (settings.format == FORMAT_JSON)
        put_json_head(text, status, command);
    else if (settings.format == FORMAT_CSV)
        text_put(text, "command,kind,name,family,calls,errors,",
                 counters_timed ? "total_ns,min_ns,max_ns,p50_ns,p99_ns,waited_ns,errnos\n" : "errnos\n");
    else
        put_title(text, command);
    for (int system = 0; system < 2; system++) {
        bool wanted = counters_table->flags & (system ? COUNTERS_SYSCALLS : COUNTERS_CALLS);
        size_t count = wanted ? collect(rows, system) : 0;
        sort(order, rows, count);
        if (settings.format == FORMAT_JSON)
            put_json(text, order, count, kinds[system][1]);
        else if (settings.format == FORMAT_CSV)
            put_csv(text, order, count, system ? "system" : "library", command, make_room);
        else if (wanted && (count || !system))
            put_table(text, order, count, kinds[system][0]);
    }
    if (settings.format != FORMAT_CSV)
        put_uncounted(text, settings.format);
    if (settings.format == FORMAT_TABLE && settings.debug)
        put_patched(text);
}
