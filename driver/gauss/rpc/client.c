/* The caller's side of the RPC service. */
#include "client.h"

#include "common/errors.h"
#include "common/memory.h"
#include "gauss/rpc/gauss.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECT_S 10.0  /* most that connecting may take */

struct client {
    CLIENT *rpc;
    char *address;
    struct token token;
    double timeout;
};

/* "HOST:PORT" or "[HOST]:PORT" in two new strings. */
static int split(const char *address, char **host, char **port)
{
    const char *colon = strrchr(address, ':');
    if (!colon || colon == address || !colon[1])
        return -1;
    bool bracketed = address[0] == '[' && colon[-1] == ']';
    const char *start = bracketed ? address + 1 : address;
    *host = memory_format("%.*s", (int)(colon - start - bracketed), start);
    *port = memory_strdup(colon + 1);
    return 0;
}

char *client_port(const char *address)
{
    char *host, *port;
    if (split(address, &host, &port))
        return NULL;
    free(host);
    return port;
}

/* connect() that waits no longer than `seconds`; 0 or an error number. */
static int connect_within(int descriptor, const struct addrinfo *address, double seconds)
{
    struct pollfd waited = { .fd = descriptor, .events = POLLOUT };
    int number = 0;
    socklen_t size = sizeof number;
    if (connect(descriptor, address->ai_addr, address->ai_addrlen) == 0)
        return 0;
    if (errno != EINPROGRESS)
        return errno;
    if (poll(&waited, 1, (int)(seconds * 1000)) == 0)
        return ETIMEDOUT;
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size) ? errno : number;
}

/* The addresses of "HOST:PORT", or NULL after saying what is wrong with it. */
static struct addrinfo *resolve(const char *address)
{
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV }, *found = NULL;
    char *host, *port;
    if (split(address, &host, &port)) {
        errors_say("call: %s: must be HOST:PORT", address);
        return NULL;
    }
    int fault = getaddrinfo(host, port, &hints, &found);
    free(host);
    free(port);
    if (fault) {
        errors_say("call: %s: %s", address, gai_strerror(fault));
        return NULL;
    }
    return found;
}

bool client_resolves(const char *address)
{
    struct addrinfo *found = resolve(address);
    if (found)
        freeaddrinfo(found);
    return found;
}

static int connect_to(const char *address, double timeout)
{
    struct addrinfo *found = resolve(address);
    int descriptor = -1, number = 0, on = 1;
    if (!found)
        return -1;
    for (struct addrinfo *one = found; one && descriptor < 0; one = one->ai_next) {
        descriptor = socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, one->ai_protocol);
        number = descriptor < 0 ? errno : connect_within(descriptor, one, timeout < CONNECT_S ? timeout : CONNECT_S);
        if (number && descriptor >= 0) {
            close(descriptor);
            descriptor = -1;
        }
    }
    freeaddrinfo(found);
    if (descriptor < 0) {
        errors_say_errno(number, "call: %s", address);
        return -1;
    }
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return descriptor;
}

struct client *client_open(const char *address, const struct token *token, double timeout)
{
    struct sockaddr_storage peer;
    struct netbuf server = { .maxlen = sizeof peer, .len = sizeof peer, .buf = &peer };
    int descriptor = connect_to(address, timeout);
    if (descriptor < 0)
        return NULL;
    getpeername(descriptor, (struct sockaddr *)&peer, &server.len);
    CLIENT *rpc = clnt_vc_create(descriptor, &server, GAUSS_PROGRAM, GAUSS_VERSION, 0, 0);
    if (!rpc) {
        errors_say("call: %s: %s", address, clnt_sperrno(rpc_createerr.cf_stat));
        close(descriptor);
        return NULL;
    }
    struct timeval limit = { (time_t)timeout, (suseconds_t)((timeout - (double)(time_t)timeout) * 1e6) };
    clnt_control(rpc, CLSET_TIMEOUT, (char *)&limit);
    clnt_control(rpc, CLSET_FD_CLOSE, NULL);
    struct client *client = memory_calloc(1, sizeof *client);
    *client = (struct client){ rpc, memory_strdup(address), *token, timeout };
    return client;
}

