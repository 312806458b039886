/* Which calls wait. */
#include "waits.h"

#include "kernel.h"

#include <sys/stat.h>

static const bool library[LIBRARY_CALLS] = {
#define WAITS(name) [CALL_##name] = true,
    WAITS(wait) WAITS(waitpid) WAITS(waitid) WAITS(wait3) WAITS(wait4) WAITS(system) WAITS(pclose) WAITS(pthread_join)
    WAITS(sigsuspend) WAITS(sigwait) WAITS(sigwaitinfo) WAITS(sigtimedwait) WAITS(pause) WAITS(nanosleep)
    WAITS(__nanosleep) WAITS(clock_nanosleep) WAITS(sleep) WAITS(usleep) WAITS(poll) WAITS(__poll) WAITS(__poll_chk)
    WAITS(ppoll) WAITS(__ppoll_chk) WAITS(select) WAITS(__select) WAITS(pselect) WAITS(epoll_wait) WAITS(epoll_pwait)
    WAITS(epoll_pwait2) WAITS(accept) WAITS(accept4) WAITS(connect) WAITS(recv) WAITS(recvfrom) WAITS(recvmsg)
    WAITS(recvmmsg) WAITS(flock) WAITS(lockf) WAITS(lockf64)
};

bool waits_library(size_t call)
{
    return call < LIBRARY_CALLS && library[call];
}

static const uint8_t system_calls[COUNTERS_NUMBERS] = {
#define ALWAYS(name) [SYS_##name] = WAITS_ALWAYS,
#define FED(name) [SYS_##name] = WAITS_BY_DESCRIPTOR,
    ALWAYS(wait4) ALWAYS(waitid) ALWAYS(futex) ALWAYS(nanosleep) ALWAYS(clock_nanosleep) ALWAYS(rt_sigsuspend)
    ALWAYS(rt_sigtimedwait) ALWAYS(ppoll) ALWAYS(pselect6) ALWAYS(epoll_pwait) ALWAYS(epoll_pwait2) ALWAYS(accept)
    ALWAYS(accept4) ALWAYS(connect) ALWAYS(flock) ALWAYS(semop) ALWAYS(semtimedop) ALWAYS(msgrcv) ALWAYS(msgsnd)
    ALWAYS(mq_timedreceive) ALWAYS(mq_timedsend) ALWAYS(io_getevents) ALWAYS(io_pgetevents) ALWAYS(restart_syscall)
    FED(read) FED(readv) FED(preadv2) FED(write) FED(writev) FED(pwritev2) FED(sendto) FED(sendmsg) FED(sendmmsg)
    FED(recvfrom) FED(recvmsg) FED(recvmmsg) FED(splice) FED(tee) FED(vmsplice) FED(sendfile)
#ifdef SYS_poll
    ALWAYS(poll) ALWAYS(select) ALWAYS(epoll_wait) ALWAYS(pause) ALWAYS(vfork)
#endif
};

enum waits waits_system(int64_t number)
{
    return number >= 0 && number < COUNTERS_NUMBERS ? (enum waits)system_calls[number] : WAITS_NEVER;
}

bool waits_descriptor(long descriptor)
{
    enum { TTY = 4, TTY_ALTERNATE = 5, PTY = 136, PTY_LAST = 143 };   /* Documentation/admin-guide/devices.txt */
    struct stat status;
    if (kernel_failed(kernel_call(SYS_fstat, descriptor, &status)))
        return false;
    unsigned device = status.st_rdev >> 8 & 0xfff;   /* major() is a function of glibc's */
    switch (status.st_mode & S_IFMT) {
    case 0: case S_IFIFO: case S_IFSOCK:
        return true;
    case S_IFCHR:
        return device == TTY || device == TTY_ALTERNATE || (device >= PTY && device <= PTY_LAST);
    default:
        return false;
    }
}
