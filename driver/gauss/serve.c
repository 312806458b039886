/* reckon gauss serve: the workload as an RPC service. */
#include "mode.h"

#include "common/errors.h"
#include "common/memory.h"
#include "common/quantity.h"
#include "gauss/rpc/gauss.h"
#include "options.h"
#include "rpc/listen.h"
#include "rpc/server.h"
#include "workload/workload.h"

#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct request {
    const char *host, *port, *token_file;
    struct server server;
};

static const struct argp_option options[] = {
    { "bind", OPTION_BIND, "ADDRESS", 0, "Listen there (127.0.0.1)", 1 },
    { "port", OPTION_PORT, "N", 0, "Listen on this port (one that the kernel chooses)", 1 },
    { "token-file", OPTION_TOKEN, "FILE", 0, "Write the callers' token there, mode 0600", 1 },
    { "limit", OPTION_LIMIT, "N", 0, "Most variates of a call (10000000000)", 1 },
    { "once", OPTION_ONCE, NULL, 0, "End when the first caller has left", 1 },
    { 0 },
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case OPTION_BIND: request->host = text; break;
    case OPTION_PORT: quantity_whole("gauss: --port", text, 0, 65535); request->port = text; break;
    case OPTION_TOKEN: request->token_file = text; break;
    case OPTION_LIMIT: request->server.count_max = quantity_whole("gauss: --limit", text, 1, WORKLOAD_COUNT_MAX); break;
    case OPTION_ONCE: request->server.once = true; break;
    case ARGP_KEY_ARG: argp_error(state, "%s: unexpected argument", text); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {
    options, parse, "",
    "Compute the workload for callers: ONC RPC over TCP, without rpcbind. Prints the address it listens on and ends on "
    "SIGTERM or SIGINT.\v"
    "Only who can read the token's file can have anything computed; an empty call needs no token, so that rpcinfo, "
    "whose command is printed, finds the service. Each connection has a process of its own.\n\n"
    "Examples:\n"
    "  reckon gauss serve\n"
    "  reckon gauss serve --port=4711 --limit=1e9\n"
    "  reckon gauss serve --bind=::1 --token-file=token",
    NULL, NULL, NULL,
};

/* Others can read what goes over a network, the token too. */
static void warn_of_network(int socket)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    bool loopback = false;
    if (getsockname(socket, (struct sockaddr *)&address, &length))
        return;
    if (address.ss_family == AF_INET)
        loopback = ntohl(((struct sockaddr_in *)&address)->sin_addr.s_addr) >> 24 == 127;
    else if (address.ss_family == AF_INET6)
        loopback = IN6_IS_ADDR_LOOPBACK(&((struct sockaddr_in6 *)&address)->sin6_addr);
    if (!loopback)
        errors_say("serve: warning: not only this machine can connect, and token and results travel in the clear");
}

/* The program's number in decimal, as rpcinfo takes it, and how to ask for it: in the universal address (RFC 5665) the two
 * bytes of the port are numbers of their own. */
static void print_program(const char *address)
{
    const char *colon = strrchr(address, ':');
    bool bracketed = *address == '[';
    unsigned long port = strtoul(colon + 1, NULL, 10);
    printf("program %d, version %d: rpcinfo -a %.*s.%lu.%lu -T %s %d\n", GAUSS_PROGRAM, GAUSS_VERSION,
           (int)(colon - address) - 2 * bracketed, address + bracketed, port / 256, port % 256, bracketed ? "tcp6" : "tcp",
           GAUSS_PROGRAM);
}

static int serve(struct request *request, const char *token_file)
{
    char *address = listen_address(request->server.listener);
    server_block_signals();
    if (!address || token_create(token_file, &request->server.token)) {
        free(address);
        return EXIT_OURS;
    }
    warn_of_network(request->server.listener);
    printf("listening on %s\ntoken in %s\n", address, token_file);
    print_program(address);
    free(address);
    int status = fflush(stdout) ? -1 : server_run(&request->server);
    unlink(token_file);
    return status ? EXIT_OURS : 0;
}

int gauss_serve(int argc, char **argv)
{
    struct request request = { .host = "127.0.0.1", .port = "0", .server = { .count_max = 10000000000 } };
    argp_parse(&argp, argc, argv, 0, NULL, &request);
    request.server.listener = listen_on(request.host, request.port);
    if (request.server.listener < 0)
        return EXIT_OURS;
    char *port = listen_port(request.server.listener);
    char *token_file = request.token_file ? memory_strdup(request.token_file) : port ? token_default_path(port) : NULL;
    int status = token_file ? serve(&request, token_file) : EXIT_OURS;
    free(port);
    free(token_file);
    return status;
}
