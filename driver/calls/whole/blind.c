/* What a supervisor does not see, or takes away. */
#include "blind.h"

#include "common/memory.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Whether a filter may answer a call itself: the kernel takes the action of the lowest value, and notifications to a
 * supervisor stand behind death, signals and errors. */
static bool answers(pid_t id, uint64_t address)
{
    struct sock_fprog program;
    if (!address || !peek_memory(id, address, &program, sizeof program) || program.len > BPF_MAXINSNS)
        return false;
    size_t size = program.len * sizeof(struct sock_filter);
    struct sock_filter *code = memory_calloc(program.len, sizeof *code);
    bool known = peek_memory(id, (uintptr_t)program.filter, code, size), found = false;
    for (size_t i = 0; known && i < program.len && !found; i++) {
        int32_t action = (int32_t)(code[i].k & SECCOMP_RET_ACTION_FULL);
        bool returns = BPF_CLASS(code[i].code) == BPF_RET;
        found = returns && (BPF_RVAL(code[i].code) == BPF_A || action < (int32_t)SECCOMP_RET_USER_NOTIF);
    }
    free(code);
    return found;
}

/* The filter program that a call would install, or 0. */
static uint64_t installed(const struct seccomp_data *call)
{
    if (call->nr == SYS_seccomp && call->args[0] == SECCOMP_SET_MODE_FILTER)
        return call->args[2];
    if (call->nr == SYS_prctl && call->args[0] == PR_SET_SECCOMP && call->args[1] == SECCOMP_MODE_FILTER)
        return call->args[2];
    return 0;
}

static char *name_of(pid_t id)
{
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/%d/comm", id);
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%31[^\n]", name) != 1)
        name[0] = '\0';
    if (file)
        fclose(file);
    return memory_strdup(name);
}

/* Linux before 5.9 tells no number of filters: there, what was tried is taken for done. */
static char *say_filter(struct thread *thread, bool done)
{
    char *name = thread->filterer;
    thread->filters = 0;
    thread->filterer = NULL;
    char *text = done ? memory_format("%s: calls that its own seccomp filter answers: they end before the supervisor "
                                      "is asked", name) : NULL;
    free(name);
    return text;
}

char *blind_filter(struct thread *thread, const struct seccomp_data *call)
{
    char *text = NULL;
    long filters = 1;
    if (thread->filterer) {
        bool counted = peek_status(thread->id, "Seccomp_filters", &filters);
        text = say_filter(thread, !counted || filters > thread->filters);
    }
    if (!installed(call) || !answers(thread->id, installed(call)))
        return text;
    peek_status(thread->id, "Seccomp_filters", &filters);
    thread->filters = filters;
    thread->filterer = name_of(thread->id);
    return text;
}

char *blind_last_filter(struct thread *thread)
{
    return thread->filterer ? say_filter(thread, true) : NULL;
}

/* A path of a task, as we can use it. */
static void resolve(char *resolved, size_t size, pid_t id, int folder, const char *path)
{
    if (path[0] == '/')
        snprintf(resolved, size, "/proc/%d/root%s", id, path);
    else if (folder == AT_FDCWD)
        snprintf(resolved, size, "/proc/%d/cwd/%s", id, path);
    else
        snprintf(resolved, size, "/proc/%d/fd/%d%s%s", id, folder, *path ? "/" : "", path);
}

static bool is_script(const char *path)
{
    char start[2] = "";
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t bytes = file < 0 ? 0 : read(file, start, sizeof start);
    if (file >= 0)
        close(file);
    return bytes == sizeof start && start[0] == '#' && start[1] == '!';
}

/* Whether a file would change who runs it, were there no supervisor. */
static bool privileged(const char *path)
{
    struct stat status;
    struct statvfs system;
    if (stat(path, &status) || !S_ISREG(status.st_mode) || statvfs(path, &system) || system.f_flag & ST_NOSUID)
        return false;
    bool user = status.st_mode & S_ISUID && status.st_uid != geteuid();
    bool group = (status.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && status.st_gid != getegid();
    bool capable = getxattr(path, "security.capability", NULL, 0) > 0;
    return (user || group || capable) && !is_script(path);
}

char *blind_privilege(const struct thread *thread, const struct seccomp_data *call)
{
    bool at = call->nr == SYS_execveat;
    char path[PATH_MAX], resolved[PATH_MAX + 64];
    if (!peek_text(thread->id, call->args[at], path, sizeof path))
        return NULL;
    resolve(resolved, sizeof resolved, thread->id, at ? (int)call->args[0] : AT_FDCWD, path);
    if (!privileged(resolved))
        return NULL;
    return memory_format("the privilege of %s: a supervised program gains none", *path ? path : "an open file");
}
