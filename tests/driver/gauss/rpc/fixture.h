/* A server process, and ways to call it well and badly; for the tests of the server. */
#ifndef TESTS_GAUSS_FIXTURE_H
#define TESTS_GAUSS_FIXTURE_H

#include "common/errors.h"
#include "common/timing.h"
#include "gauss/rpc/client.h"
#include "gauss/rpc/connection.h"
#include "gauss/rpc/listen.h"
#include "gauss/rpc/server.h"
#include "gauss/workload/parallel.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct fixture {
    pid_t pid;
    char *address;
    uint16_t port;
    struct token token;
};

/* More than any test waits for: half an hour. What must end sooner is seen to. */
#define COUNT_MAX 1000000000000u

/* A server process on a free port; `descriptors` limits its open files (0: as they are). */
static __attribute__((unused)) struct fixture start(rlim_t descriptors, bool once)
{
    struct fixture fixture = { .token = { "secret" } };
    struct server server = { .listener = listen_on("127.0.0.1", "0"), .token = fixture.token, .count_max = COUNT_MAX,
                             .once = once };
    assert_true(server.listener >= 0);
    fixture.address = listen_address(server.listener);
    fixture.port = (uint16_t)atoi(strrchr(fixture.address, ':') + 1);
    sigset_t mask;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    server_block_signals();
    fixture.pid = fork();
    assert_true(fixture.pid >= 0);
    if (!fixture.pid) {
        struct rlimit limit = { descriptors, descriptors };
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (descriptors)
            setrlimit(RLIMIT_NOFILE, &limit);
        _exit(server_run(&server) ? 1 : 0);
    }
    sigprocmask(SIG_SETMASK, &mask, NULL);
    close(server.listener);
    return fixture;
}

/* End it by SIGTERM, which it must follow at once and with status 0. */
static __attribute__((unused)) void fixture_stop(struct fixture *fixture)
{
    int status;
    kill(fixture->pid, SIGTERM);
    assert_int_equal(waitpid(fixture->pid, &status, 0), fixture->pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    free(fixture->address);
}

/* Make a call; its status, and the seconds it took where wanted. */
static __attribute__((unused)) int call(const struct fixture *fixture, uint64_t count, double timeout, double *seconds)
{
    struct workload workload = workload_default();
    struct client_figures figures;
    double begin = timing_wall();
    workload.count = count;
    workload.generator = WORKLOAD_FAST;
    struct workload_histogram mine = workload_histogram_new(&workload), theirs = workload_histogram_new(&workload);
    struct client *client = client_open(fixture->address, &fixture->token, timeout);
    int status = client ? client_run(client, &workload, &theirs, &figures) : -1;
    if (seconds)
        *seconds = timing_wall() - begin;
    if (!status) {
        parallel_run(&workload, &mine, NULL, NULL);
        assert_true(workload_equal(&mine, &theirs));
    }
    client_close(client);
    workload_histogram_free(&mine);
    workload_histogram_free(&theirs);
    return status;
}

static __attribute__((unused)) int connect_raw(const struct fixture *fixture)
{
    struct sockaddr_in peer = { .sin_family = AF_INET, .sin_port = htons(fixture->port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(descriptor >= 0 && connect(descriptor, (struct sockaddr *)&peer, sizeof peer) == 0);
    return descriptor;
}

static __attribute__((unused)) void say(int descriptor, const void *bytes, size_t count)
{
    assert_int_equal(send(descriptor, bytes, count, MSG_NOSIGNAL), count);
}

/* True when the peer closes within `seconds`. */
static __attribute__((unused)) bool closes(int descriptor, double seconds)
{
    char bytes[256];
    struct pollfd peer = { .fd = descriptor, .events = POLLIN };
    double until = timing_wall() + seconds;
    while (timing_wall() < until) {
        if (poll(&peer, 1, 100) > 0 && recv(descriptor, bytes, sizeof bytes, 0) <= 0)
            return true;
    }
    return false;
}

/* True while the peer has neither said anything nor closed. */
static __attribute__((unused)) bool is_open(int descriptor)
{
    struct pollfd peer = { .fd = descriptor, .events = POLLIN | POLLRDHUP };
    return poll(&peer, 1, 0) == 0;
}

/* A null call of this program, record mark included. */
static const uint32_t null_call[] = { 0x80000028, 7, 0, 2, 0x20090602, 1, 0, 0, 0, 0, 0 };

static __attribute__((unused)) void say_null_call(int descriptor, size_t bytes)
{
    uint32_t record[11];
    for (size_t i = 0; i < 11; i++)
        record[i] = htonl(null_call[i]);
    say(descriptor, record, bytes);
}

#endif
