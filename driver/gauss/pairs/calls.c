/* The calls of A, B and C, counted by this project's own counter: each runs once under `reckon run --format=json`. */
#include "calls.h"

#include "common/errors.h"
#include "common/memory.h"
#include "common/timing.h"
#include "process.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define START_S 30.0
#define SIDES 3

static const char *const keys[SIDES] = { "a", "b", "c" };

/* Start `reckon run --format=json -o FILE -- reckon gauss ARGUMENTS WORKLOAD`. */
static int start(struct process *process, const char *executable, const char *file, const char *part, const char *extra,
                 const struct workload *workload)
{
    char **arguments = sides_arguments(workload), *self = sides_self();
    char *argv[24] = { self, "run", "--format=json", "-o", (char *)file, "--", (char *)executable, "gauss", (char *)part };
    size_t count = 9;
    if (!executable)
        argv[6] = self;
    if (extra)
        argv[count++] = (char *)extra;
    for (char **argument = arguments; strcmp(part, "serve") && *argument; argument++)
        argv[count++] = *argument;
    int status = process_start(process, argv);
    sides_arguments_free(arguments);
    return status;
}

/* Wait for its end and read what it counted. */
static json_t *finish(struct process *process, const char *file, int signal)
{
    json_error_t error;
    char *line;
    while ((line = process_line(process, INFINITY)))
        free(line);
    int status = process_end(process, signal);
    json_t *report = json_load_file(file, 0, &error);
    unlink(file);
    if (!report)
        errors_say("compare: reckon run: status %d, %s", status, error.text);
    return report;
}

static json_t *count_local(const struct sides *sides, const char *file)
{
    struct process process;
    return start(&process, NULL, file, "local", NULL, &sides->workload) ? NULL : finish(&process, file, 0);
}

/* B with C: the server under its counter, the client under another. */
static int count_remote(const struct sides *sides, const char *file, json_t *calls)
{
    struct process server, client;
    char *other = memory_format("%s.c", file), *address = NULL;
    if (start(&server, sides->reckon_b, file, "serve", "--once", &sides->workload)) {
        free(other);
        return -1;
    }
    char *line = process_line(&server, timing_wall() + START_S);
    if (line && !strncmp(line, "listening on ", 13))
        address = memory_strdup(line + 13);
    free(line);
    free(process_line(&server, timing_wall() + START_S));  /* the token's place: by then it can be called */
    json_t *c = NULL, *b;
    if (address && !start(&client, NULL, other, "call", address, &sides->workload))
        c = finish(&client, other, 0);
    if (!c)
        kill(server.pid, SIGTERM);
    b = finish(&server, file, 0);
    json_object_set_new(calls, "b", b);
    json_object_set_new(calls, "c", c);
    free(address);
    free(other);
    return b && c ? 0 : -1;
}

json_t *calls_count(const struct sides *sides)
{
    char folder[] = "/tmp/reckon-calls.XXXXXX";
    if (!mkdtemp(folder)) {
        errors_say("compare: %s: no temporary folder", folder);
        return NULL;
    }
    char *file = memory_format("%s/report", folder);
    json_t *calls = json_object(), *a = count_local(sides, file);
    json_object_set_new(calls, "a", a);
    if (!a || count_remote(sides, file, calls)) {
        json_decref(calls);
        calls = NULL;
    }
    free(file);
    rmdir(folder);
    return calls;
}

/* Calls of this name in one side's list. */
static json_int_t calls_of(const json_t *side, const char *list, const char *name)
{
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(side, list), i, row)
        if (!strcmp(name, json_string_value(json_object_get(row, "name"))))
            return json_integer_value(json_object_get(row, "calls"));
    return 0;
}

/* Rows for the names of side `from` that no earlier side has. */
static void add_rows(struct output_table *table, const json_t *calls, const char *list, int from, json_int_t totals[SIDES])
{
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(json_object_get(calls, keys[from]), list), i, row) {
        const char *name = json_string_value(json_object_get(row, "name"));
        json_int_t counts[SIDES];
        char text[SIDES][24];
        bool before = false;
        for (int side = 0; name && side < SIDES; side++) {
            counts[side] = calls_of(json_object_get(calls, keys[side]), list, name);
            before |= side < from && counts[side];
        }
        if (!name || before)
            continue;
        for (int side = 0; side < SIDES; side++) {
            totals[side] += counts[side];
            snprintf(text[side], sizeof text[side], "%" JSON_INTEGER_FORMAT, counts[side]);
            if (!counts[side])
                strcpy(text[side], "-");
        }
        output_table_row(table, (const char *[]){ text[0], text[1], text[2], name });
    }
}

static void print_list(const json_t *calls, const char *list, const char *title, struct output *output)
{
    const struct output_column columns[] = { { "A", true }, { "B", true }, { "C", true }, { title, false } };
    struct output_table *table = output_table_new(columns, SIDES + 1);
    json_int_t totals[SIDES] = { 0 };
    char text[SIDES][24];
    for (int side = 0; side < SIDES; side++)
        add_rows(table, calls, list, side, totals);
    for (int side = 0; side < SIDES; side++)
        snprintf(text[side], sizeof text[side], "%" JSON_INTEGER_FORMAT, totals[side]);
    output_table_rule(table);
    output_table_row(table, (const char *[]){ text[0], text[1], text[2], "total" });
    fputc('\n', output->stream);
    output_table_print(table, output);
    output_table_free(table);
}

void calls_print(const json_t *calls, struct output *output)
{
    print_list(calls, "system_calls", "system call", output);
    print_list(calls, "library_calls", "library call", output);
}
