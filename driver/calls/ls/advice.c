/* What reckon ls has seen, in words: which variant asks more of the kernel, by which calls, and what that costs. */
#include "advice.h"

#include "common/memory.h"
#include "common/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS_TOLD = 3, NAMES_TOLD = 4 };
static const double TIME_RATIO_TOLD = 1.1;

/* What is compared: calls per file, or calls in the largest directory; and from what on values are different. */
struct view {
    const struct experiment *experiment;
    struct count_list names;    /* of all variants */
    bool per_file;
    double least;
    size_t cheapest;
};

/* A name of which one variant makes more calls than another, or fewer. */
struct difference {
    const char *name, *family;
    double more;
};

static const struct measurement *largest(const struct experiment *experiment, size_t variant)
{
    return &experiment->result[(experiment->sizes - 1) * experiment->variants + variant];
}

static double calls(const struct measurement *result, const char *name)
{
    const struct count *row = counts_find(&result->system, name);
    return row ? (double)row->calls : 0;
}

static double value(const struct view *view, size_t variant, const char *name)
{
    const struct experiment *experiment = view->experiment;
    double large = calls(largest(experiment, variant), name);
    if (!view->per_file)
        return large;
    double files = (double)(experiment->size[experiment->sizes - 1] - experiment->base);
    return (large - calls(&experiment_small(experiment)[variant], name)) / files;
}

static double total(const struct view *view, size_t variant)
{
    double sum = 0;
    for (size_t i = 0; i < view->names.count; i++)
        sum += value(view, variant, view->names.row[i].name);
    return sum;
}

/* The same calls of every name. */
static bool alike(const struct view *view, size_t a, size_t b)
{
    for (size_t i = 0; i < view->names.count; i++) {
        const char *name = view->names.row[i].name;
        if (fabs(value(view, a, name) - value(view, b, name)) >= view->least)
            return false;
    }
    return true;
}

static size_t find_cheapest(const struct view *view)
{
    size_t cheapest = 0;
    for (size_t i = 1; i < view->experiment->variants; i++)
        if (total(view, i) < total(view, cheapest) - view->least)
            cheapest = i;
    return cheapest;
}

/* The next dearer variant than the cheapest that is like none of the `told`; the number of variants for none. */
static size_t next_dearest(const struct view *view, const size_t *told, size_t count)
{
    size_t variants = view->experiment->variants, found = variants;
    for (size_t i = 0; i < variants; i++) {
        bool new = total(view, i) >= total(view, view->cheapest) + view->least;
        for (size_t j = 0; j < count; j++)
            new = new && !alike(view, i, told[j]);
        if (new && (found == variants || total(view, i) > total(view, found) + view->least))
            found = i;
    }
    return found;
}

static size_t write_alike(FILE *stream, const struct view *view, size_t variant)
{
    size_t members = 0, written = 0;
    for (size_t i = 0; i < view->experiment->variants; i++)
        members += alike(view, i, variant);
    for (size_t i = 0; i < view->experiment->variants; i++) {
        if (!alike(view, i, variant))
            continue;
        written++;
        fprintf(stream, "%s`%s`", written == 1 ? "" : written == members ? " and " : ", ",
                view->experiment->variant[i].text);
    }
    return members;
}

static int most_first(const void *a, const void *b)
{
    const struct difference *x = a, *y = b;
    if (fabs(x->more - y->more) < 0.05)
        return strcmp(x->name, y->name);
    return x->more < y->more ? 1 : -1;
}

/* Names with different calls, most first; a new array. */
static struct difference *differences(const struct view *view, size_t variant, size_t *count)
{
    struct difference *found = memory_calloc(view->names.count, sizeof *found);
    *count = 0;
    for (size_t i = 0; i < view->names.count; i++) {
        const struct count *row = &view->names.row[i];
        double more = value(view, variant, row->name) - value(view, view->cheapest, row->name);
        if (fabs(more) >= view->least)
            found[(*count)++] = (struct difference){ row->name, row->family, more };
    }
    qsort(found, *count, sizeof *found, most_first);
    return found;
}

