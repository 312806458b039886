/* Exec is a system call: here all of them are seen, libc's and those that a program makes by itself, in children of
 * posix_spawn after their actions too. The kernel gets an environment of ours in place of the program's. */
#include "dispatch/execs.h"

#include "dispatch/keep/memory.h"
#include "exec/exec.h"
#include "filter/seal.h"
#include "table/kernel.h"

#include <fcntl.h>

enum { PAGE = 4096, HELD = 0, GIVEN = 1 /* in frame->copy: our environment, and the program's */ };

/* What the last byte looked at was in. */
struct pages {
    uintptr_t known;  /* its page */
};

#define NO_PAGE { 1 }

static bool readable(struct pages *pages, const void *address)
{
    uintptr_t page = (uintptr_t)address & -(uintptr_t)PAGE;
    if (page == pages->known)
        return true;
    if (!memory_readable(NULL, (const void *)page))
        return false;
    pages->known = page;
    return true;
}

/* To its end; one that is too long for the kernel is not followed. */
static bool string_readable(struct pages *pages, const char *string)
{
    enum { LONGEST = 128 << 10 };
    for (const char *at = string; at - string < LONGEST;) {
        if (!readable(pages, at))
            return false;
        do
            if (!*at++)
                return true;
        while ((uintptr_t)at % PAGE);
    }
    return false;
}

static bool list_readable(char *const *list)
{
    struct pages pointers = NO_PAGE, strings = NO_PAGE;
    for (; list; list++) {
        if (!readable(&pointers, list) || !readable(&pointers, (const char *)(list + 1) - 1))
            return false;
        if (!*list)
            break;
        if (!string_readable(&strings, *list))
            return false;
    }
    return true;
}

static struct exec_call call_of(const struct frame *frame)
{
    bool at = frame->number == SYS_execveat;
    return (struct exec_call){
        .folder = at ? (int)ARGUMENT(frame, 1) : AT_FDCWD,
        .path = (const char *)ARGUMENT(frame, at ? 2 : 1),
        .arguments = (char *const *)ARGUMENT(frame, at ? 3 : 2),
        .environment = (char *const *)ARGUMENT(frame, at ? 4 : 3),
        .in_place = true,
        .dispatched = true,
    };
}

static int environment_index(const struct frame *frame)
{
    return frame->number == SYS_execveat ? 4 : 3;
}

void execs_enter(struct frame *frame)
{
    const struct exec_call call = call_of(frame);
    struct pages path = NO_PAGE;
    frame->copy[HELD] = 0;
    if (!dispatch_execs || !string_readable(&path, call.path) || !list_readable(call.arguments) ||
        !list_readable(call.environment))
        return;  /* for the kernel to complain about */

    struct exec exec = exec_prepare(&call);
    if (!exec.room)
        return;
    frame->copy[HELD] = (uintptr_t)exec.environment;
    frame->copy[GIVEN] = (uintptr_t)call.environment;
    ARGUMENT(frame, environment_index(frame)) = (long)exec.environment;
}

/* Where there was no room for our variables it is made again without. */
void execs_leave(struct frame *frame)
{
    if (!frame->copy[HELD])
        return;
    struct exec exec = exec_of((char *const *)frame->copy[HELD]);
    ARGUMENT(frame, environment_index(frame)) = (long)frame->copy[GIVEN];
    struct exec_call call = call_of(frame);
    if (exec_again(&exec, &call, (int)-frame->rax))
        frame->rax = frame->number == SYS_execve
            ? kernel_call(SYS_execve, call.path, call.arguments, exec.environment)
            : kernel_call(SYS_execveat, call.folder, call.path, call.arguments, exec.environment, ARGUMENT(frame, 5));
    exec_done(&exec);
}
