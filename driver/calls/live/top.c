/* reckon top: what a command that still runs calls in a second, again and again. */
#include "calls/modes.h"

#include "calls/measure/interrupt.h"
#include "calls/options.h"
#include "calls/report/report.h"
#include "calls/words.h"
#include "common/errors.h"
#include "common/memory.h"
#include "common/text.h"
#include "common/timing.h"
#include "live.h"
#include "rates.h"
#include "screen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char documentation[] =
    "Show how often a command that runs under reckon, countcalls or the bare library makes its calls, redrawn each "
    "second.\v"
    "PID is any of its processes. Without it the only run that goes on is shown, or a list of several. On a terminal q "
    "ends it; elsewhere a table follows the other, and with --format=json a line. It ends with the run, too. Programs and "
    "processes are told apart where they are counted so (`reckon run --by=program`). Nothing is stopped, signalled or "
    "slowed: the counters are read where they are. Runs of others are root's to see.\n\n"
    "Examples:\n"
    "  reckon top\n"
    "  reckon top --interval=5 --sort=errors 4711\n"
    "  reckon top --once -f json 4711";

#define FORMATS "table|json"

enum key { KEY_INTERVAL = 0x900, KEY_ONCE };

static const struct argp_option table[] = {
    { "format", 'f', FORMATS, 0, "how to write it (table); json is a line for each interval", 1 },
    { "interval", KEY_INTERVAL, "SECONDS", 0, "the time between two readings (1)", 1 },
    { "once", KEY_ONCE, NULL, 0, "end after one interval", 1 },
    { 0 },
};

static const double shortest = 0.01, longest = 86400;

struct settings {
    struct calls_options calls;
    double interval;
    bool once;
    int pid;                       /* 0: none was given */
};

static double parse_interval(const char *argument, const struct argp_state *state)
{
    char *end;
    double seconds = strtod(argument, &end);
    if (end == argument || *end || !(seconds >= shortest && seconds <= longest))
        argp_error(state, "--interval: %s: not a number of seconds from %g to %g", argument, shortest, longest);
    return seconds;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    static const enum output_format formats[] = { OUTPUT_TABLE, OUTPUT_JSON };
    struct settings *settings = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[1] = &settings->calls;
        return 0;
    case 'f':
        settings->calls.common.format = formats[options_word(state, "--format", FORMATS, argument)];
        return 0;
    case KEY_INTERVAL:
        settings->interval = parse_interval(argument, state);
        return 0;
    case KEY_ONCE:
        settings->once = true;
        return 0;
    case ARGP_KEY_ARG:
        live_argument(&settings->pid, argument, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Two readings of the same run, and where what lies between them is shown. */
struct watch {
    const struct settings *settings;
    const struct live *run;
    struct output output;
    bool screen;                   /* all of a terminal */
    double read;                   /* when `all` was */
    struct measurement all, part;
};

/* The report at most `rows` records a table, as it is to stand on the screen; its lines in *lines. A new string. */
static char *render(const struct watch *watch, size_t rows, int columns, size_t *lines)
{
    char *text = NULL, *command = words_text(watch->run->command);
    char *head = memory_format("%d %s", watch->run->pid, command), *shown = text_cut(head, (size_t)columns);
    size_t size;
    struct output output = watch->output;
    output.columns = columns;
    output.rows = rows;
    output.stream = open_memstream(&text, &size);
    if (output.stream) {
        fprintf(output.stream, "%s\n\n", shown);
        report_tables(&output, &watch->part);
        fclose(output.stream);
    }
    free(shown);
    free(head);
    free(command);
    *lines = 0;
    for (const char *c = text; c && *c; c++)
        *lines += *c == '\n';
    return text;
}

/* As many rows of each table as the screen has lines for. */
static void draw(const struct watch *watch)
{
    int rows, columns;
    size_t low = 1, high, lines;
    screen_size(&rows, &columns);
    for (high = (size_t)rows > 1 ? (size_t)rows : 1; low < high;) {
        size_t middle = (low + high + 1) / 2;
        free(render(watch, middle, columns, &lines));
        if (lines > (size_t)rows)
            high = middle - 1;
        else
            low = middle;
    }
    char *text = render(watch, low, columns, &lines);
    screen_draw(text ? text : "");
    free(text);
}

static void show(struct watch *watch, bool goes_on)
{
    if (watch->screen) {
        draw(watch);
    } else if (watch->output.format == OUTPUT_JSON) {
        json_t *object = report_json(&watch->part, true);
        json_object_set_new(object, "running", json_boolean(goes_on));
        output_json_line(&watch->output, object);
    } else {
        report_tables(&watch->output, &watch->part);
        if (!watch->settings->once && goes_on)
            fputc('\n', watch->output.stream);
        fflush(watch->output.stream);
    }
}

/* Until a point in time; false where the user or a signal wants an end. */
static bool wait_until(struct watch *watch, double end)
{
    if (watch->screen) {
        enum screen_event event;
        while ((event = screen_wait(end)) == SCREEN_RESIZED)
            draw(watch);
        return event != SCREEN_QUIT;
    }
    struct timespec point = { (time_t)end, (long)((end - (double)(time_t)end) * 1e9) };
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &point, NULL) == EINTR)
        continue;
    return true;
}