/* "statx, getxattr (2.0) and 3 others, but fewer readlink". Per file, one call is the rule and not said. */
static void write_names(FILE *stream, const struct view *view, const struct difference *found, size_t count)
{
    size_t more = 0;
    while (more < count && found[more].more > 0)
        more++;
    size_t told = more > NAMES_TOLD + 1 ? NAMES_TOLD : more;
    for (size_t i = 0; i < told; i++) {
        fprintf(stream, "%s%s", i ? ", " : "", found[i].name);
        if (!view->per_file || fabs(found[i].more - 1) >= view->least)
            fprintf(stream, " (%.*f)", view->per_file ? 1 : 0, found[i].more);
    }
    if (told < more)
        fprintf(stream, " and %zu others", more - told);
    for (size_t i = more; i < count && i < more + NAMES_TOLD; i++)
        fprintf(stream, "%s%s", i == more ? ", but fewer " : ", ", found[i].name);
}

/* Calls that ask for something about a file by its name. */
static bool asks_for_file(const struct difference *found)
{
    static const char *const families[] = { "lstat", "getxattr", "open", "change" };
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (!strcmp(found->family, families[i]))
            return found->more > 0;
    return false;
}

/* What the calls of all that was told mean where each has to cross a network. */
static void write_network(FILE *stream, const struct view *view, const size_t *told, size_t groups)
{
    bool any = false, all = true;
    for (size_t i = 0; i < groups; i++) {
        size_t count;
        struct difference *found = differences(view, told[i], &count);
        for (size_t j = 0; j < count && found[j].more > 0; j++) {
            any |= asks_for_file(&found[j]);
            all &= asks_for_file(&found[j]);
        }
        free(found);
    }
    if (any)
        fprintf(stream, "; on a network file system %s can be a round trip", all ? "each" : "each that names a file");
}

/* A sentence about the groups of variants that are dearer than the cheapest, the dearest first; returns that one. */
static size_t write_calls(FILE *stream, const struct view *view)
{
    size_t told[GROUPS_TOLD], groups = 0, variants = view->experiment->variants;
    while (groups < GROUPS_TOLD) {
        size_t variant = next_dearest(view, told, groups), count;
        if (variant == variants)
            break;
        fprintf(stream, "%s", groups ? "; " : "");
        size_t members = write_alike(stream, view, variant);
        double more = total(view, variant) - total(view, view->cheapest);
        fprintf(stream, " make%s %.*f", members == 1 ? "s" : "", view->per_file ? 1 : 0, more);
        if (!groups) {
            fprintf(stream, " system call%s more %sthan ", !view->per_file && more == 1 ? "" : "s",
                    view->per_file ? "per file " : "");
            write_alike(stream, view, view->cheapest);
            fprintf(stream, "%s", view->per_file ? "" : ", however many files");
        }
        fprintf(stream, ": ");
        struct difference *found = differences(view, variant, &count);
        write_names(stream, view, found, count);
        free(found);
        told[groups++] = variant;
    }
    if (!groups)
        return variants;
    if (view->per_file)
        write_network(stream, view, told, groups);
    fprintf(stream, ". ");
    return told[0];
}

/* Who asks for extended attributes, which the article wondered about: "lgetxattr by libselinux.so.1". */
static void write_callers(FILE *stream, const struct view *view, size_t variant)
{
    const struct count_list *library = &largest(view->experiment, variant)->library;
    bool any = false;
    for (size_t i = 0; i < library->count; i++) {
        const struct count *row = &library->row[i];
        if (strcmp(row->family, "getxattr") || !row->callers.count)
            continue;
        if (!any)
            fprintf(stream, "In `%s` extended attributes are asked for", view->experiment->variant[variant].text);
        fprintf(stream, "%s by %s (%s)", any ? "," : "", row->callers.part[0].name, row->name);
        any = true;
    }
    fprintf(stream, "%s", any ? ". " : "");
}

