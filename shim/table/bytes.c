/* Which calls return a number of bytes: of libc those of the type ssize_t, and system calls of the same kind. */
#include "bytes.h"

#include <sys/syscall.h>

#define CARRIES(type) (!__builtin_strcmp(type, "ssize_t") || !__builtin_strcmp(type, "__ssize_t"))

static const bool library[LIBRARY_CALLS] = {
#define CALL(family, type, name, parameters, arguments, failed) CARRIES(#type),
#include "calls.def"
};

bool bytes_library(size_t call)
{
    return call < LIBRARY_CALLS && library[call];
}

static const bool system_calls[COUNTERS_NUMBERS] = {
#define BYTES(name) [SYS_##name] = true,
    BYTES(read) BYTES(pread64) BYTES(readv) BYTES(preadv) BYTES(preadv2)
    BYTES(write) BYTES(pwrite64) BYTES(writev) BYTES(pwritev) BYTES(pwritev2)
    BYTES(sendto) BYTES(sendmsg) BYTES(recvfrom) BYTES(recvmsg) BYTES(sendfile) BYTES(splice) BYTES(tee) BYTES(vmsplice)
    BYTES(copy_file_range) BYTES(getdents64) BYTES(getrandom) BYTES(readlinkat) BYTES(getxattr) BYTES(lgetxattr)
    BYTES(fgetxattr) BYTES(listxattr) BYTES(llistxattr) BYTES(flistxattr) BYTES(getcwd) BYTES(process_vm_readv)
    BYTES(process_vm_writev) BYTES(mq_timedreceive) BYTES(msgrcv)
#ifdef SYS_readlink
    BYTES(readlink) BYTES(getdents)
#endif
};

bool bytes_system(int64_t number)
{
    return number >= 0 && number < COUNTERS_NUMBERS && system_calls[number];
}
