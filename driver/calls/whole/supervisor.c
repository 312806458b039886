/* The thread that receives notifications, has them counted and answers. */
#include "supervisor.h"

#include "common/errors.h"
#include "common/memory.h"
#include "filter.h"
#include "keeper.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

struct supervisor {
    struct count_run *run;
    struct keeper keeper;
    int sockets[2];
    pthread_t thread;
    atomic_bool stop, stopped;
};

int supervisor_install(const struct supervisor *supervisor)
{
    keeper_leave(&supervisor->keeper);
    int listener = filter_install(supervisor->run->library != NULL);
    if (listener < 0)
        return errno;
    filter_send(listener, supervisor->keeper.socket);
    syscall(SYS_getppid);  /* for the keeper alone, which learns by it what notifications are numbered from */
    filter_send(listener, supervisor->sockets[1]);
    return 0;
}

/* Receive, count, let it go on; nothing else, for the supervised process waits. */
static void receive(struct supervisor *supervisor, int listener)
{
    struct filter_buffers buffers;
    if (!filter_buffers(&buffers))
        return;
    while (!atomic_load(&supervisor->stop)) {
        if (!filter_next(listener, &buffers)) {
            if (filter_deserted(listener))
                break;
            continue;
        }
        atomic_store(supervisor->keeper.received, buffers.notification->id);
        count_notification(supervisor->run, buffers.notification);
        filter_pass(listener, &buffers, buffers.notification->id);
    }
    filter_free(&buffers);
}

static void *supervise(void *argument)
{
    struct supervisor *supervisor = argument;
    int listener = filter_receive(supervisor->sockets[0]);
    if (listener >= 0) {
        filter_hasten(listener);
        receive(supervisor, listener);
        close(listener);
    }
    atomic_store(&supervisor->stopped, true);
    return NULL;
}

static void wake(int number)
{
    (void)number;
}

/* Returns 0, or an errno and in `what` what has failed. */
static int begin(struct supervisor *supervisor, const char **what)
{
    sigset_t all, before;
    *what = "socketpair";
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, supervisor->sockets))
        return errno;
    *what = "keeper";
    int number = keeper_begin(&supervisor->keeper);
    if (!number) {
        *what = "thread";
        sigaction(SIGURG, &(struct sigaction){ .sa_handler = wake }, NULL);
        sigfillset(&all);
        sigdelset(&all, SIGURG);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        number = pthread_create(&supervisor->thread, NULL, supervise, supervisor);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        if (!number)
            return 0;
        keeper_end(&supervisor->keeper);
    }
    close(supervisor->sockets[0]);
    close(supervisor->sockets[1]);
    return number;
}

struct supervisor *supervisor_begin(const char *library, uint32_t flags)
{
    const char *what;
    struct supervisor *supervisor = memory_calloc(1, sizeof *supervisor);
    supervisor->run = count_new(library, flags);
    int number = begin(supervisor, &what);
    if (!number)
        return supervisor;
    errors_say_errno(number, "whole run: %s", what);
    count_free(supervisor->run);
    free(supervisor);
    return NULL;
}

struct count_run *supervisor_end(struct supervisor *supervisor)
{
    struct count_run *run = supervisor->run;
    atomic_store(&supervisor->stop, true);
    shutdown(supervisor->sockets[1], SHUT_RDWR);
    while (!atomic_load(&supervisor->stopped)) {  /* the signal may come just before it waits: again, then */
        pthread_kill(supervisor->thread, SIGURG);
        usleep(200);
    }
    pthread_join(supervisor->thread, NULL);
    close(supervisor->sockets[0]);
    close(supervisor->sockets[1]);
    keeper_end(&supervisor->keeper);
    free(supervisor);
    count_end(run);
    return run;
}
