/* A process that holds a listener, too, and lets calls pass when the supervisor is no more. */
#include "keeper.h"

#include "common/hold.h"
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_close_range  /* headers before Linux 5.9 */
#define SYS_close_range 436
#endif

/* The supervisor may have received one more notification than it had time to tell. Between the two are the numbers of
 * those whose tasks were killed or interrupted before: so many are tried. */
enum { IN_FLIGHT = 1 << 16 };

/* Close all but two descriptors. Linux before 5.9 has no close_range. */
static void close_others(int one, int other)
{
    unsigned low = (unsigned)(one < other ? one : other), high = (unsigned)(one < other ? other : one);
    const unsigned ranges[][2] = { { 0, low - 1 }, { low + 1, high - 1 }, { high + 1, ~0u } };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (ranges[i][0] > ranges[i][1] || (i == 0 && !low) || syscall(SYS_close_range, ranges[i][0], ranges[i][1], 0) == 0)
            continue;
        long limit = sysconf(_SC_OPEN_MAX);
        for (unsigned descriptor = ranges[i][0]; descriptor <= ranges[i][1] && descriptor < limit; descriptor++)
            close((int)descriptor);
    }
}

static void wait_for_end(int life)
{
    struct pollfd end = { .fd = life };
    while (poll(&end, 1, -1) < 0 && errno == EINTR)
        continue;
}

/* The first notification is ours, before the supervisor gets the listener: its number, or 0 where none comes, since the
 * child was killed before it asked or the supervisor has ended. */
static uint64_t pass_first(int listener, int life, struct filter_buffers *buffers)
{
    struct pollfd events[] = { { .fd = listener, .events = POLLIN }, { .fd = life } };
    for (;;) {
        if (poll(events, 2, -1) < 0)
            continue;
        if (events[0].revents & POLLIN && filter_next(listener, buffers)) {
            uint64_t id = buffers->notification->id;
            filter_pass(listener, buffers, id);
            return id;
        }
        if (events[0].revents & ~POLLIN || events[1].revents)
            return 0;
    }
}

/* Until nobody is supervised any more: the kernel tells since Linux 5.9. */
static void pass_calls(int listener, struct filter_buffers *buffers, uint64_t received)
{
    struct pollfd calls = { .fd = listener, .events = POLLIN };
    for (uint64_t id = received; id < received + IN_FLIGHT; id++)
        if (filter_pass(listener, buffers, id) == 0)
            break;
    for (;;) {
        if (poll(&calls, 1, -1) < 0 && errno != EINTR)
            return;
        if (calls.revents & POLLIN && filter_next(listener, buffers))
            filter_pass(listener, buffers, buffers->notification->id);
        else if (calls.revents & ~POLLIN)
            return;
    }
}

/* Signals to the supervisor's process group are not meant for us, nor is any of its files ours to keep open. */
static _Noreturn void keep(int socket, int life, _Atomic uint64_t *received)
{
    sigset_t mask;
    struct filter_buffers buffers;
    hold_begin(&mask);
    setsid();
    prctl(PR_SET_NAME, "keeper");
    if (chdir("/") || !filter_buffers(&buffers))
        _exit(1);
    close_others(socket, life);
    int listener = filter_receive(socket);
    if (listener >= 0) {
        atomic_store(received, pass_first(listener, life, &buffers));
        wait_for_end(life);
        pass_calls(listener, &buffers, atomic_load(received));
    }
    _exit(0);
}

int keeper_begin(struct keeper *keeper)
{
    int sockets[2], life[2];
    keeper->received = mmap(NULL, sizeof *keeper->received, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (keeper->received == MAP_FAILED)
        return errno;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
        return errno;
    if (pipe2(life, O_CLOEXEC)) {
        int number = errno;
        close(sockets[0]);
        close(sockets[1]);
        return number;
    }
    keeper->socket = sockets[1];
    keeper->life = life[1];
    /* Without a signal at its end it is none of the children that wait(2) waits for. */
    keeper->process = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
    int number = keeper->process < 0 ? errno : 0;
    if (keeper->process == 0) {
        close(keeper->life);
        keep(sockets[0], life[0], keeper->received);
    }
    close(sockets[0]);
    close(life[0]);
    if (number) {
        close(keeper->socket);
        close(keeper->life);
    }
    return number;
}

void keeper_leave(const struct keeper *keeper)
{
    close(keeper->life);
}

void keeper_end(struct keeper *keeper)
{
    close(keeper->socket);
    close(keeper->life);
    while (waitpid(keeper->process, NULL, __WCLONE) < 0 && errno == EINTR)
        continue;
    munmap((void *)keeper->received, sizeof *keeper->received);
}
