/* The article's own experiment: its programs A, B and C in Perl, under one perl or two. */
#include "sides.h"

#include "common/errors.h"
#include "common/memory.h"
#include "common/timing.h"
#include "process.h"
#include "token.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define START_S 10.0  /* most that a perl may take to start */

/* The scripts, as they lie in driver/gauss/peers. */
#define EMBED(name) \
    __asm__(".pushsection .rodata\n.global peers_" #name "\npeers_" #name ":\n" \
            ".incbin \"driver/gauss/peers/" #name ".pl\"\n.byte 0\n.popsection\n"); \
    extern const char peers_##name[] __attribute__((visibility("hidden")))
EMBED(dev);
EMBED(local);
EMBED(server);
EMBED(client);
EMBED(about);

/* What a perl of one side says of a run. */
struct run {
    double wall, worker_wall, cpu;
    char *histogram;
};

static char *number(double value)
{
    return memory_format("%.17g", value);
}

/* Start `perl -e SCRIPT [PORT] COUNT MEAN SD DIF SEED`. */
static int start(struct process *process, const char *perl, const char *script, const char *port,
                 const struct workload *workload, const char *token)
{
    char *argv[11] = { memory_strdup(perl), memory_strdup("-e"), memory_strdup(script) };
    size_t count = 3;
    if (port)
        argv[count++] = memory_strdup(port);
    if (workload) {
        argv[count++] = memory_format("%" PRIu64, workload->count);
        argv[count++] = number(workload->mean);
        argv[count++] = number(workload->sd);
        argv[count++] = number(workload->width);
        argv[count++] = memory_format("%" PRIu64, workload->seed);
    }
    int status = process_start(process, argv, token);
    while (count)
        free(argv[--count]);
    return status;
}

static int say_end(const char *perl, int status)
{
    errors_say("compare: %s: ended with status %d%s", perl, status, status ? "" : " without a histogram");
    return -1;
}

/* Read the figures and the histogram that local.pl or client.pl print, and wait for its end. */
static int finish(struct process *process, const char *perl, bool remote, struct run *run)
{
    char *line, *text = memory_strdup("");
    int lines = 0;
    bool whole = false;
    while (!whole && (line = process_line(process, INFINITY))) {
        if (lines == 0 && remote) {
            run->wall = strtod(line, NULL);
        } else if (lines == (remote ? 1 : 0)) {
            sscanf(line, "%lf %lf", &run->worker_wall, &run->cpu);
        } else if (!(whole = !strcmp(line, "end"))) {
            char *more = memory_format("%s%s\n", text, line);
            free(text);
            text = more;
        }
        lines++;
        free(line);
    }
    run->histogram = text;
    if (!remote)
        run->wall = run->worker_wall, run->worker_wall = NAN;
    int status = process_end(process, 0);
    return status || !whole ? say_end(perl, status) : 0;
}

static int run_local(const char *perl, const struct workload *workload, struct run *run)
{
    struct process process;
    char *script = memory_format("%s%s", peers_dev, peers_local);
    int status = start(&process, perl, script, NULL, workload, NULL);
    free(script);
    return status ? -1 : finish(&process, perl, false, run);
}

static int run_remote(const char *perl, const char *port, const struct workload *workload, const char *token,
                      struct run *run)
{
    struct process process;
    if (start(&process, perl, peers_client, port, workload, token))
        return -1;
    return finish(&process, perl, true, run);
}

/* Start the server; its port in a new string, NULL after saying what is wrong. */
static char *start_server(struct process *process, const char *perl, const char *token)
{
    char *script = memory_format("%s%s", peers_dev, peers_server), *port = NULL;
    int status = start(process, perl, script, NULL, NULL, token);
    free(script);
    if (status)
        return NULL;
    char *line = process_line(process, timing_wall() + START_S);
    if (line && !strncmp(line, "port ", 5))
        port = memory_strdup(line + 5);
    free(line);
    if (!port)
        say_end(perl, process_end(process, SIGTERM));
    return port;
}

/* About a perl: a line for people in *text, a new string, and what it runs in *objects, one more. */
static int describe(const char *perl, char **text, char **objects)
{
    struct process process;
    char *line;
    if (start(&process, perl, peers_about, NULL, NULL, NULL))
        return -1;
    *text = process_line(&process, timing_wall() + START_S);
    *objects = memory_strdup("");
    while ((line = process_line(&process, timing_wall() + START_S))) {
        char *more = memory_format("%s%s\n", *objects, line);
        free(*objects);
        free(line);
        *objects = more;
    }
    int status = process_end(&process, 0);
    return status || !*text ? say_end(perl, status) : 0;
}

/* What both perls are, once. */
static int describe_both(const struct sides *sides, struct findings *findings)
{
    char *a = NULL, *b = NULL;
    if (findings->perl_a)
        return 0;
    int status = describe(sides->perl_a, &findings->perl_a, &a) || describe(sides->perl_b, &findings->perl_b, &b) ? -1 : 0;
    if (!status && strcmp(a, b)) {
        findings->same = false;
        findings->differences = memory_format("A: %s\nB: %s\n", findings->perl_a, findings->perl_b);
    }
    free(a);
    free(b);
    return status;
}

static int run_pair(const struct sides *sides, const char *port, const char *token, bool b_first, struct sample *sample)
{
    struct run a = { 0 }, b = { 0 };
    int status = 0;
    for (int turn = 0; turn < 2 && !status; turn++) {
        if ((turn == 0) != b_first)
            status = run_local(sides->perl_a, &sides->workload, &a);
        else if (port)
            status = run_remote(sides->perl_b, port, &sides->workload, token, &b);
        else
            status = run_local(sides->perl_a, &sides->workload, &b);
    }
    if (!status && strcmp(a.histogram, b.histogram)) {
        errors_say("compare: A and B return different histograms: they don't do the same work");
        status = -1;
    }
    *sample = (struct sample){ .b_first = b_first, .a_wall = a.wall, .a_cpu = a.cpu, .b_wall = b.wall, .b_cpu = b.cpu,
                               .b_worker_wall = b.worker_wall };
    free(a.histogram);
    free(b.histogram);
    return status;
}

int peers_block(const struct sides *sides, const char *order, size_t pairs, double deadline, struct sample *samples,
                struct findings *findings)
{
    struct process server;
    struct sample warm_up;
    unsigned char bytes[16];
    char token[2 * sizeof bytes + 2], *port = NULL;
    size_t made = 0;
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes || describe_both(sides, findings))
        return -1;
    for (size_t i = 0; i < sizeof bytes; i++)
        sprintf(token + 2 * i, "%02x", bytes[i]);
    strcat(token, "\n");
    if (!sides->self_test && !(port = start_server(&server, sides->perl_b, token)))
        return -1;
    int status = run_pair(sides, port, token, false, &warm_up);
    while (!status && made < pairs && (made == 0 || timing_wall() < deadline)) {
        status = run_pair(sides, port, token, order[made] == 'b', &samples[made]);
        made += !status;
    }
    if (port)
        process_end(&server, SIGTERM);
    free(port);
    return status ? -1 : (int)made;
}
