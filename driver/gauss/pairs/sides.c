/* Blocks of pairs, each by fresh processes: reckon gauss trial, or the article's programs under perl. */
#include "sides.h"

#include "common/errors.h"
#include "common/memory.h"
#include "common/timing.h"
#include "process.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The article's programs, as they lie in pairs/peers. */
__asm__(".pushsection .rodata\n.global sides_script\nsides_script:\n"
        ".incbin \"driver/gauss/pairs/peers/dev.pl\"\n.incbin \"driver/gauss/pairs/peers/article.pl\"\n.byte 0\n"
        ".popsection\n");

void findings_free(struct findings *findings)
{
    free(findings->differences);
    free(findings->perl_a);
    free(findings->perl_b);
}

/* The name, so that it works under a tracer, too; the link where the file was replaced since. */
char *sides_self(void)
{
    static char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    return access(path, X_OK) ? strcpy(path, "/proc/self/exe") : path;
}

char **sides_arguments(const struct workload *workload)
{
    char **arguments = memory_calloc(8, sizeof *arguments);
    arguments[0] = memory_format("--generator=%s", workload_generator_name(workload->generator));
    arguments[1] = memory_format("--count=%" PRIu64, workload->count);
    arguments[2] = memory_format("--seed=%" PRIu64, workload->seed);
    arguments[3] = memory_format("--mean=%.17g", workload->mean);
    arguments[4] = memory_format("--sd=%.17g", workload->sd);
    arguments[5] = memory_format("--width=%.17g", workload->width);
    arguments[6] = memory_format("--threads=%u", workload->threads);
    return arguments;
}

void sides_arguments_free(char **arguments)
{
    for (char **argument = arguments; *argument; argument++)
        free(*argument);
    free(arguments);
}

static void add_difference(struct findings *findings, const char *name)
{
    if (findings->differences && strstr(findings->differences, name))
        return;
    char *all = memory_format("%s%s\n", findings->differences ? findings->differences : "", name);
    free(findings->differences);
    findings->differences = all;
    findings->same = false;
}

/* Take one line of a trial (trial.h); true where it was a pair. */
static bool take_line(const char *line, struct sample *sample, struct findings *findings)
{
    char first;
    if (!strncmp(line, "differ ", 7)) {
        add_difference(findings, line + 7);
    } else if (!strncmp(line, "about ", 6)) {
        char **about = line[6] == 'A' ? &findings->perl_a : &findings->perl_b;
        free(*about);
        *about = memory_strdup(line + 8);
    }
    sscanf(line, "null %lf", &findings->null_call);
    int count = sscanf(line, "pair %c %lf %lf %lf %lf %lf %lf %lf %" SCNu64 " %u", &first, &sample->a_wall, &sample->a_cpu,
                       &sample->a_fastest, &sample->b_wall, &sample->b_cpu, &sample->b_fastest, &sample->b_worker_wall,
                       &sample->preemptions, &sample->migrations);
    sample->b_first = count == 10 && first == 'b';
    return count == 10;
}

/* `reckon gauss trial ORDER [B] WORKLOAD`. */
static int start_trial(struct process *process, const struct sides *sides, char *order)
{
    char **workload = sides_arguments(&sides->workload), *argv[16] = { sides_self(), "gauss", "trial", order };
    size_t count = 4;
    if (!sides->self_test)
        argv[count++] = sides->reckon_b ? (char *)sides->reckon_b : argv[0];
    for (char **argument = workload; *argument; argument++)
        argv[count++] = *argument;
    int status = process_start(process, argv);
    sides_arguments_free(workload);
    return status;
}

/* `perl -e SCRIPT trial ORDER PERL-A PERL-B COUNT MEAN SD DIF SEED`. */
static int start_perl(struct process *process, const struct sides *sides, char *order)
{
    const struct workload *workload = &sides->workload;
    char *perl = (char *)sides->perl_a, *once_more = "";
    char *numbers[] = { memory_format("%" PRIu64, workload->count), memory_format("%.17g", workload->mean),
                        memory_format("%.17g", workload->sd), memory_format("%.17g", workload->width),
                        memory_format("%" PRIu64, workload->seed) };
    setenv("RECKON_SCRIPT", sides_script, 1);
    int status = process_start(process, (char *[]){ perl, "-e", (char *)sides_script, "trial", order, perl,
                                                    sides->self_test ? once_more : (char *)sides->perl_b, numbers[0],
                                                    numbers[1], numbers[2], numbers[3], numbers[4], NULL });
    for (size_t i = 0; i < 5; i++)
        free(numbers[i]);
    return status;
}

int sides_block(const struct sides *sides, const char *order, size_t pairs, double deadline, struct sample *samples,
                struct findings *findings)
{
    struct process process;
    char *now = memory_format("%.*s", (int)pairs, order), *line = NULL;
    size_t made = 0;
    if ((sides->perl ? start_perl : start_trial)(&process, sides, now)) {
        free(now);
        return -1;
    }
    while (made < pairs && (line = process_line(&process, made ? deadline : INFINITY))) {
        made += take_line(line, &samples[made], findings);
        free(line);
    }
    bool late = made < pairs && timing_wall() >= deadline;
    int status = process_end(&process, late ? SIGTERM : 0);
    free(now);
    return status && !late ? -1 : (int)made;
}
