/* The RPC service on one connection. */
#include "connection.h"

#include "common/memory.h"
#include "common/timing.h"
#include "gauss/rpc/gauss.h"
#include "gauss/workload/parallel.h"
#include "identity.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

_Static_assert(GAUSS_BINS_MAX == WORKLOAD_BINS_MAX + 2, "gauss.x must bound what workload.h allows");
_Static_assert(GAUSS_TOKEN_BYTES == TOKEN_BYTES, "gauss.x and token.h must agree");

void gauss_program_1(struct svc_req *request, SVCXPRT *transport);  /* rpcgen does not declare it */

static struct connection current;  /* the only one of this process; libtirpc passes no context to procedures */

/* Whether a request has wholly arrived: 1 yes, 0 not yet, -1 it is none or too long, or the peer is gone. Nothing is
 * read. After 0 poll() reports the socket when there is more to see.
 *
 * Record marking, RFC 5531 section 11: a bit for the last fragment, 31 bits of length. libtirpc would wait for the rest
 * of a record and swallow 2 GiB; our requests are one short fragment. */
static int ready(int socket)
{
    uint32_t mark;
    char record[sizeof mark + CONNECTION_RECORD_MAX];
    ssize_t length = recv(socket, record, sizeof record, MSG_PEEK | MSG_DONTWAIT);
    if (length < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -1;
    if (length == 0)
        return -1;
    int wanted = sizeof mark;
    if ((size_t)length >= sizeof mark) {
        memcpy(&mark, record, sizeof mark);
        mark = ntohl(mark);
        if (!(mark & 0x80000000) || (mark & 0x7fffffff) > CONNECTION_RECORD_MAX || (mark & 0x7fffffff) < 40)
            return -1;
        wanted += (int)(mark & 0x7fffffff);
    }
    if (length >= wanted)
        return 1;
    struct pollfd peer = { .fd = socket, .events = POLLRDHUP };
    if (poll(&peer, 1, 0) > 0)
        return -1;  /* no more will come, and poll() would say so for ever */
    setsockopt(socket, SOL_SOCKET, SO_RCVLOWAT, &wanted, sizeof wanted);
    return 0;
}

static bool check_token(const char *bytes)
{
    if (!token_equal(bytes, current.token.bytes))
        return false;
    *current.trusted = true;
    alarm(0);
    return true;
}

/* A client that has gone needs no histogram: the process ends, and with it the computation. */
static bool client_is_there(void *context, double done)
{
    struct pollfd peer = { .fd = current.socket, .events = POLLRDHUP };
    (void)context, (void)done;
    if (poll(&peer, 1, 0) > 0 && peer.revents & (POLLRDHUP | POLLHUP | POLLERR))
        _exit(0);
    return true;
}

static bool_t refuse(gauss_reply *reply, gauss_status status, const char *text)
{
    reply->status = status;
    reply->gauss_reply_u.text = memory_format("%.*s", GAUSS_TEXT_MAX, text);
    return TRUE;
}

static void compute(const struct workload *workload, gauss_result *result)
{
    struct workload_histogram histogram = workload_histogram_new(workload);
    struct rusage before, after;
    result->first_cpu = (u_int)sched_getcpu();
    getrusage(RUSAGE_SELF, &before);
    double wall = timing_wall(), cpu = timing_process_cpu();
    parallel_run_timed(workload, &histogram, client_is_there, NULL, &result->fastest_s);
    result->wall_s = timing_wall() - wall;
    result->cpu_s = timing_process_cpu() - cpu;
    getrusage(RUSAGE_SELF, &after);
    result->preemptions = (u_quad_t)(after.ru_nivcsw - before.ru_nivcsw);
    result->last_cpu = (u_int)sched_getcpu();
    result->lowest = histogram.lowest;
    result->counts.counts_len = (u_int)(histogram.bins + 2);
    result->counts.counts_val = (u_quad_t *)histogram.counts;  /* freed with the reply */
}

bool_t gauss_run_1_svc(gauss_request request, gauss_reply *reply, struct svc_req *rpc)
{
    (void)rpc;
    memset(reply, 0, sizeof *reply);
    if (!check_token(request.token))
        return refuse(reply, GAUSS_TOKEN_WRONG, "the token is not this server's");
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct workload workload = {
        .generator = (enum workload_generator)request.generator, .seed = request.seed, .count = request.count,
        .mean = request.mean, .sd = request.sd, .width = request.width, .threads = request.threads, .ranks = 1,
    };
    char *fault = workload_fault(&workload);
    if (!fault && workload.count > current.count_max)
        fault = memory_format("count: this server allows at most %llu", (unsigned long long)current.count_max);
    if (fault) {
        refuse(reply, GAUSS_REFUSED, fault);
        free(fault);
        return TRUE;
    }
    if (workload.threads > processors && processors > 0)
        workload.threads = (unsigned)processors;
    reply->status = GAUSS_DONE;
    compute(&workload, &reply->gauss_reply_u.result);
    return TRUE;
}

bool_t gauss_identify_1_svc(gauss_key key, gauss_identity *reply, struct svc_req *rpc)
{
    (void)rpc;
    memset(reply, 0, sizeof *reply);
    reply->status = check_token(key.token) ? GAUSS_DONE : GAUSS_TOKEN_WRONG;
    if (reply->status != GAUSS_DONE) {
        reply->gauss_identity_u.text = memory_strdup("the token is not this server's");
        return TRUE;
    }
    char *text = identity_text();
    reply->gauss_identity_u.objects = memory_format("%.*s", GAUSS_IDENTITY_MAX, text);
    free(text);
    return TRUE;
}

int gauss_program_1_freeresult(SVCXPRT *transport, xdrproc_t xdr, caddr_t result)
{
    (void)transport;
    xdr_free(xdr, result);
    return 1;
}

void connection_serve(const struct connection *connection)
{
    current = *connection;
    SVCXPRT *transport = svc_fd_create(current.socket, 0, 0);
    if (!transport || !svc_reg(transport, GAUSS_PROGRAM, GAUSS_VERSION, gauss_program_1, NULL))
        return;
    alarm(CONNECTION_PATIENCE);  /* its default action ends this process */
    while (FD_ISSET(current.socket, &svc_fdset)) {
        struct pollfd peer = { .fd = current.socket, .events = POLLIN };
        int polled = poll(&peer, 1, CONNECTION_IDLE * 1000);
        int whole = polled > 0 || (polled < 0 && errno == EINTR) ? ready(current.socket) : -1;
        if (whole < 0)
            return;
        if (whole)
            svc_getreq_common(current.socket);
    }
}
