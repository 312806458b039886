/* A library of the same shape as libcount.so that does nothing: each wrapper of calls.def calls the next definition.
 * What scripts/bench measures is what counting costs on top of it. */
#define __NO_INLINE__ 1
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define NEXT(name)                           \
    static __typeof__(&name) next;           \
    if (__builtin_expect(next == NULL, 0))   \
        next = dlsym(RTLD_NEXT, #name);
#define CALL(family, type, name, parameters, arguments, failed) \
    type name parameters                                        \
    {                                                           \
        NEXT(name)                                              \
        return next arguments;                                  \
    }
#define VOID(family, name, parameters, arguments) \
    void name parameters                          \
    {                                             \
        NEXT(name)                                \
        next arguments;                           \
    }
#define OWN(family, type, name, parameters, failed)
#include "shim/table/calls.def"
