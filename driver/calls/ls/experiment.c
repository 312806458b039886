/* The experiment of reckon ls: count each variant once in each directory, then time all of them without the library. */
#include "experiment.h"

#include "calls/measure/interrupt.h"
#include "calls/words.h"
#include "common/errors.h"
#include "common/memory.h"
#include "common/timing.h"
#include "sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS_AT_LEAST = 10, ROUNDS_AT_MOST = 1000 };
static const double SECONDS_AT_LEAST = 1.0;

static struct launch launch_of(const struct variant *variant, const char *directory)
{
    return (struct launch){ .argv = variant->argv, .directory = directory, .quiet = true };
}

/* ls tells trouble with a file by 1, and that it could not do its work by 2. */
static int check_ending(const struct variant *variant, int status)
{
    if (interrupt_noted())
        return EXIT_OURS;
    if (WIFEXITED(status) && WEXITSTATUS(status) < 2)
        return 0;
    if (WIFSIGNALED(status))
        errors_say("ls: `%s`: %s", variant->text, strsignal(WTERMSIG(status)));
    else
        errors_say("ls: `%s`: exit status %d", variant->text, WEXITSTATUS(status));
    return EXIT_OURS;
}

static void show(struct experiment *experiment, const char *what, const struct variant *variant)
{
    char *text = memory_format("%s `%s`", what, variant->text);
    progress_show(&experiment->progress, NAN, text);
    free(text);
}

static int count_all(struct experiment *experiment, const char *directory, struct measurement *results)
{
    for (size_t i = 0; i < experiment->variants; i++) {
        const struct variant *variant = &experiment->variant[i];
        struct launch launch = launch_of(variant, directory);
        show(experiment, "counting", variant);
        int failure = measure(&launch, experiment->flags, &results[i]);
        if (!failure)
            measure_warn(&results[i]);
        if (!failure)
            failure = check_ending(variant, results[i].status);
        if (failure)
            return failure;
        counts_sort(&results[i].library, ORDER_NAME);
        counts_sort(&results[i].system, ORDER_NAME);
    }
    return 0;
}

/* What the library cannot see, since it is not loaded yet: by a whole run of each variant, without any library. */
static void count_startup(struct experiment *experiment, const char *directory)
{
    for (size_t i = 0; i < experiment->variants; i++) {
        struct measurement whole;
        struct launch launch = launch_of(&experiment->variant[i], directory);
        launch.tentative = true;
        show(experiment, "counting the start of", &experiment->variant[i]);
        bool known = experiment->flags & COUNTERS_SYSCALLS && !interrupt_noted() &&
                     !measure(&launch, COUNTERS_SYSCALLS | COUNTERS_WHOLE | MEASURE_KERNEL, &whole);
        experiment->startup[i] = known ? (int64_t)whole.startup : -1;
        if (!known)
            continue;
        experiment->whole[i] = whole.system;
        whole.system = (struct count_list){ 0 };
        measure_free(&whole);
    }
}

/* The times of one variant, a value for each round. */
struct series {
    double real[ROUNDS_AT_MOST], user[ROUNDS_AT_MOST], system[ROUNDS_AT_MOST];
};

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static void shuffle(size_t *order, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)random() % i, other = order[j];
        order[j] = order[i - 1];
        order[i - 1] = other;
    }
}

/* Each variant once, in random order, so that a slow moment of the machine hits them all alike. */
static int time_round(const struct experiment *experiment, const char *directory, char *const *paths, size_t *order,
                      struct series *series, size_t round)
{
    shuffle(order, experiment->variants);
    for (size_t i = 0; i < experiment->variants; i++) {
        const struct variant *variant = &experiment->variant[order[i]];
        struct launch launch = launch_of(variant, directory);
        struct launch_end end;
        int failure = launch_run(&launch, paths[order[i]], environ, &end);
        if (!failure)
            failure = check_ending(variant, end.status);
        if (failure)
            return failure;
        series[order[i]].real[round] = end.real_s;
        series[order[i]].user[round] = seconds(end.usage.ru_utime);
        series[order[i]].system[round] = seconds(end.usage.ru_stime);
    }
    return 0;
}

static int time_rounds(struct experiment *experiment, const char *directory, char *const *paths,
                       struct series *series, size_t *rounds)
{
    size_t *order = memory_calloc(experiment->variants, sizeof *order);
    struct progress progress = progress_start();
    double begin = timing_wall();
    int failure = 0;
    for (size_t i = 0; i < experiment->variants; i++)
        order[i] = i;
    for (*rounds = 0; *rounds < ROUNDS_AT_MOST && !failure; ++*rounds) {
        bool enough = *rounds >= ROUNDS_AT_LEAST && timing_wall() - begin >= SECONDS_AT_LEAST;
        if (experiment->rounds ? *rounds >= experiment->rounds : enough)
            break;
        double share = experiment->rounds ? (double)*rounds / (double)experiment->rounds : NAN;
        char *text = memory_format("timing in %s, round %zu", directory, *rounds + 1);
        progress_show(&progress, share, text);
        free(text);
        failure = time_round(experiment, directory, paths, order, series, *rounds);
    }
    progress_end(&progress);
    free(order);
    return failure;
}

