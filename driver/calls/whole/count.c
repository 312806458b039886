/* What a notification counts as: its number, and whether the program had begun by then or its loader was still at
 * work. A program begins with the first call that is not made by the loader's code, whose place in memory is looked
 * up once after each exec; a static one begins at once. */
#include "count.h"

#include "common/errors.h"
#include "common/memory.h"

#include <inttypes.h>
#include <limits.h>
#include <linux/audit.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

enum phase {
    RUNNING,
    EXECUTING,      /* its last call was an exec, which may have failed */
    LOADING,        /* the loader's code is at `loader` */
    LOADING_US,     /* between the loader's open and close of our library: not the program's doing */
};

struct task {
    pid_t id;
    enum phase phase;
    uint64_t caller;                   /* EXECUTING: where the mapping began that called exec */
    uint64_t loader, loader_end;
    uint64_t seen, seen_end;           /* the last mapping that was looked up */
    enum { EARLY_BEFORE, EARLY_STACK, EARLY_OVER } early;  /* libc's early initialisation, which the loader runs */
};

static int by_id(const void *a, const void *b)
{
    pid_t x = ((const struct task *)a)->id, y = ((const struct task *)b)->id;
    return (x > y) - (x < y);
}

struct supervisor *supervise_new(const char *library)
{
    struct supervisor *supervisor = memory_calloc(1, sizeof *supervisor);
    supervisor->library = library ? memory_strdup(library) : NULL;
    return supervisor;
}

void supervise_free(struct supervisor *supervisor)
{
    if (!supervisor)
        return;
    tdestroy(supervisor->tasks, free);
    free(supervisor->library);
    free(supervisor->rows);
    free(supervisor->setuid);
    free(supervisor);
}

/* A process is a task that is its own thread group. */
static bool leads_group(pid_t id)
{
    char path[64], line[128];
    snprintf(path, sizeof path, "/proc/%d/status", id);
    FILE *file = fopen(path, "re");
    int group = id;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Tgid: %d", &group) == 1)
            break;
    if (file)
        fclose(file);
    return group == id;
}

static struct task *task_of(struct supervisor *supervisor, pid_t id)
{
    struct task key = { .id = id };
    if (supervisor->last && supervisor->last->id == id)
        return supervisor->last;
    struct task **found = tfind(&key, &supervisor->tasks, by_id);
    if (!found) {
        struct task *task = memory_calloc(1, sizeof *task);
        *task = key;
        found = tsearch(task, &supervisor->tasks, by_id);
        if (!found)
            exit(EXIT_OURS);
        supervisor->processes += leads_group(id);
    }
    return supervisor->last = *found;
}

static void forget(struct supervisor *supervisor, struct task *task)
{
    tdelete(task, &supervisor->tasks, by_id);
    supervisor->last = NULL;
    free(task);
}

/* The mapping of a task that `address` is in: its bounds, and its file's name in `name` ("" where it has none). */
static bool find_mapping(pid_t id, uint64_t address, uint64_t *start, uint64_t *end, char name[PATH_MAX])
{
    char path[64], line[PATH_MAX + 128];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/maps", id);
    FILE *file = fopen(path, "re");
    while (file && !found && fgets(line, sizeof line, file)) {
        int at = 0;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %n", start, end, &at) < 2)
            continue;
        found = address >= *start && address < *end;
        line[strcspn(line, "\n")] = '\0';
        snprintf(name, PATH_MAX, "%s", line + at);
    }
    if (file)
        fclose(file);
    return found;
}

static bool read_text(pid_t id, uint64_t address, char *text, size_t size)
{
    struct iovec here = { text, size - 1 }, there = { (void *)(uintptr_t)address, size - 1 };
    size_t page = 4096 - address % 4096;
    ssize_t bytes = process_vm_readv(id, &here, 1, &there, 1, 0);
    if (bytes < 0 && page < size) {  /* the text may end just before memory that is not there */
        there.iov_len = here.iov_len = page;
        bytes = process_vm_readv(id, &here, 1, &there, 1, 0);
    }
    text[bytes > 0 ? bytes : 0] = '\0';
    return bytes > 0;
}

/* Whether this call is what the loader does to load our library. */
static bool loads_us(const struct supervisor *supervisor, struct task *task, const struct seccomp_notif *notification)
{
    const struct seccomp_data *data = &notification->data;
    char path[PATH_MAX];
    if (!supervisor->library)
        return false;
    if (task->phase == LOADING_US) {
        if (data->nr == SYS_close)
            task->phase = LOADING;
        return true;
    }
    if (data->nr == SYS_mprotect)
        return data->args[0] - COUNTERS_WHOLE_BASE < COUNTERS_WHOLE_SIZE;
    if (data->nr != SYS_openat || !read_text(task->id, data->args[1], path, sizeof path) ||
        strcmp(path, supervisor->library))
        return false;
    task->phase = LOADING_US;
    return true;
}

/* glibc's loader, by its file's name. That of musl is its libc, too: where it ends and the program begins is not to be
 * seen. */
static bool is_loader(const char *name)
{
    return !strncmp(name, "ld-linux", 8) || !strncmp(name, "ld.so", 5) || !strncmp(name, "ld-2", 4);
}

