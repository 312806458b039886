/* bench LIBRARY TWIN EMPTY [ROUNDS]: what counting library calls costs, each figure against its baseline in the same
 * run, in turns, as medians. Ends with 1 where a figure misses its limit. `bench loop NAME COUNT` is what it runs. */
#define __NO_INLINE__ 1  /* calls, not what the headers put in their place */
#include "common/statistics.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ENTRIES = 10000, VARIANTS = 3, MOST = 1001 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Nanoseconds a call, the best of many short stretches. Functions that make no system call: one would cost, and vary
 * by, a hundred times what is measured. */
static int loop(const char *name, long count)
{
    DIR *folder = opendir("/");
    FILE *zeros = fopen("/dev/zero", "r");
    struct timespec time;
    char byte;
    double best = 1e9;
    for (int stretch = 0; stretch < 20; stretch++) {
        double start = now();
        if (strcmp(name, "telldir") == 0)
            for (long i = 0; i < count; i++)
                telldir(folder);
        else if (strcmp(name, "fread_unlocked") == 0)
            for (long i = 0; i < count; i++)
                fread_unlocked(&byte, 1, 1, zeros);
        else
            for (long i = 0; i < count; i++)
                clock_gettime(CLOCK_MONOTONIC, &time);
        double each = (now() - start) / (double)count * 1e9;
        best = each < best ? each : best;
    }
    printf("%.3f\n", best);
    return 0;
}

static const char *folder, *self;

/* Run a command with LD_PRELOAD, or without where it is NULL: seconds, and the number that it printed. */
static double run(const char *preload, char *const *command, double *printed)
{
    pid_t child;
    int status, ends[2];
    char text[64] = "";
    posix_spawn_file_actions_t actions;
    if (preload)
        setenv("LD_PRELOAD", preload, 1);
    else
        unsetenv("LD_PRELOAD");
    if (printed ? pipe(ends) : 0)
        exit(2);
    posix_spawn_file_actions_init(&actions);
    if (printed)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    else
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    double start = now();
    errno = posix_spawnp(&child, command[0], &actions, NULL, command, environ);
    if (errno || waitpid(child, &status, 0) < 0 || status) {
        fprintf(stderr, "bench: %s: %s\n", command[0], errno ? strerror(errno) : "failed");
        exit(2);
    }
    double seconds = now() - start;
    unsetenv("LD_PRELOAD");
    posix_spawn_file_actions_destroy(&actions);
    if (printed) {
        close(ends[1]);
        if (read(ends[0], text, sizeof text - 1) > 0)
            *printed = atof(text);
        close(ends[0]);
    }
    return seconds;
}

static double values[VARIANTS][MOST];

/* Median over the rounds of what a variant took, as a multiple of what another took in the same round. */
static double ratio(int variant, int base, int rounds)
{
    double ratios[MOST];
    for (int round = 0; round < rounds; round++)
        ratios[round] = values[variant][round] / values[base][round];
    return statistics_spread(ratios, (size_t)rounds).median;
}

/* Each variant in turn, so that what else the machine does meets all of them. */
static void race(const char *const *preloads, char *const *command, int rounds, bool prints,
                 struct statistics_spread *spreads)
{
    for (int round = -1; round < rounds; round++)  /* one to warm up */
        for (int i = 0; i < VARIANTS; i++) {
            double printed = 0, seconds = run(preloads[i], command, prints ? &printed : NULL);
            if (round >= 0)
                values[i][round] = prints ? printed : seconds * 1e3;
        }
    for (int i = 0; i < VARIANTS; i++)
        spreads[i] = statistics_spread(values[i], (size_t)rounds);
}

static void print_spreads(const char *what, const char *unit, const struct statistics_spread *spreads)
{
    static const char *const names[VARIANTS] = { "alone", "do-nothing library", "libcount.so" };
    printf("\n%-30s %12s %10s %10s\n", what, unit, "min", "max");
    for (int i = 0; i < VARIANTS; i++)
        printf("  %-28s %12.2f %10.2f %10.2f\n", names[i], spreads[i].median, spreads[i].minimum, spreads[i].maximum);
}

static bool judge(const char *what, double is, double limit)
{
    printf("  %-28s %12.3f   limit %.2f   %s\n", what, is, limit, is <= limit ? "ok" : "MISSED");
    return is <= limit;
}

static bool bench_calls(const char *library, const char *twin, int rounds)
{
    static const char *const names[] = { "telldir", "fread_unlocked", "clock_gettime" };
    const char *const preloads[VARIANTS] = { NULL, twin, library };
    bool good = true;
    for (int i = 0; i < 3; i++) {
        struct statistics_spread spreads[VARIANTS];
        race(preloads, (char *const[]){ (char *)self, "loop", (char *)names[i], "100000", NULL }, rounds, true, spreads);
        print_spreads(names[i], "ns a call", spreads);
        good &= judge("more than do-nothing, ns", spreads[2].median - spreads[1].median, 10);
    }
    return good;
}

static bool bench_commands(const char *library, const char *empty, int rounds)
{
    const char *const preloads[VARIANTS] = { NULL, empty, library };
    struct statistics_spread spreads[VARIANTS];
    race(preloads, (char *const[]){ "ls", "-l", (char *)folder, NULL }, rounds, false, spreads);
    print_spreads("ls -l in 10,000 files", "ms", spreads);
    bool good = judge("times as long", ratio(2, 0, rounds), 1.03);
    race(preloads, (char *const[]){ "true", NULL }, 10 * rounds, false, spreads);
    print_spreads("true", "ms", spreads);
    good &= judge("times as long", ratio(2, 0, 10 * rounds), 1.3);
    printf("  %-28s %12.3f\n", "than with an empty library", ratio(2, 1, 10 * rounds));
    return good;
}

static void remove_folder(void)
{
    char path[4096];
    for (int i = 0; i < ENTRIES; i++) {
        snprintf(path, sizeof path, "%s/sample.%d", folder, i);
        unlink(path);
    }
    rmdir(folder);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "loop") == 0)
        return loop(argv[2], atol(argv[3]));
    if (argc < 4)
        return fprintf(stderr, "usage: bench LIBRARY TWIN EMPTY [ROUNDS]\n"), 2;
    char path[4096], template[] = "/tmp/libcount-bench-XXXXXX";
    int rounds = argc > 4 ? atoi(argv[4]) : 31;
    rounds = rounds < 1 ? 1 : rounds > MOST / 10 ? MOST / 10 : rounds;
    self = argv[0];
    folder = mkdtemp(template);
    if (!folder)
        return perror(template), 2;
    atexit(remove_folder);
    for (int i = 0; i < ENTRIES; i++) {
        snprintf(path, sizeof path, "%s/sample.%d", folder, i);
        close(open(path, O_WRONLY | O_CREAT, 0600));
    }
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("LIBCOUNT_LEVEL", "calls", 1);
    setenv("LIBCOUNT_OUTPUT", "/dev/null", 1);
    bool good = bench_calls(argv[1], argv[2], rounds);
    good &= bench_commands(argv[1], argv[3], rounds);
    return !good;
}
