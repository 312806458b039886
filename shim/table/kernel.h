/* The one door for the library's own system calls. They bypass libc, so no wrapper counts them; they stand in the
 * library's own text, which dispatch lets pass, so no system call counter sees them; and they never touch errno. */
#ifndef TABLE_KERNEL_H
#define TABLE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>

/* Of Linux 5.8 and 5.11: headers may be older than the kernel. The numbers are the same on every machine. */
#ifndef SYS_faccessat2
#define SYS_faccessat2 439
#endif
#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif

#if defined(__x86_64__)
static inline long kernel_call6(long number, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
    __asm__ volatile("syscall" : "+a"(number) : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return number;
}
#elif defined(__aarch64__)
static inline long kernel_call6(long number, long a, long b, long c, long d, long e, long f)
{
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c,
                  x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
}
#else
#error "kernel_call6 is written for x86-64 and aarch64"
#endif

/* In the library, a seccomp filter of the program's may forbid a call: then it is not made. */
#ifdef KERNEL_FILTERED
#include "filter/seal.h"
#define KERNEL_MAY(number) \
    (__builtin_expect(!kernel_filtered, 1) || !(kernel_forbidden[(number) / 64] >> (number) % 64 & 1))
#else
#define KERNEL_MAY(number) true
#endif

/* kernel_call(SYS_name, up to six arguments): what the kernel returns, -errno for an error. */
#define kernel_call(...) KERNEL_CALL(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)
#define KERNEL_CALL(number, a, b, c, d, e, f, ...)                                                         \
    (KERNEL_MAY(number) ? kernel_call6(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f)) \
                        : -1L /* -EPERM */)

static inline bool kernel_failed(long result)
{
    return result < 0 && result >= -4095;
}

#endif