/* After an exec: where is the loader, and did the exec succeed at all? */
static void look_at_program(struct supervisor *supervisor, struct task *task, uint64_t address)
{
    char name[PATH_MAX];
    uint64_t start = 0, end = 0;
    bool known = find_mapping(task->id, address, &start, &end, name);
    task->phase = RUNNING;
    if (known && start == task->caller)
        return;  /* it failed: the old program goes on */
    supervisor->startup++;
    const char *slash = strrchr(name, '/');
    if (known && slash && is_loader(slash + 1)) {
        task->phase = LOADING;
        task->early = EARLY_BEFORE;
        task->loader = start;
        task->loader_end = end;
    }
}

/* With a library, an exec may pass unseen, like all calls of its code. What is seen of a program that runs is little,
 * so it costs nothing to look whether it is another loader that speaks. */
static void look_for_loader(struct supervisor *supervisor, struct task *task, uint64_t address)
{
    char name[PATH_MAX];
    if (address >= task->seen && address < task->seen_end)
        return;
    if (!find_mapping(task->id, address, &task->seen, &task->seen_end, name) || task->seen == task->loader)
        return;
    const char *slash = strrchr(name, '/');
    if (!slash || !is_loader(slash + 1))
        return;
    supervisor->startup++;
    task->phase = LOADING;
    task->early = EARLY_BEFORE;
    task->loader = task->seen;
    task->loader_end = task->seen_end;
}

static void begin_exec(struct supervisor *supervisor, struct task *task, const struct seccomp_notif *notification)
{
    char path[PATH_MAX];
    uint64_t end;
    struct stat status;
    find_mapping(task->id, notification->data.instruction_pointer, &task->caller, &end, path);
    task->phase = EXECUTING;
    if (!supervisor->setuid && notification->data.nr == SYS_execve &&
        read_text(task->id, notification->data.args[0], path, sizeof path) && stat(path, &status) == 0 &&
        ((status.st_mode & S_ISUID && status.st_uid != geteuid()) ||
         (status.st_mode & S_ISGID && status.st_gid != getegid())))
        supervisor->setuid = memory_strdup(path);
}

/* Whether a loader is at work still: its own code calls, or libc's for it. glibc's early initialisation, run by the
 * loader before it has finished, asks once for the size of the stack, newer ones for random bytes behind it. */
static bool still_loading(struct task *task, const struct seccomp_data *data, bool own)
{
    uint64_t address = data->instruction_pointer;
    if (address >= task->loader && address < task->loader_end) {
        task->early = task->early == EARLY_BEFORE ? EARLY_BEFORE : EARLY_OVER;
        return true;
    }
    bool early = own && ((data->nr == SYS_prlimit64 && task->early == EARLY_BEFORE) ||
                         (data->nr == SYS_getrandom && task->early == EARLY_STACK));
    task->early = data->nr == SYS_prlimit64 && early ? EARLY_STACK : EARLY_OVER;
    return early;
}

static void add_row(struct supervisor *supervisor, uint32_t architecture, int number)
{
    for (size_t i = 0; i < supervisor->row_count; i++) {
        if (supervisor->rows[i].architecture == architecture && supervisor->rows[i].number == number) {
            supervisor->rows[i].calls++;
            return;
        }
    }
    supervisor->rows = memory_realloc(supervisor->rows, supervisor->row_count + 1, sizeof *supervisor->rows);
    supervisor->rows[supervisor->row_count++] = (struct supervised_row){ architecture, number, 1 };
}

void supervise_count(struct supervisor *supervisor, const struct seccomp_notif *notification)
{
    const struct seccomp_data *data = &notification->data;
    struct task *task = task_of(supervisor, (pid_t)notification->pid);
    bool own = data->arch == OWN_ARCHITECTURE;
    if (task->phase == EXECUTING)
        look_at_program(supervisor, task, data->instruction_pointer);
    else if (task->phase == RUNNING && supervisor->library)
        look_for_loader(supervisor, task, data->instruction_pointer);
    if (task->phase >= LOADING && !still_loading(task, data, own))
        task->phase = RUNNING;
    if (task->phase >= LOADING && loads_us(supervisor, task, notification))
        return;
    supervisor->startup += task->phase >= LOADING;
    if (own && data->nr >= 0 && data->nr < COUNTERS_NUMBERS)
        supervisor->calls[data->nr]++;
    else
        add_row(supervisor, data->arch, data->nr);
    if (own && (data->nr == SYS_execve || data->nr == SYS_execveat))
        begin_exec(supervisor, task, notification);
    else if (own && (data->nr == SYS_exit || data->nr == SYS_exit_group))
        forget(supervisor, task);
}

static const char *architecture_name(uint32_t architecture)
{
    switch (architecture) {
    case OWN_ARCHITECTURE: return "";
    case AUDIT_ARCH_I386: return "i386:";
    case AUDIT_ARCH_ARM: return "arm:";
    }
    return "other:";
}

void supervise_add(const struct supervisor *supervisor, struct count_list *list)
{
    for (int number = 0; number < COUNTERS_NUMBERS; number++)
        if (supervisor->calls[number])
            counts_add_unseen(list, "", number, supervisor->calls[number]);
    for (size_t i = 0; i < supervisor->row_count; i++) {
        const struct supervised_row *row = &supervisor->rows[i];
        counts_add_unseen(list, architecture_name(row->architecture), row->number, row->calls);
    }
}

uint64_t supervise_startup(const struct supervisor *supervisor)
{
    return supervisor->startup;
}

uint32_t supervise_processes(const struct supervisor *supervisor)
{
    return supervisor->processes;
}

const char *supervise_setuid(const struct supervisor *supervisor)
{
    return supervisor->setuid;
}