static int time_all(struct experiment *experiment, const char *directory, struct variant_times *times,
                    size_t *rounds)
{
    struct series *series = memory_calloc(experiment->variants, sizeof *series);
    char **paths = memory_calloc(experiment->variants, sizeof *paths);
    int failure = 0;
    for (size_t i = 0; i < experiment->variants && !failure; i++) {
        struct launch launch = launch_of(&experiment->variant[i], directory);
        failure = launch_find(&launch, &paths[i]);
    }
    if (!failure)
        failure = time_rounds(experiment, directory, paths, series, rounds);
    for (size_t i = 0; i < experiment->variants; i++) {
        times[i].real = statistics_spread(series[i].real, *rounds);
        times[i].real_median = statistics_median_interval(series[i].real, *rounds, 0.95);
        times[i].user = statistics_spread(series[i].user, *rounds);
        times[i].system = statistics_spread(series[i].system, *rounds);
        free(paths[i]);
    }
    free(paths);
    free(series);
    return failure;
}

static int run_size(struct experiment *experiment, size_t index)
{
    struct sample sample = { 0 };
    experiment->progress = progress_start();
    if (!experiment->directory && sample_create(&sample, experiment->size[index], &experiment->progress))
        return EXIT_OURS;
    const char *directory = sample.path ? sample.path : experiment->directory;
    size_t first = index * experiment->variants;
    int failure = count_all(experiment, directory, experiment->result + first);
    if (!failure && index == 0)
        count_startup(experiment, directory);
    progress_end(&experiment->progress);
    if (!failure)
        failure = time_all(experiment, directory, experiment->times + first, &experiment->timed[index]);
    sample_remove(&sample);
    return failure;
}

static struct per_file slope(const struct measurement *small, const struct measurement *large, size_t files)
{
    struct per_file result = { NAN, NAN };
    double library = (double)counts_total(&large->library).calls - (double)counts_total(&small->library).calls;
    double system = (double)counts_total(&large->system).calls - (double)counts_total(&small->system).calls;
    if (files && large->flags & COUNTERS_CALLS && large->processes && small->processes)
        result.library = library / (double)files;
    if (files && large->system_counted && small->system_counted)
        result.system = system / (double)files;
    return result;
}

const struct measurement *experiment_small(const struct experiment *experiment)
{
    return experiment->small ? experiment->small : experiment->result;
}

/* Calls per file: between the smallest and the largest size. Where there is only one, a directory with one file is the
 * smaller: against an empty one, the price of looking up the files' owner would be shared out among the files. */
static int find_slopes(struct experiment *experiment)
{
    struct measurement *large = experiment->result + (experiment->sizes - 1) * experiment->variants;
    size_t files = experiment->size[experiment->sizes - 1];
    int failure = 0;
    experiment->base = experiment->sizes > 1 ? experiment->size[0] : files > 1 ? 1 : 0;
    if (experiment->sizes == 1) {
        struct sample sample;
        experiment->progress = progress_start();
        if (sample_create(&sample, experiment->base, &experiment->progress))
            return EXIT_OURS;
        experiment->small = memory_calloc(experiment->variants, sizeof *experiment->small);
        failure = count_all(experiment, sample.path, experiment->small);
        progress_end(&experiment->progress);
        sample_remove(&sample);
    }
    const struct measurement *small = experiment_small(experiment);
    for (size_t i = 0; i < experiment->variants && !failure; i++)
        experiment->per_file[i] = slope(&small[i], &large[i], files - experiment->base);
    return failure;
}

int experiment_run(struct experiment *experiment)
{
    size_t cells = experiment->sizes * experiment->variants;
    experiment->result = memory_calloc(cells, sizeof *experiment->result);
    experiment->whole = memory_calloc(experiment->variants, sizeof *experiment->whole);
    experiment->startup = memory_calloc(experiment->variants, sizeof *experiment->startup);
    experiment->times = memory_calloc(cells, sizeof *experiment->times);
    experiment->timed = memory_calloc(experiment->sizes, sizeof *experiment->timed);
    experiment->per_file = memory_calloc(experiment->variants, sizeof *experiment->per_file);
    srandom((unsigned)getpid() ^ (unsigned)(timing_wall() * 1e6));
    int failure = 0;
    if (experiment->directory && sample_count(experiment->directory, &experiment->size[0]))
        failure = EXIT_OURS;
    for (size_t i = 0; i < experiment->sizes && !failure; i++)
        failure = run_size(experiment, i);
    return failure ? failure : find_slopes(experiment);
}

void experiment_free(struct experiment *experiment)
{
    size_t cells = experiment->sizes * experiment->variants;
    for (size_t i = 0; experiment->result && i < cells; i++)
        measure_free(&experiment->result[i]);
    for (size_t i = 0; experiment->small && i < experiment->variants; i++)
        measure_free(&experiment->small[i]);
    free(experiment->small);
    for (size_t i = 0; i < experiment->variants; i++) {
        words_free(experiment->variant[i].argv);
        free(experiment->variant[i].text);
    }
    free(experiment->variant);
    free(experiment->size);
    free(experiment->result);
    for (size_t i = 0; experiment->whole && i < experiment->variants; i++)
        counts_free(&experiment->whole[i]);
    free(experiment->whole);
    free(experiment->startup);
    free(experiment->times);
    free(experiment->timed);
    free(experiment->per_file);
}
