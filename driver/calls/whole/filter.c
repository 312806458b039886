/* The seccomp filter that asks a supervisor about each call, and the way of its listener. */
#include "filter.h"

#include "common/memory.h"
#include "shim/table/counters.h"

#include <errno.h>
#include <linux/filter.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Since Linux 5.19, and 6.6; the headers at hand may be older. */
#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif

/* The flags of the sendmsg that the filter lets pass: the child's, that sends the listener. The bits beside MSG_NOSIGNAL
 * mean nothing to the kernel, and no program sets them. */
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

static int install(const struct sock_fprog *program, unsigned long flags)
{
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER | flags, program);
}

/* A call that was received cannot be interrupted any more, where the kernel knows how. */
int filter_install(bool library)
{
    size_t skip = library ? 0 : PASS_LIBRARY;
    struct sock_fprog program = { (unsigned short)(sizeof filter / sizeof *filter - skip),
                                  (struct sock_filter *)filter + skip };
    unsigned long flags = SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    int listener = install(&program, flags);
    if (listener < 0 && errno == EINVAL)
        listener = install(&program, flags = 0);
    if (listener < 0 && errno == EACCES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        listener = install(&program, flags);
    return listener;
}

const char *filter_obstacle(int number)
{
    switch (number) {
    case EBUSY: return "another supervisor listens to this process already (a whole run within a whole run?)";
    case EINVAL: return "this kernel has no seccomp notifications (Linux 5.5)";
    case ENOSYS: return "this kernel has no seccomp";
    case EACCES: case EPERM: return "a policy of this container or kernel forbids seccomp filters";
    }
    return "the seccomp filter could not be installed";
}

/* One descriptor over a socket, with SCM_RIGHTS. */
union control {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
};

void filter_send(int listener, int socket)
{
    char byte = 0;
    struct iovec part = { &byte, 1 };
    union control control = { .header = { .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET,
                                          .cmsg_type = SCM_RIGHTS } };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                              .msg_controllen = sizeof control.room };
    memcpy(CMSG_DATA(&control.header), &listener, sizeof listener);
    if (syscall(SYS_sendmsg, socket, &message, HANDOVER) != 1)
        _exit(125);
}

int filter_receive(int socket)
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

bool filter_buffers(struct filter_buffers *buffers)
{
    struct seccomp_notif_sizes sizes;
    if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes))
        return false;
    buffers->size = sizes.seccomp_notif + sizeof *buffers->notification;
    buffers->notification = memory_calloc(1, buffers->size);
    buffers->answer = memory_calloc(1, sizes.seccomp_notif_resp + sizeof *buffers->answer);
    return true;
}

void filter_free(struct filter_buffers *buffers)
{
    free(buffers->notification);
    free(buffers->answer);
}

void filter_hasten(int listener)
{
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
}

bool filter_next(int listener, struct filter_buffers *buffers)
{
    memset(buffers->notification, 0, buffers->size);
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, buffers->notification) == 0;
}

bool filter_deserted(int listener)
{
    struct pollfd state = { .fd = listener };
    return poll(&state, 1, 0) > 0 && state.revents & POLLHUP;
}

int filter_pass(int listener, struct filter_buffers *buffers, __u64 id)
{
    *buffers->answer = (struct seccomp_notif_resp){ .id = id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, buffers->answer) ? errno : 0;
}
