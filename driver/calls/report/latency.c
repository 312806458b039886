/* The picture of timed runs: for the calls that took most time, how long one takes. */
#include "latency.h"

#include "calls/words.h"
#include "common/errors.h"
#include "common/memory.h"
#include "common/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAMES = 14, KEY_WIDTH = 40, TITLE_WIDTH = 80 };

static const struct count_list *rows_of(const struct measurement *result, bool system)
{
    return system ? &result->system : &result->library;
}

static int most_time_first(const void *a, const void *b)
{
    const struct count *x = a, *y = b;
    return (x->times.total < y->times.total) - (x->times.total > y->times.total);
}

struct count_list latency_plot_names(const struct measurement *results, size_t count, bool system, size_t limit)
{
    const struct count_list **lists = memory_calloc(count, sizeof *lists);
    for (size_t i = 0; i < count; i++)
        lists[i] = rows_of(&results[i], system);
    struct count_list names = counts_union(lists, count);
    free(lists);
    if (names.count)
        qsort(names.row, names.count, sizeof *names.row, most_time_first);
    names.count = names.count < limit ? names.count : limit;
    while (names.count && !names.row[names.count - 1].times.total)
        names.count--;
    return names;
}

char *latency_plot_data(const struct count_list *names, const struct measurement *result, bool system)
{
    char *data = NULL;
    size_t length;
    FILE *stream = open_memstream(&data, &length);
    for (size_t i = 0; stream && i < names->count; i++) {
        const struct count *row = counts_find(rows_of(result, system), names->row[i].name);
        if (row && row->times.p50)
            fprintf(stream, "%zu %.6g %.6g %.6g %s\n", i + 1, 1e-9 * (double)row->times.p50,
                    1e-9 * (double)row->times.p99, 1e-9 * (double)row->times.maximum, row->name);
    }
    if (stream)
        fclose(stream);
    return data ? data : memory_strdup("");
}

/* All that the two panels share: results across, kinds of calls down. */
struct picture {
    const struct measurement *results;
    size_t count;
    struct count_list names[2];
    FILE *data, *script;
    size_t blocks;             /* of data that were written */
};

/* The results' places beside each other in a row. */
static double shift(const struct picture *picture, size_t result)
{
    return 0.7 * ((double)result + 0.5) / (double)picture->count - 0.35;
}

/* Marks of one kind for all results, which share their entry in the key. */
static void write_marks(const struct picture *picture, size_t first, int column, int mark, const char *name)
{
    for (size_t i = 0; i < picture->count; i++)
        fprintf(picture->script, ", $data index %zu using %d:($1+%g) with points ls %zu pt %d ps 0.9 notitle",
                first + i, column, shift(picture, i), i % PLOT_STYLES + 1, mark);
    fprintf(picture->script, ", NaN with points pt %d ps 0.9 lc rgb '#000000' title '%s'", mark, name);
}

/* A line from each median to the maximum, by which the results differ in dashes, too. */
static void write_lines(const struct picture *picture, size_t first)
{
    for (size_t i = 0; i < picture->count; i++) {
        char *command = words_text(picture->results[i].command), *name = plot_quote(command, KEY_WIDTH);
        fprintf(picture->script, "%s$data index %zu using 2:($1+%g):($4-$2):(0) with vectors nohead ls %zu %s%s",
                i ? ", " : "plot ", first + i, shift(picture, i), i % PLOT_STYLES + 1,
                picture->count > 1 ? "title " : "notitle", picture->count > 1 ? name : "");
        free(name);
        free(command);
    }
}

/* Whole decades, and so few tics that their labels don't touch. */
static void write_range(const struct picture *picture, bool system)
{
    uint64_t low = UINT64_MAX, high = 1;
    for (size_t i = 0; i < picture->count; i++) {
        for (size_t j = 0; j < picture->names[system].count; j++) {
            const struct count *row = counts_find(rows_of(&picture->results[i], system),
                                                  picture->names[system].row[j].name);
            low = row && row->times.p50 && row->times.p50 < low ? row->times.p50 : low;
            high = row && row->times.maximum > high ? row->times.maximum : high;
        }
    }
    int from = (int)floor(log10(low < high ? (double)low : (double)high)), to = (int)ceil(log10((double)high));
    to = to > from ? to : from + 1;
    fprintf(picture->script, "set xrange [1e%d:1e%d]\nset xtics %d\n", from - 9, to - 9, to - from > 5 ? 100 : 10);
}

static void write_panel(struct picture *picture, bool system)
{
    const struct count_list *names = &picture->names[system];
    size_t first = picture->blocks;
    if (!names->count)
        return;
    for (size_t i = 0; i < picture->count; i++) {
        char *data = latency_plot_data(names, &picture->results[i], system);
        fprintf(picture->data, "%s%s", picture->blocks++ ? "\n\n" : "", *data ? data : "1 NaN NaN NaN\n");
        free(data);
    }
    fprintf(picture->script, "set title '%s'\nset yrange [%zu.5:0.5]\nset ytics (",
            system ? "time of one system call" : "time of one library call", names->count);
    for (size_t i = 0; i < names->count; i++)
        fprintf(picture->script, "%s'%s' %zu", i ? ", " : "", names->row[i].name, i + 1);
    fprintf(picture->script, ") noenhanced\n");
    write_range(picture, system);
    write_lines(picture, first);
    write_marks(picture, first, 2, 7, "median");
    write_marks(picture, first, 3, 4, "99th percentile");
    write_marks(picture, first, 4, 8, "maximum");
    fprintf(picture->script, "\n");
}

static void write_picture(struct picture *picture)
{
    int panels = (picture->names[0].count > 0) + (picture->names[1].count > 0);
    char *command = words_text(picture->results[0].command);
    char *title = plot_quote(picture->count > 1 ? "" : command, TITLE_WIDTH);
    fprintf(picture->script, "%sset key below noenhanced samplen 2\nset border 3\nset tics nomirror\nset logscale x\n"
            "set format x '%%.0s%%cs'\nset grid back lt 1 lw 0.5 lc rgb '#cccccc'\n"
            "set multiplot layout 1,%d title %s noenhanced\n", plot_styles, panels, title);
    free(title);
    free(command);
    write_panel(picture, false);
    write_panel(picture, true);
    fprintf(picture->script, "unset multiplot\n");
}

static double height(const struct picture *picture)
{
    size_t rows = picture->names[0].count > picture->names[1].count ? picture->names[0].count : picture->names[1].count;
    double lines = (double)rows * (picture->count > 2 ? 0.5 * (double)picture->count : 1) + (double)picture->count;
    return lines < 16 ? 1 : lines / 16;
}

int latency_plot(const char *path, const struct measurement *results, size_t count)
{
    char *data = NULL, *script = NULL;
    size_t sizes[2];
    struct picture picture = { results, count, { { 0 } }, NULL, NULL, 0 };
    int status = -1;
    for (int system = 0; system <= 1; system++)
        picture.names[system] = latency_plot_names(results, count, system, NAMES);
    picture.data = open_memstream(&data, &sizes[0]);
    picture.script = open_memstream(&script, &sizes[1]);
    if (picture.data && picture.script)
        write_picture(&picture);
    if (picture.data)
        fclose(picture.data);
    if (picture.script)
        fclose(picture.script);
    if (!picture.names[0].count && !picture.names[1].count)
        errors_say("plot: %s: no call was timed", path);
    else if (data && script)
        status = plot_write_high(path, height(&picture), script, data);
    free(data);
    free(script);
    for (int system = 0; system <= 1; system++)
        counts_free(&picture.names[system]);
    return status;
}
