/* reckon gauss call: have a server compute the workload. */
#include "mode.h"

#include "common/errors.h"
#include "common/memory.h"
#include "common/quantity.h"
#include "common/timing.h"
#include "options.h"
#include "report.h"
#include "rpc/client.h"

#include <signal.h>
#include <stdlib.h>

struct request {
    struct options_common common;
    const char *address, *token_file;
    double timeout;
};

static const struct argp_option options[] = {
    { "token-file", OPTION_TOKEN, "FILE", 0, "The server's token (where the server writes it by default)", 2 },
    { "timeout", OPTION_TIMEOUT, "SECONDS", 0, "Most that the call may take (3600)", 2 },
    { 0 },
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &request->common; break;
    case OPTION_TOKEN: request->token_file = text; break;
    case OPTION_TIMEOUT:request->timeout = quantity_positive("gauss: --timeout", text, 1e6); break;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_error(state, "%s: unexpected argument", text);
        request->address = text;
        break;
    case ARGP_KEY_NO_ARGS: argp_error(state, "the server's address is missing"); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {
    options, parse, "HOST:PORT",
    "Have a `reckon gauss serve` compute the workload, as the article's client C does.\v"
    "Examples:\n"
    "  reckon gauss call 127.0.0.1:4711\n"
    "  reckon gauss call '[::1]:4711' --token-file=token --count=1e9\n"
    "  reckon gauss call 127.0.0.1:4711 --timeout=5 --format=json",
    (const struct argp_child[]){ { &options_common, 0, NULL, 0 }, { 0 } }, NULL, NULL,
};

/* The call itself, timed as its caller sees it. */
static int call(const struct request *request, const struct token *token, struct report *report,
                struct workload_histogram *histogram)
{
    struct client_figures figures = { 0 };
    struct client *client = client_open(request->address, token, request->timeout);
    if (!client)
        return -1;
    double wall = timing_wall(), cpu = timing_process_cpu();
    int status = client_run(client, &request->common.workload, histogram, &figures);
    report->wall_s = timing_wall() - wall;
    report->cpu_s = timing_process_cpu() - cpu;
    report->server = request->address;
    report->server_wall_s = figures.wall_s;
    report->server_cpu_s = figures.cpu_s;
    client_close(client);
    return status;
}

static int report_call(const struct request *request, const struct token *token)
{
    const struct options_common *common = &request->common;
    if (options_check_files(&common->report))
        return EXIT_OURS;
    struct workload_histogram histogram = workload_histogram_new(&common->workload);
    struct report report = { .workload = &common->workload, .histogram = &histogram };
    int status = call(request, token, &report, &histogram) ? EXIT_OURS : report_write(&report, &common->report);
    workload_histogram_free(&histogram);
    return status;
}

int gauss_call(int argc, char **argv)
{
    struct request request = { .common.workload = workload_default(), .timeout = 3600 };
    struct token token;
    argp_parse(&argp, argc, argv, 0, NULL, &request);
    options_check(&request.common.workload);
    char *port = client_port(request.address);
    if (!port) {
        errors_say("gauss: %s: must be HOST:PORT", request.address);
        return EXIT_USAGE;
    }
    if (!client_resolves(request.address)) {
        free(port);
        return EXIT_OURS;
    }
    char *token_file = request.token_file ? memory_strdup(request.token_file) : token_default_path(port);
    signal(SIGPIPE, SIG_IGN);
    int status = token_file && token_read(token_file, &token) == 0 ? report_call(&request, &token) : EXIT_OURS;
    free(token_file);
    free(port);
    return status;
}