/* Whether the calls of all variants are known in both directories. */
static bool all_counted(const struct experiment *experiment)
{
    for (size_t i = 0; i < experiment->variants; i++)
        if (!largest(experiment, i)->system_counted || !experiment_small(experiment)[i].system_counted)
            return false;
    return true;
}

/* Whether a variant makes as many calls more than the cheapest in the small directory as in the large one. */
static bool constant(const struct view *view)
{
    const struct experiment *experiment = view->experiment;
    const struct measurement *small = experiment_small(experiment);
    for (size_t i = 0; i < experiment->variants; i++) {
        double less = (double)counts_total(&small[i].system).calls
                      - (double)counts_total(&small[view->cheapest].system).calls;
        if (fabs(total(view, i) - total(view, view->cheapest) - less) >= view->least)
            return false;
    }
    return true;
}

/* Two medians are told apart where the intervals in which they lie don't touch. */
static void write_times(FILE *stream, const struct experiment *experiment, size_t slow, size_t fast)
{
    const struct variant_times *times = experiment->times + (experiment->sizes - 1) * experiment->variants;
    double ratio = times[slow].real.median / times[fast].real.median;
    if (!(times[slow].real_median.lower > times[fast].real_median.upper) || !(ratio >= TIME_RATIO_TOLD))
        return;
    char *slower = text_duration((uint64_t)(1e9 * times[slow].real.median));
    char *faster = text_duration((uint64_t)(1e9 * times[fast].real.median));
    size_t files = experiment->size[experiment->sizes - 1];
    fprintf(stream, "With %zu file%s `%s` took %.*f times as long as `%s` (%s against %s).", files,
            files == 1 ? "" : "s", experiment->variant[slow].text, ratio < 9.95, ratio, experiment->variant[fast].text,
            slower, faster);
    free(slower);
    free(faster);
}

/* The two variants whose times lie farthest apart. */
static void find_extremes(const struct experiment *experiment, size_t *slow, size_t *fast)
{
    const struct variant_times *times = experiment->times + (experiment->sizes - 1) * experiment->variants;
    *slow = *fast = 0;
    for (size_t i = 1; i < experiment->variants; i++) {
        *slow = times[i].real.median > times[*slow].real.median ? i : *slow;
        *fast = times[i].real.median < times[*fast].real.median ? i : *fast;
    }
}

static void write_advice(FILE *stream, struct view *view)
{
    const struct experiment *experiment = view->experiment;
    size_t dearest = experiment->variants, slow, fast;
    find_extremes(experiment, &slow, &fast);
    if (experiment->size[experiment->sizes - 1] > experiment->base + 1) {
        view->cheapest = find_cheapest(view);
        dearest = write_calls(stream, view);
        if (dearest == experiment->variants) {
            view->per_file = false;
            view->least = 0.5;
            view->cheapest = find_cheapest(view);
            if (constant(view))
                write_calls(stream, view);
        } else {
            write_callers(stream, view, dearest);
            slow = dearest;
            fast = view->cheapest;
        }
    }
    write_times(stream, experiment, slow, fast);
}

char *advice(const struct experiment *experiment)
{
    char *text = NULL;
    size_t size, last = (experiment->sizes - 1) * experiment->variants;
    if (experiment->variants < 2 || !all_counted(experiment))
        return memory_strdup("");
    const struct count_list **lists = memory_calloc(experiment->variants, sizeof *lists);
    for (size_t i = 0; i < experiment->variants; i++)
        lists[i] = &experiment->result[last + i].system;
    struct view view = { experiment, counts_union(lists, experiment->variants), true, 0.05, 0 };
    FILE *stream = open_memstream(&text, &size);
    if (stream) {
        write_advice(stream, &view);
        fclose(stream);
    }
    counts_free(&view.names);
    free(lists);
    return text ? text : memory_strdup("");
}
