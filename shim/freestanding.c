/* What compilers call by themselves, to clear or copy a structure, and expect to be there. Libc's would use vector
 * registers, which are the program's wherever a system call is counted, and may be another library's. */
#include <stddef.h>

void *memset(void *to, int value, size_t size);
void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);

/* `volatile`: no compiler makes a loop that calls itself of it. */
void *memset(void *to, int value, size_t size)
{
    for (volatile unsigned char *byte = to; size--; byte++)
        *byte = (unsigned char)value;
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    const unsigned char *source = from;
    for (volatile unsigned char *byte = to; size--; byte++)
        *byte = *source++;
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    volatile unsigned char *byte = to;
    const unsigned char *source = from;
    if (byte <= source)
        return memcpy(to, from, size);
    while (size--)
        byte[size] = source[size];
    return to;
}
