/* The filter, its listener's way to us, and the thread that receives. supervise_count.c counts. */
#include "supervisor.h"

#include "common/errors.h"
#include "common/memory.h"
#include "count.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Since Linux 6.6; the headers at hand may be older. */
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif

/* The flags of the one sendmsg that the filter lets pass: the child's, that hands over the listener. The bits beside
 * MSG_NOSIGNAL mean nothing to the kernel, and no program sets them. */
#define HANDOVER (MSG_NOSIGNAL | 0x01c00000)

#define FIELD(name) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
#define FIELD_HIGH(name) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name) + 4)
#define IF_EQUAL(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), yes, no)
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)

/* Notify of everything but the handover and, with a library, the calls of its code: [COUNTERS_WHOLE_BASE, + SIZE),
 * which is aligned to its size. The order puts the frequent case first. */
static const struct sock_filter filter[] = {
    FIELD_HIGH(instruction_pointer),
    IF_EQUAL(COUNTERS_WHOLE_BASE >> 32, 0, 3),
    FIELD(instruction_pointer),
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)COUNTERS_WHOLE_SIZE, 1, 0),
    RETURN(SECCOMP_RET_ALLOW),
    FIELD(nr),
    IF_EQUAL(SYS_sendmsg, 0, 3),
    FIELD(args[2]),
    IF_EQUAL(HANDOVER, 0, 1),
    RETURN(SECCOMP_RET_ALLOW),
    RETURN(SECCOMP_RET_USER_NOTIF),
};
enum { PASS_LIBRARY = 5 };  /* the instructions at its beginning that are left out without a library */

static int install_filter(bool library)
{
    size_t skip = library ? 0 : PASS_LIBRARY;
    struct sock_fprog program = { (unsigned short)(sizeof filter / sizeof *filter - skip),
                                  (struct sock_filter *)filter + skip };
    int listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    if (listener < 0 && errno == EACCES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    return listener;
}

/* One descriptor over a socket, with SCM_RIGHTS. */
union control {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
};

int supervise_install(struct supervisor *supervisor)
{
    char byte = 0;
    struct iovec part = { &byte, 1 };
    union control control = { .header = { .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET,
                                          .cmsg_type = SCM_RIGHTS } };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                              .msg_controllen = sizeof control.room };
    int listener = install_filter(supervisor->library != NULL);
    if (listener < 0)
        return errno;
    memcpy(CMSG_DATA(&control.header), &listener, sizeof listener);
    if (syscall(SYS_sendmsg, supervisor->sockets[1], &message, HANDOVER) != 1)
        _exit(125);  /* nobody answers our calls: this one ends with an error, too */
    return 0;
}

const char *supervise_obstacle(int number)
{
    switch (number) {
    case EBUSY: return "another supervisor listens to this process already (a whole run within a whole run?)";
    case EINVAL: return "this kernel has no seccomp notifications (Linux 5.5)";
    case ENOSYS: return "this kernel has no seccomp";
    case EACCES: case EPERM: return "a policy of this container or kernel forbids seccomp filters";
    }
    return "the seccomp filter could not be installed";
}

/* The listener, or -1 where the child ended without handing one over. */
static int receive_listener(int socket)
{
    char byte;
    int listener = -1;
    struct iovec part = { &byte, 1 };
    union control control;
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                              .msg_controllen = sizeof control.room };
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) == 1 && CMSG_FIRSTHDR(&message))
        memcpy(&listener, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof listener);
    return listener;
}

/* Receive, count, let it go on; nothing else, for the supervised process waits. */
static void receive(struct supervisor *supervisor, int listener)
{
    struct seccomp_notif_sizes sizes;
    if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes))
        return;
    size_t size = sizes.seccomp_notif > sizeof(struct seccomp_notif) ? sizes.seccomp_notif : sizeof(struct seccomp_notif);
    struct seccomp_notif *notification = memory_calloc(1, size);
    struct seccomp_notif_resp *answer = memory_calloc(1, sizes.seccomp_notif_resp + sizeof *answer);
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
    while (!atomic_load(&supervisor->stop)) {
        memset(notification, 0, size);
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, notification))
            continue;  /* EINTR: see whether to stop; ENOENT: it was killed in between */
        supervise_count(supervisor, notification);
        answer->id = notification->id;
        answer->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, answer);
    }
    free(notification);
    free(answer);
}

static void *supervise(void *argument)
{
    struct supervisor *supervisor = argument;
    int listener = receive_listener(supervisor->sockets[0]);
    if (listener >= 0) {
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

struct supervisor *supervise_begin(const char *library)
{
    struct supervisor *supervisor = supervise_new(library);
    sigaction(SIGURG, &(struct sigaction){ .sa_handler = wake }, NULL);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, supervisor->sockets)) {
        errors_say_errno(errno, "whole run: socketpair");
    } else {
        sigset_t all, before;
        sigfillset(&all);
        sigdelset(&all, SIGURG);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        int number = pthread_create(&supervisor->thread, NULL, supervise, supervisor);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        if (!number)
            return supervisor;
        errors_say_errno(number, "whole run: thread");
        close(supervisor->sockets[0]);
        close(supervisor->sockets[1]);
    }
    supervise_free(supervisor);
    return NULL;
}

void supervise_end(struct supervisor *supervisor)
{
    atomic_store(&supervisor->stop, true);
    shutdown(supervisor->sockets[1], SHUT_RDWR);
    while (!atomic_load(&supervisor->stopped)) {  /* the signal may come just before it waits: again, then */
        pthread_kill(supervisor->thread, SIGURG);
        usleep(200);
    }
    pthread_join(supervisor->thread, NULL);
    close(supervisor->sockets[0]);
    close(supervisor->sockets[1]);
}