void client_close(struct client *client)
{
    if (!client)
        return;
    clnt_destroy(client->rpc);
    free(client->address);
    free(client);
}

/* What a failed call is, in words. */
static int say_failure(struct client *client, enum clnt_stat status)
{
    struct rpc_err error = { .re_status = status };
    clnt_geterr(client->rpc, &error);
    if (status == RPC_TIMEDOUT)
        errors_say("call: %s: no answer within %g s", client->address, client->timeout);
    else if (status == RPC_CANTRECV && error.re_errno == 0)
        errors_say("call: %s: the server closed the connection", client->address);
    else if (status == RPC_CANTSEND || status == RPC_CANTRECV)
        errors_say("call: %s: the connection broke: %s", client->address, strerror(error.re_errno));
    else
        errors_say("call: %s: %s", client->address, clnt_sperrno(status));
    return -1;
}

/* Take the server's counts; they must be what was asked for. */
static int take(struct client *client, const struct workload *workload, const gauss_result *result,
                struct workload_histogram *histogram)
{
    size_t slots = histogram->bins + 2;
    if (result->lowest == histogram->lowest && result->counts.counts_len == slots) {
        memcpy(histogram->counts, result->counts.counts_val, slots * sizeof *histogram->counts);
        if (workload_total(histogram) == workload->count)
            return 0;
    }
    errors_say("call: %s: the answer is not the histogram that was asked for", client->address);
    return -1;
}

int client_run(struct client *client, const struct workload *workload, struct workload_histogram *histogram,
               struct client_figures *figures)
{
    gauss_request request = {
        .generator = (int)workload->generator, .seed = workload->seed, .count = workload->count,
        .mean = workload->mean, .sd = workload->sd, .width = workload->width, .threads = workload->threads,
    };
    gauss_reply reply = { 0 };
    memcpy(request.token, client->token.bytes, TOKEN_BYTES);
    enum clnt_stat status = gauss_run_1(request, &reply, client->rpc);
    if (status != RPC_SUCCESS)
        return say_failure(client, status);
    int outcome = -1;
    if (reply.status == GAUSS_DONE) {
        const gauss_result *result = &reply.gauss_reply_u.result;
        *figures = (struct client_figures){ result->wall_s, result->cpu_s, result->fastest_s, result->first_cpu,
                                            result->last_cpu, result->preemptions };
        outcome = take(client, workload, result, histogram);
    } else {
        errors_say("call: %s: %s", client->address, reply.gauss_reply_u.text);
    }
    xdr_free((xdrproc_t)xdr_gauss_reply, (char *)&reply);
    return outcome;
}

int client_null(struct client *client)
{
    struct timeval limit = { (time_t)client->timeout, 0 };
    xdrproc_t nothing = (xdrproc_t)(void (*)(void))xdr_void;
    enum clnt_stat status = clnt_call(client->rpc, NULLPROC, nothing, NULL, nothing, NULL, limit);
    return status == RPC_SUCCESS ? 0 : say_failure(client, status);
}

int client_identity(struct client *client, char **text)
{
    gauss_key key;
    gauss_identity reply = { 0 };
    memcpy(key.token, client->token.bytes, TOKEN_BYTES);
    enum clnt_stat status = gauss_identify_1(key, &reply, client->rpc);
    if (status != RPC_SUCCESS)
        return say_failure(client, status);
    if (reply.status == GAUSS_DONE)
        *text = memory_strdup(reply.gauss_identity_u.objects);
    else
        errors_say("call: %s: %s", client->address, reply.gauss_identity_u.text);
    xdr_free((xdrproc_t)xdr_gauss_identity, (char *)&reply);
    return reply.status == GAUSS_DONE ? 0 : -1;
}
