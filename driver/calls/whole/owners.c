/* Whose calls they are: looked up when a process makes its first call, and when it has executed a program. */
#include "owners.h"

#include "calls/words.h"
#include "common/memory.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What there is of a file of /proc/ID, and how much. */
static size_t read_file(pid_t id, const char *name, void *room, size_t size)
{
    char path[64];
    size_t used = 0;
    snprintf(path, sizeof path, "/proc/%d/%s", (int)id, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    for (ssize_t bytes = 1; file >= 0 && bytes > 0 && used < size; used += bytes > 0 ? (size_t)bytes : 0)
        bytes = read(file, (char *)room + used, size - used);
    if (file >= 0)
        close(file);
    return used;
}

static char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return memory_strdup(slash ? slash + 1 : path);
}

/* The name by which a task's program was executed: as libcount.so has it, where its memory may be read. */
static char *program_name(pid_t id)
{
    uint64_t auxiliary[128];
    char text[PATH_MAX];
    size_t words = read_file(id, "auxv", auxiliary, sizeof auxiliary) / sizeof *auxiliary;
    for (size_t i = 0; i + 1 < words; i += 2)
        if (auxiliary[i] == AT_EXECFN && peek_text(id, auxiliary[i + 1], text, sizeof text) && *text)
            return base_name(text);
    size_t length = read_file(id, "comm", text, sizeof text - 1);
    text[length ? length - 1 : 0] = 0;
    return memory_strdup(text);
}

static char **program_command(pid_t id)
{
    static char text[65536];
    size_t size = read_file(id, "cmdline", text, sizeof text - 1), count = 0;
    text[size] = 0;
    char **words = memory_calloc(size + 1, sizeof *words);
    for (size_t at = 0; at < size; at += strlen(text + at) + 1)
        words[count++] = memory_strdup(text + at);
    return words;
}

/* The first call of all is the exec of the command, by a process that is still a copy of us. */
static char *first_name(const struct thread *thread, const struct seccomp_data *call)
{
    char path[PATH_MAX];
    if (call->nr == SYS_execve && peek_text(thread->id, call->args[0], path, sizeof path))
        return base_name(path);
    return program_name(thread->id);
}

static size_t add(struct owners *owners, char *name)
{
    owners->owner = memory_realloc(owners->owner, owners->count + 1, sizeof *owners->owner);
    owners->owner[owners->count] = (struct owner){ .name = name };
    return owners->count++;
}

/* The program of that name; takes it. */
static size_t find_program(struct owners *owners, char *name)
{
    for (size_t i = 0; i < owners->count; i++) {
        if (!strcmp(owners->owner[i].name, name)) {
            free(name);
            return i;
        }
    }
    return add(owners, name);
}

/* Look up who `thread` is. A process that has executed another program is another owner only by program. */
static void look_up(struct owners *owners, const struct thread *thread, char *name)
{
    struct process *process = thread->process;
    bool by_process = owners->flags & COUNTERS_BY_PROCESS;
    long parent = 0;
    if (!by_process) {
        size_t before = process->owner;
        process->owner = find_program(owners, name) + 1;
        owners->owner[process->owner - 1].processes += process->owner != before;
        return;
    }
    if (!process->owner) {
        process->owner = add(owners, memory_strdup("")) + 1;
        owners->owner[process->owner - 1].processes = 1;
    }
    struct owner *owner = &owners->owner[process->owner - 1];
    free(owner->name);
    words_free(owner->command);
    owner->name = name;
    owner->command = program_command(process->id ? process->id : thread->id);
    owner->pid = process->id;
    if (!owner->parent && peek_status(thread->id, "PPid", &parent))
        owner->parent = (int)parent;
}

void owners_count(struct owners *owners, const struct thread *thread, const struct seccomp_data *call, bool executed)
{
    struct process *process = thread->process;
    if (!owners->flags)
        return;
    if (!owners->count)
        look_up(owners, thread, first_name(thread, call));
    else if (!process->owner || executed)
        look_up(owners, thread, program_name(thread->id));
    struct owner *owner = &owners->owner[process->owner - 1];
    for (size_t i = 0; i < owner->row_count; i++) {
        if (owner->rows[i].number == call->nr && owner->rows[i].architecture == call->arch) {
            owner->rows[i].calls++;
            return;
        }
    }
    owner->rows = memory_realloc(owner->rows, owner->row_count + 1, sizeof *owner->rows);
    owner->rows[owner->row_count++] = (struct owner_row){ call->arch, call->nr, 1 };
}

void owners_add(const struct owners *owners, struct count_groups *groups, const char *(*prefix)(uint32_t architecture))
{
    for (size_t i = 0; i < owners->count; i++) {
        struct owner *owner = &owners->owner[i];
        struct count_group *group = owners->flags & COUNTERS_BY_PROCESS ? groups_process(groups, owner->pid)
                                                                        : groups_named(groups, memory_strdup(owner->name));
        if (!group)
            group = groups_add(groups, memory_strdup(owner->name));
        group->processes = owner->processes > group->processes ? owner->processes : group->processes;
        group->pid = owner->pid;
        group->parent = owner->parent;
        if (!group->command) {
            group->command = owner->command;
            owner->command = NULL;
        }
        for (size_t k = 0; k < owner->row_count; k++)
            counts_add_unseen(&group->system, prefix(owner->rows[k].architecture), owner->rows[k].number,
                              owner->rows[k].calls);
    }
}

void owners_free(struct owners *owners)
{
    for (size_t i = 0; i < owners->count; i++) {
        free(owners->owner[i].name);
        words_free(owners->owner[i].command);
        free(owners->owner[i].rows);
    }
    free(owners->owner);
    *owners = (struct owners){ 0 };
}
