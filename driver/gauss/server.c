/* Accepting connections: nothing a client does or leaves undone holds up another one.
 *
 *   silent, slow, half-open   a descriptor until a whole request is there, CONNECTION_PATIENCE seconds at most
 *   a flood of them           the oldest makes room for the newest
 *   a request                 a process, which must be shown the token within the same time
 *   a flood of those          the oldest process that was not shown it makes room
 */
#include "server.h"

#include "common/errors.h"
#include "common/timing.h"
#include "connection.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define WAITING_MAX 128u  /* fewer where descriptors are scarce */
#define WORKERS_MAX 64u

struct waiting {
    int socket;
    bool ready;     /* a whole request is there, no process was free yet */
    double until;   /* then the connection is closed */
};

struct state {
    const struct server *server;
    struct waiting waiting[WAITING_MAX];
    unsigned waiting_count, waiting_max;
    pid_t workers[WORKERS_MAX];         /* 0: free */
    double since[WORKERS_MAX];
    atomic_bool *trusted;               /* WORKERS_MAX of them, in memory shared with the workers */
    bool served, stopped;
    int signals;                        /* a descriptor: signals come in turn, however busy the sockets are */
};

static const int signals[] = { SIGTERM, SIGINT, SIGHUP, SIGCHLD };

static void drop(struct state *state, unsigned index)
{
    close(state->waiting[index].socket);
    memmove(&state->waiting[index], &state->waiting[index + 1],
            (--state->waiting_count - index) * sizeof *state->waiting);
}

/* In the child: serve one connection, and end. */
static void work(struct state *state, int socket, unsigned slot)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    close(state->signals);
    close(state->server->listener);
    for (unsigned i = 0; i < state->waiting_count; i++)
        if (state->waiting[i].socket != socket)
            close(state->waiting[i].socket);
    struct connection connection = { socket, state->server->token, state->server->count_max, &state->trusted[slot] };
    connection_serve(&connection);
    _exit(0);
}

/* Hand a connection whose request has arrived to a new process; false where none is to be had now. */
static bool start_worker(struct state *state, unsigned index)
{
    unsigned slot = 0;
    while (slot < WORKERS_MAX && state->workers[slot])
        slot++;
    if (slot == WORKERS_MAX)
        return false;
    state->trusted[slot] = false;
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == parent)
            work(state, state->waiting[index].socket, slot);
        _exit(0);
    }
    if (child < 0)
        return false;
    state->workers[slot] = child;
    state->since[slot] = timing_wall();
    drop(state, index);
    return true;
}

/* Kill the oldest process that has not been shown the token; its slot is free once it was waited for. */
static void make_room(struct state *state)
{
    unsigned oldest = WORKERS_MAX;
    for (unsigned slot = 0; slot < WORKERS_MAX; slot++)
        if (state->workers[slot] && !state->trusted[slot] &&
            (oldest == WORKERS_MAX || state->since[slot] < state->since[oldest]))
            oldest = slot;
    if (oldest < WORKERS_MAX)
        kill(state->workers[oldest], SIGKILL);
}

static void accept_one(struct state *state)
{
    int socket = accept4(state->server->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), on = 1;
    if (socket < 0) {
        if ((errno == EMFILE || errno == ENFILE) && state->waiting_count)
            drop(state, 0);
        return;
    }
    setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    if (state->waiting_count == state->waiting_max)
        drop(state, 0);
    state->waiting[state->waiting_count++] =
        (struct waiting){ socket, false, timing_wall() + CONNECTION_PATIENCE };
}

static void reap(struct state *state)
{
    for (unsigned slot = 0; slot < WORKERS_MAX; slot++) {
        if (!state->workers[slot] || waitpid(state->workers[slot], NULL, WNOHANG) != state->workers[slot])
            continue;
        state->workers[slot] = 0;
        state->served |= state->trusted[slot];
    }
}

/* Look at every waiting connection; `polled` are the answers for the first `count`, which may be fewer than wait now. */
static void look_at_waiting(struct state *state, const struct pollfd *polled, unsigned count)
{
    double now = timing_wall();
    for (unsigned i = count; i-- > 0;) {  /* backwards: drop() moves the ones behind */
        struct waiting *waiting = &state->waiting[i];
        int ready = waiting->ready ? 1 : polled[i].revents ? connection_ready(waiting->socket) : 0;
        waiting->ready = ready > 0;
        if (ready < 0 || now > waiting->until || polled[i].revents & (POLLERR | POLLHUP | POLLNVAL))
            drop(state, i);
        else if (ready > 0 && !start_worker(state, i))
            make_room(state);
    }
}

/* Milliseconds until the first of the waiting connections has waited enough; a tenth of a second while one that is
 * ready needs a process. */
static int patience(const struct state *state)
{
    double soonest = CONNECTION_PATIENCE, now = timing_wall();
    for (unsigned i = 0; i < state->waiting_count; i++) {
        double left = state->waiting[i].ready ? 0.1 : state->waiting[i].until - now;
        soonest = left < soonest ? left : soonest;
    }
    return soonest > 0 ? (int)(soonest * 1000) + 1 : 1;
}

static void take_signals(struct state *state)
{
    struct signalfd_siginfo info;
    while (read(state->signals, &info, sizeof info) == sizeof info)
        state->stopped |= info.ssi_signo != SIGCHLD;
    reap(state);
}

static void serve(struct state *state)
{
    while (!state->stopped && !(state->server->once && state->served)) {
        struct pollfd polled[WAITING_MAX + 2];
        unsigned count = state->waiting_count;
        for (unsigned i = 0; i < count; i++)
            polled[i] = (struct pollfd){ state->waiting[i].socket, state->waiting[i].ready ? 0 : POLLIN, 0 };
        polled[count] = (struct pollfd){ state->server->listener, POLLIN, 0 };
        polled[count + 1] = (struct pollfd){ state->signals, POLLIN, 0 };
        if (poll(polled, count + 2, patience(state)) < 0)
            continue;
        if (polled[count + 1].revents)
            take_signals(state);
        look_at_waiting(state, polled, count);
        if (polled[count].revents)
            accept_one(state);
    }
}

static void signal_set(sigset_t *set)
{
    sigemptyset(set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(set, signals[i]);
}

void server_block_signals(void)
{
    sigset_t blocked;
    signal_set(&blocked);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
}

int server_run(const struct server *server)
{
    struct state state = { .server = server, .waiting_max = WAITING_MAX };
    struct rlimit descriptors;
    sigset_t blocked;
    size_t size = WORKERS_MAX * sizeof *state.trusted;
    if (getrlimit(RLIMIT_NOFILE, &descriptors) == 0 && descriptors.rlim_cur < 2 * WAITING_MAX)
        state.waiting_max = descriptors.rlim_cur > 32 ? (unsigned)descriptors.rlim_cur / 2 : 8;
    state.trusted = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (state.trusted == MAP_FAILED) {
        errors_say_errno(errno, "serve: memory");
        return -1;
    }
    signal(SIGCHLD, SIG_DFL);  /* whoever started us may ignore it: then nobody could be waited for */
    server_block_signals();
    signal_set(&blocked);
    state.signals = signalfd(-1, &blocked, SFD_CLOEXEC | SFD_NONBLOCK);
    serve(&state);
    close(state.signals);
    while (state.waiting_count)
        drop(&state, 0);
    for (unsigned slot = 0; slot < WORKERS_MAX; slot++)
        if (state.workers[slot] && kill(state.workers[slot], SIGKILL) == 0)
            waitpid(state.workers[slot], NULL, 0);
    munmap(state.trusted, size);
    return 0;
}
