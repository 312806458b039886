/* The picture of reckon ls: calls and time against the number of files. */
#include "plot.h"

#include "common/memory.h"
#include "common/plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEY_WIDTH = 32, TICS = 8 };

/* Which calls are known for all variants. */
static bool all_system(const struct experiment *experiment)
{
    for (size_t i = 0; i < experiment->sizes * experiment->variants; i++)
        if (!experiment->result[i].system_counted)
            return false;
    return true;
}

static bool all_startup(const struct experiment *experiment)
{
    for (size_t i = 0; i < experiment->variants; i++)
        if (experiment->startup[i] < 0)
            return false;
    return true;
}

static uint64_t calls(const struct experiment *experiment, size_t size, size_t variant)
{
    const struct measurement *result = &experiment->result[size * experiment->variants + variant];
    if (!all_system(experiment))
        return counts_total(&result->library).calls;
    uint64_t start = all_startup(experiment) ? (uint64_t)experiment->startup[variant] : 0;
    return counts_total(&result->system).calls + start;
}

char *ls_plot_data(const struct experiment *experiment)
{
    char *data = NULL;
    size_t length;
    FILE *stream = open_memstream(&data, &length);
    for (size_t variant = 0; stream && variant < experiment->variants; variant++) {
        fprintf(stream, "%s", variant ? "\n\n" : "");
        for (size_t size = 0; size < experiment->sizes; size++) {
            const struct statistics_spread *real = &experiment->times[size * experiment->variants + variant].real;
            fprintf(stream, "%zu %" PRIu64 " %.6g %.6g %.6g\n", experiment->size[size],
                    calls(experiment, size, variant), 1e3 * real->median, 1e3 * real->minimum, 1e3 * real->maximum);
        }
    }
    if (stream)
        fclose(stream);
    return data ? data : memory_strdup("");
}

/* Bars of several variants at one place would hide each other. */
static double apart(const struct experiment *experiment, size_t variant)
{
    return 1 + 0.03 * ((double)variant - (double)(experiment->variants - 1) / 2);
}

struct range {
    double low, high;
};

static struct range wider(struct range range, double low, double high)
{
    return (struct range){ low < range.low ? low : range.low, high > range.high ? high : range.high };
}

/* One panel with whole decades: a line for each variant through a column of the data, and where `spread`, bars from the
 * lowest to the highest, the variants' a little apart. */
static void write_panel(FILE *stream, const struct experiment *experiment, const char *title, struct range range,
                        bool spread)
{
    double low = floor(log10(range.low)), high = fmax(ceil(log10(range.high)), low + 1);
    fprintf(stream, "set title '%s'\nset yrange [%g:%g]\nplot ", title, pow(10, low), pow(10, high));
    for (size_t i = 0; spread && i < experiment->variants; i++)
        fprintf(stream, "$data index %zu using ($1*%g):4:(0):($5-$4) with vectors nohead ls %zu dt 1 lw 1 notitle, ", i,
                apart(experiment, i), i % PLOT_STYLES + 1);
    for (size_t i = 0; i < experiment->variants; i++) {
        char *name = plot_quote(experiment->variant[i].text, KEY_WIDTH);
        fprintf(stream, "%s$data index %zu using ($1*%g):%d with linespoints ls %zu title %s", i ? ", " : "", i,
                spread ? apart(experiment, i) : 1, spread ? 3 : 2, i % PLOT_STYLES + 1, name);
        free(name);
    }
    fprintf(stream, "\n");
}

/* The two panels and the ranges of what they show. */
static void write_panels(FILE *stream, const struct experiment *experiment)
{
    struct range counts = { INFINITY, 1 }, times = { INFINITY, 0 };
    for (size_t i = 0; i < experiment->sizes * experiment->variants; i++) {
        double count = (double)calls(experiment, i / experiment->variants, i % experiment->variants);
        counts = wider(counts, count > 1 ? count : 1, count);
        times = wider(times, 1e3 * experiment->times[i].real.minimum, 1e3 * experiment->times[i].real.maximum);
    }
    bool system = all_system(experiment);
    char *title = memory_format("%s calls%s", system ? "system" : "library",
                                system && all_startup(experiment) ? ", start and program" : "");
    write_panel(stream, experiment, title, counts, false);
    write_panel(stream, experiment, "time, ms: median, minimum to maximum", times, true);
    free(title);
}

/* Tics at the sizes themselves, unless they are many. */
static void write_sizes(FILE *stream, const struct experiment *experiment)
{
    size_t least = experiment->size[0], most = experiment->size[experiment->sizes - 1];
    if (least)
        fprintf(stream, "set logscale x\nset xrange [%g:%g]\n", (double)least / 1.3, (double)most * 1.3);
    else
        fprintf(stream, "set xrange [-1:1]\n");
    for (size_t i = 0; experiment->sizes <= TICS && i < experiment->sizes; i++)
        fprintf(stream, "%s%zu%s", i ? ", " : "set xtics (", experiment->size[i],
                i + 1 == experiment->sizes ? ")\n" : "");
}

static char *script(const struct experiment *experiment)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return memory_strdup("");
    fprintf(stream, "%sset key top left Left reverse noenhanced samplen 3\nset border 3\nset tics nomirror\n"
            "set grid back lt 1 lw 0.5 lc rgb '#cccccc'\nset xlabel 'files'\nset logscale y\n", plot_styles);
    write_sizes(stream, experiment);
    fprintf(stream, "set multiplot layout 1,2\n");
    write_panels(stream, experiment);
    fprintf(stream, "unset multiplot\n");
    fclose(stream);
    return text;
}

int ls_plot(const char *path, const struct experiment *experiment)
{
    char *data = ls_plot_data(experiment), *commands = script(experiment);
    int status = plot_write(path, commands, data);
    free(commands);
    free(data);
    return status;
}
