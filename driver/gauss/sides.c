/* A and B of reckon itself: a fresh trial process and a fresh server for every block. */
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

#define START_S 10.0  /* most that a server may take to start */

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

/* The rest of a line that begins with `start`, in a new string; NULL where it doesn't. Frees the line. */
static char *after(char *line, const char *start)
{
    char *rest = line && !strncmp(line, start, strlen(start)) ? memory_strdup(line + strlen(start)) : NULL;
    free(line);
    return rest;
}

static int start_server(const struct sides *sides, struct process *server, char **address, char **token_file)
{
    char *executable = sides->reckon_b ? (char *)sides->reckon_b : sides_self();
    if (process_start(server, (char *[]){ executable, "gauss", "serve", NULL }, NULL))
        return -1;
    double deadline = timing_wall() + START_S;
    *address = after(process_line(server, deadline), "listening on ");
    *token_file = after(process_line(server, deadline), "token in ");
    if (*address && *token_file)
        return 0;
    errors_say("compare: the server of B did not start");
    free(*address);
    free(*token_file);
    process_end(server, SIGTERM);
    return -1;
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

/* Take one line of the trial; 1 where it was a pair. */
static int take_line(const char *line, struct sample *sample, struct findings *findings)
{
    char first;
    if (sscanf(line, "null %lf", &findings->null_call) == 1)
        return 0;
    if (!strncmp(line, "differ ", 7))
        add_difference(findings, line + 7);
    int count = sscanf(line, "pair %c %lf %lf %lf %lf %lf %" SCNu64 " %u", &first, &sample->a_wall, &sample->a_cpu,
                       &sample->b_wall, &sample->b_cpu, &sample->b_worker_wall, &sample->preemptions, &sample->migrations);
    sample->b_first = count == 8 && first == 'b';
    return count == 8;
}

static int run_trial(const struct sides *sides, const char *order, char *address, const char *token_file,
                     double deadline, struct sample *samples, struct findings *findings)
{
    char **workload = sides_arguments(&sides->workload), *argv[16] = { sides_self(), "gauss", "trial" }, *line;
    char *trial = memory_format("--trial=%s", order), *token = memory_format("--token-file=%s", token_file);
    size_t count = 3, made = 0;
    struct process process;
    for (char **argument = workload; *argument; argument++)
        argv[count++] = *argument;
    argv[count++] = trial;
    if (address) {
        argv[count++] = token;
        argv[count++] = address;
    }
    int status = process_start(&process, argv, NULL);
    if (!status) {
        while (made < strlen(order) && (line = process_line(&process, made ? deadline : INFINITY))) {
            made += (size_t)take_line(line, &samples[made], findings);
            free(line);
        }
        bool late = made < strlen(order) && timing_wall() >= deadline;
        status = process_end(&process, late ? SIGTERM : 0);
        if (late)
            status = 0;
    }
    sides_arguments_free(workload);
    free(trial);
    free(token);
    return status ? -1 : (int)made;
}

int sides_block(const struct sides *sides, const char *order, size_t pairs, double deadline, struct sample *samples,
                struct findings *findings)
{
    struct process server;
    char *address = NULL, *token_file = NULL, *now = memory_format("%.*s", (int)pairs, order);
    if (!sides->self_test && start_server(sides, &server, &address, &token_file)) {
        free(now);
        return -1;
    }
    int made = run_trial(sides, now, address, token_file, deadline, samples, findings);
    if (!sides->self_test)
        process_end(&server, SIGTERM);
    free(now);
    free(address);
    free(token_file);
    return made;
}