/* Read the table: what it has in all, and what of that came since it was read before. */
static bool read_on(struct watch *watch)
{
    struct measurement all;
    struct counters_table *copy = live_copy(watch->run);
    double now = timing_wall();
    if (!copy)
        return false;
    live_measure(watch->run, copy, &all);
    measure_free(&watch->part);
    live_measure(watch->run, copy, &watch->part);
    rates_between(&watch->all, &watch->part, now - watch->read);
    calls_options_apply(&watch->settings->calls, &watch->part);
    measure_free(&watch->all);
    watch->all = all;
    watch->read = now;
    free(copy);
    return true;
}

/* One interval after the other, until nobody wants more or the run has ended. False where its table is gone. */
static bool go_on(struct watch *watch)
{
    for (bool goes_on = true; goes_on && !ferror(watch->output.stream);) {
        if (!wait_until(watch, watch->read + watch->settings->interval))
            return true;
        goes_on = live_goes_on(watch->run);
        if (!read_on(watch))
            return false;
        show(watch, goes_on);
        if (watch->settings->once)
            return true;
    }
    return true;
}

static int top(const struct settings *settings, const struct live *run)
{
    struct watch watch = { settings, run, .read = timing_wall() };
    if (output_open(&watch.output, NULL, settings->calls.common.format))
        return EXIT_OURS;
    bool there = read_on(&watch);
    if (there && watch.output.terminal && watch.output.format == OUTPUT_TABLE && !settings->once) {
        interrupt_begin();
        watch.screen = screen_begin();
        if (!watch.screen)
            interrupt_end();
    }
    there = there && go_on(&watch);
    if (watch.screen) {
        screen_end();
        interrupt_end();
        if (interrupt_noted())
            interrupt_die(interrupt_noted());
    }
    if (!there)
        live_say_gone(run);
    measure_free(&watch.all);
    measure_free(&watch.part);
    return output_close(&watch.output) || !there ? EXIT_OURS : 0;
}

static int list(const struct settings *settings, const struct lives *runs)
{
    struct output output;
    if (output_open(&output, NULL, settings->calls.common.format))
        return EXIT_OURS;
    live_list(&output, runs);
    return output_close(&output) ? EXIT_OURS : 0;
}

int top_mode(int argc, char **argv)
{
    static const struct argp_child children[] = { { &options_color_argp, 0, NULL, 0 },
                                                  { &calls_options_choice_argp, 0, NULL, 0 }, { 0 } };
    static const struct argp argp = { table, parse, "[PID]", documentation, children, NULL, NULL };
    struct settings settings = { .interval = 1 };
    struct lives runs;
    argp_err_exit_status = EXIT_OURS;
    argp_parse(&argp, argc, argv, 0, NULL, &settings);
    int failure = EXIT_OURS;
    if (live_find(&runs, settings.pid) == 0)
        failure = runs.count == 1 ? top(&settings, runs.run) : list(&settings, &runs);
    live_free(&runs);
    return failure;
}
