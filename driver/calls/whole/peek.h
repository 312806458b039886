/* What the kernel tells of another task: by /proc, and its memory. Each function is false where it may not be seen. */
#ifndef CALLS_WHOLE_PEEK_H
#define CALLS_WHOLE_PEEK_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

bool peek_memory(pid_t id, uint64_t address, void *memory, size_t size);
bool peek_text(pid_t id, uint64_t address, char *text, size_t size);

/* When a task began, in clock ticks since the machine's start: with its number, who it is. */
bool peek_born(pid_t id, uint64_t *born);

/* A number from /proc/ID/status: "Tgid", "Seccomp_filters". */
bool peek_status(pid_t id, const char *name, long *value);

/* The 16 random bytes that the kernel gave to the program which is executed. */
enum { PEEK_RANDOM = 16 };
bool peek_random(pid_t id, unsigned char random[PEEK_RANDOM]);

/* The stack pointer of a task that waits in a system call. */
bool peek_stack(pid_t id, uint64_t *pointer);

/* The mapping that an address is in. */
struct peek_mapping {
    uint64_t start, end;
    char name[PATH_MAX];    /* of its file; "" where it has none */
};
bool peek_mapping(pid_t id, uint64_t address, struct peek_mapping *mapping);

#endif
