/* reckon gauss trial: one block of pairs of runs, A in this process and B by a server, in a process that did nothing
 * before. reckon gauss compare starts it, or the article's programs, and reads these lines:
 *
 *     null SECONDS | differ NAME | about SIDE TEXT
 *     pair FIRST A_WALL A_CPU A_FASTEST B_WALL B_CPU B_FASTEST B_WORKER PREEMPTIONS MIGRATIONS
 */
#include "gauss/mode.h"

#include "common/errors.h"
#include "common/memory.h"
#include "common/statistics.h"
#include "common/timing.h"
#include "gauss/options.h"
#include "gauss/rpc/client.h"
#include "gauss/rpc/identity.h"
#include "gauss/workload/parallel.h"
#include "process.h"

#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define NULL_CALLS 32
#define WARM_UP 8     /* part of the workload that is run before the pairs */
#define START_S 10.0  /* most that a server may take to start */
#define CALL_LIMIT_S 86400.0

struct request {
    struct workload workload;
    const char *order, *reckon_b;  /* for each pair the side that goes first, a or b; NULL: A once more */
};

struct run {
    double wall, cpu, fastest, worker_wall;
    uint64_t preemptions;
    bool migrated;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &request->workload; break;
    case ARGP_KEY_ARG: *(state->arg_num ? &request->reckon_b : &request->order) = text; break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {
    NULL, parse, "ORDER [RECKON-B]", "A part of reckon gauss compare.",
    (const struct argp_child[]){ { &options_workload, 0, NULL, 0 }, { 0 } }, NULL, NULL,
};

static void run_local(const struct workload *workload, struct workload_histogram *histogram, struct run *run)
{
    struct rusage before, after;
    int processor = sched_getcpu();
    getrusage(RUSAGE_SELF, &before);
    double cpu = timing_process_cpu(), wall = timing_wall();
    parallel_run_timed(workload, histogram, NULL, NULL, &run->fastest);
    run->wall = timing_wall() - wall;
    run->cpu = timing_process_cpu() - cpu;
    getrusage(RUSAGE_SELF, &after);
    run->worker_wall = NAN;
    run->preemptions = (uint64_t)(after.ru_nivcsw - before.ru_nivcsw);
    run->migrated = sched_getcpu() != processor;
}

static int run_remote(struct client *client, const struct workload *workload, struct workload_histogram *histogram,
                      struct run *run)
{
    struct client_figures figures;
    double wall = timing_wall();
    if (client_run(client, workload, histogram, &figures))
        return -1;
    run->wall = timing_wall() - wall;
    run->cpu = figures.cpu_s;
    run->fastest = figures.fastest_s;
    run->worker_wall = figures.wall_s;
    run->preemptions = figures.preemptions;
    run->migrated = figures.first_cpu != figures.last_cpu;
    return 0;
}

/* Both sides, in this order; -1 where one fails or they return different histograms. */
static int run_pair(const struct workload *workload, struct client *client, bool b_first, struct run *a, struct run *b)
{
    struct workload_histogram mine = workload_histogram_new(workload), theirs = mine;
    int status = 0;
    theirs.counts = memory_calloc(mine.bins + 2, sizeof *theirs.counts);
    for (int turn = 0; turn < 2 && !status; turn++) {
        if ((turn == 0) != b_first)
            run_local(workload, &mine, a);
        else if (client)
            status = run_remote(client, workload, &theirs, b);
        else
            run_local(workload, &theirs, b);
    }
    if (!status && !workload_equal(&mine, &theirs)) {
        errors_say("compare: A and B return different histograms: they don't do the same work");
        status = -1;
    }
    workload_histogram_free(&mine);
    workload_histogram_free(&theirs);
    return status;
}

/* Names of the lines of `a` that `b` lacks. */
static void print_missing(const char *a, const char *b)
{
    char *copy = memory_strdup(a), *rest = NULL;
    for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (strstr(b, line))
            continue;
        const char *name = strchr(line, ' ');
        printf("differ %s\n", name ? name + 1 : line);
    }
    free(copy);
}

static int print_identity(struct client *client)
{
    char *mine = identity_text(), *theirs = NULL;
    if (client && client_identity(client, &theirs)) {
        free(mine);
        return -1;
    }
    if (client)
        print_missing(mine, theirs);
    free(mine);
    free(theirs);
    return 0;
}

static int print_null_call(struct client *client)
{
    double seconds[NULL_CALLS];
    for (int i = 0; i < NULL_CALLS; i++) {
        double wall = timing_wall();
        if (client_null(client))
            return -1;
        seconds[i] = timing_wall() - wall;
    }
    printf("null %.9g\n", statistics_spread(seconds, NULL_CALLS).median);
    return 0;
}

static int run_block(const struct request *request, struct client *client)
{
    struct run a = { 0 }, b = { 0 };
    struct workload warm_up = request->workload;
    warm_up.count = (warm_up.count + WARM_UP - 1) / WARM_UP;
    if (print_identity(client) || (client && print_null_call(client)) || run_pair(&warm_up, client, false, &a, &b))
        return -1;
    for (const char *first = request->order; *first; first++) {
        if (run_pair(&request->workload, client, *first == 'b', &a, &b))
            return -1;
        printf("pair %c %.9g %.9g %.9g %.9g %.9g %.9g %.9g %" PRIu64 " %d\n", *first, a.wall, a.cpu, a.fastest, b.wall, b.cpu,
               b.fastest, b.worker_wall, a.preemptions + b.preemptions, a.migrated + b.migrated);
        if (fflush(stdout))
            return -1;
    }
    return 0;
}

/* A server of B and a client of it; -1 after saying what is wrong. */
static int start_server(const char *reckon, struct process *server, struct client **client)
{
    double deadline = timing_wall() + START_S;
    struct token token;
    *client = NULL;
    if (process_start(server, (char *[]){ (char *)reckon, "gauss", "serve", NULL }))
        return -1;
    char *address = process_line(server, deadline), *file = process_line(server, deadline);
    if (!address || !file || strncmp(address, "listening on ", 13) || strncmp(file, "token in ", 9))
        errors_say("compare: the server of B did not start");
    else if (!token_read(file + 9, &token))
        *client = client_open(address + 13, &token, CALL_LIMIT_S);
    free(address);
    free(file);
    if (!*client)
        process_end(server, SIGTERM);
    return *client ? 0 : -1;
}

int gauss_trial(int argc, char **argv)
{
    struct request request = { .workload = workload_default(), .order = "" };
    struct client *client = NULL;
    struct process server;
    argp_parse(&argp, argc, argv, 0, NULL, &request);
    options_check(&request.workload);
    signal(SIGPIPE, SIG_IGN);
    if (request.reckon_b && start_server(request.reckon_b, &server, &client))
        return EXIT_OURS;
    int status = run_block(&request, client);
    client_close(client);
    if (client)
        process_end(&server, SIGTERM);
    return status ? EXIT_OURS : 0;
}
