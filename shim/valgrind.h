/* Is this valgrind's processor? */
#ifndef SHIM_VALGRIND_H
#define SHIM_VALGRIND_H

#include <stdbool.h>
#include <stdint.h>

/* Its client request RUNNING_ON_VALGRIND (valgrind.h): instructions that do nothing elsewhere. */
static inline bool valgrind_runs(void)
{
#if defined(__x86_64__)
    uint64_t request[6] = { 0x1001 }, answer = 0;
    __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
                     : "+d"(answer) : "a"(request) : "cc", "memory");
    return answer;
#else
    return false;
#endif
}

#endif
