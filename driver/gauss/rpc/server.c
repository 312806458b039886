/* Accepting connections: nothing a client does or leaves undone holds up another one.
 *
 *   a connection     a process at once; it ends itself after CONNECTION_PATIENCE seconds without the token
 *   a flood of them  WORKERS_MAX processes at most: the oldest that was not shown the token makes room
 */
#include "server.h"

#include "common/errors.h"
#include "common/timing.h"
#include "connection.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS_MAX 64

struct state {
    const struct server *server;
    int signals;                    /* a descriptor: signals come in turn, however busy the listener is */
    struct worker {
        pid_t pid;                  /* 0: none */
        double since;
    } workers[WORKERS_MAX];
    atomic_bool *trusted;           /* one per worker, in memory shared with it */
    bool served, stopped;
};

/* In the child: serve one connection, and end. */
static _Noreturn void work(const struct state *state, int socket, int slot, pid_t parent)
{
    struct connection connection = { socket, state->server->token, state->server->count_max, &state->trusted[slot] };
    sigset_t none;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    close(state->signals);
    close(state->server->listener);

    connection_serve(&connection);
    _exit(0);
}

/* A worker has ended. */
static void release(struct state *state, int slot)
{
    state->workers[slot].pid = 0;
    state->served |= state->trusted[slot];
}

/* A free place, or that of the oldest worker which was not shown the token; -1 where all were. */
static int find_place(const struct state *state)
{
    int oldest = -1;
    for (int slot = 0; slot < WORKERS_MAX; slot++) {
        if (!state->workers[slot].pid)
            return slot;
        if (!state->trusted[slot] && (oldest < 0 || state->workers[slot].since < state->workers[oldest].since))
            oldest = slot;
    }
    return oldest;
}

static void accept_one(struct state *state)
{
    int socket = accept4(state->server->listener, NULL, NULL, SOCK_CLOEXEC), slot = find_place(state), on = 1;
    if (socket < 0)
        return;
    setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    if (state->workers[slot].pid && kill(state->workers[slot].pid, SIGKILL) == 0) {
        waitpid(state->workers[slot].pid, NULL, 0);
        release(state, slot);
    }
    state->trusted[slot] = false;

    pid_t parent = getpid(), child = fork();
    if (child == 0)
        work(state, socket, slot, parent);
    if (child > 0)
        state->workers[slot] = (struct worker){ child, timing_wall() };
    close(socket);
}

static void take_signals(struct state *state)
{
    struct signalfd_siginfo info;
    while (read(state->signals, &info, sizeof info) == sizeof info)
        state->stopped |= info.ssi_signo != SIGCHLD;
    for (int slot = 0; slot < WORKERS_MAX; slot++)
        if (state->workers[slot].pid && waitpid(state->workers[slot].pid, NULL, WNOHANG) > 0)
            release(state, slot);
}

static void serve(struct state *state)
{
    while (!state->stopped && !(state->server->once && state->served)) {
        struct pollfd polled[] = { { state->signals, POLLIN, 0 },
                                   { state->server->listener, find_place(state) < 0 ? 0 : POLLIN, 0 } };
        if (poll(polled, 2, -1) < 0)
            continue;
        if (polled[0].revents)
            take_signals(state);
        if (polled[1].revents)
            accept_one(state);
    }
    for (int slot = 0; slot < WORKERS_MAX; slot++)
        if (state->workers[slot].pid && kill(state->workers[slot].pid, SIGKILL) == 0)
            waitpid(state->workers[slot].pid, NULL, 0);
}

static sigset_t own_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGCHLD);
    return set;
}

void server_block_signals(void)
{
    sigset_t blocked = own_signals();
    sigprocmask(SIG_BLOCK, &blocked, NULL);
}

int server_run(const struct server *server)
{
    struct state state = { .server = server };
    sigset_t wanted = own_signals();
    size_t size = WORKERS_MAX * sizeof *state.trusted;

    signal(SIGCHLD, SIG_DFL);  /* whoever started us may ignore it: then nobody could be waited for */
    server_block_signals();
    state.signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
    state.trusted = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (state.signals < 0 || state.trusted == MAP_FAILED) {
        errors_say_errno(errno, "serve");
        return -1;
    }
    serve(&state);
    close(state.signals);
    munmap(state.trusted, size);
    return 0;
}
