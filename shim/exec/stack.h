/* A function that runs on a stack of ours: that of a program may have next to no room where dispatch meets it. */
#ifndef EXEC_STACK_H
#define EXEC_STACK_H

enum { STACK_SIZE = 64 << 10 };

/* `top` is aligned for 16 bytes. Only where handlers are shown the program's own registers meanwhile: unwinders do not
 * find back. */
static inline void stack_run(void *top, void (*run)(void *), void *argument)
{
#if defined(__x86_64__)
    __asm__ volatile("mov %%rsp, %%rbx\n\t"
                     "mov %%rax, %%rsp\n\t"
                     "call *%%rcx\n\t"
                     "mov %%rbx, %%rsp"
                     : "+a"(top), "+c"(run), "+D"(argument)
                     :
                     : "rbx", "rdx", "rsi", "r8", "r9", "r10", "r11", "cc", "memory");
#else
    (void)top;
    run(argument);
#endif
}

#endif
