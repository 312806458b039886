/* The processes and threads of a whole run, by their numbers and the times of their birth. */
#include "tasks.h"

#include "common/errors.h"
#include "common/memory.h"

#include <errno.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>

/* Both begin with their number. */
static int by_id(const void *a, const void *b)
{
    pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;
    return (x > y) - (x < y);
}

static void *insert(void **tree, void *entry)
{
    void **place = tsearch(entry, tree, by_id);
    if (!place) {
        errors_say("out of memory");
        exit(EXIT_OURS);
    }
    return *place;
}

static void release(struct tasks *tasks, struct process *process)
{
    if (--process->threads || !process->ended)
        return;
    void **place = tfind(process, &tasks->processes, by_id);
    if (place && *place == process)
        tdelete(process, &tasks->processes, by_id);
    free(process);
}

static void forget(struct tasks *tasks, struct thread *thread)
{
    tdelete(thread, &tasks->threads, by_id);
    release(tasks, thread->process);
    if (tasks->last == thread)
        tasks->last = NULL;
    free(thread->filterer);
    free(thread);
    tasks->alive--;
}

/* A process of the same number that has ended is another one. */
static struct process *process_of(struct tasks *tasks, pid_t id)
{
    uint64_t born = 0;
    struct process **place = tfind(&id, &tasks->processes, by_id), *old = place ? *place : NULL;
    peek_born(id, &born);
    if (old && !old->ended && old->born == born)
        return old;
    if (old) {
        tdelete(old, &tasks->processes, by_id);
        old->ended = true;
        if (!old->threads)
            free(old);
    }
    struct process *process = memory_calloc(1, sizeof *process);
    *process = (struct process){ .id = id, .born = born };
    tasks->begun++;
    return insert(&tasks->processes, process);
}

static struct thread *add(struct tasks *tasks, pid_t id)
{
    uint64_t born = 0;
    long group = id;
    bool seen = peek_born(id, &born) && peek_status(id, "Tgid", &group);
    if (!seen && kill(id, 0) && errno == ESRCH) {  /* killed since: nobody can tell whether it led a process */
        tasks->none = (struct process){ 0 };
        tasks->nobody = (struct thread){ .id = id, .process = &tasks->none };
        return &tasks->nobody;
    }
    struct thread *thread = memory_calloc(1, sizeof *thread);
    thread->id = id;
    thread->born = born;
    thread->births = tasks->births;
    thread->process = process_of(tasks, (pid_t)group);
    thread->process->threads++;
    tasks->alive++;
    return insert(&tasks->threads, thread);
}

/* Whether a thread is still who it was: only where a task was born since can another have its number. */
static bool same(struct tasks *tasks, struct thread *thread)
{
    uint64_t born = 0;
    if (thread->births == tasks->births && !tasks->unseen)
        return true;
    thread->births = tasks->births;
    return !thread->born || !peek_born(thread->id, &born) || born == thread->born;
}

struct thread *tasks_find(struct tasks *tasks, pid_t id)
{
    struct thread *thread = tasks->last && tasks->last->id == id ? tasks->last : NULL;
    if (!thread) {
        struct thread **place = tfind(&id, &tasks->threads, by_id);
        thread = place ? *place : NULL;
    }
    if (thread && !same(tasks, thread)) {
        forget(tasks, thread);
        thread = NULL;
    }
    if (!thread)
        thread = add(tasks, id);
    tasks->last = thread == &tasks->nobody ? NULL : thread;
    return thread;
}

void tasks_born(struct tasks *tasks)
{
    tasks->births++;
}

void tasks_exit(struct tasks *tasks, struct thread *thread, bool process)
{
    if (thread == &tasks->nobody)
        return;
    thread->process->ended |= process;
    forget(tasks, thread);
}

struct each {
    void (*function)(struct thread *thread, void *argument);
    void *argument;
};

static void visit(const void *node, VISIT visit, void *argument)
{
    const struct each *each = argument;
    if (visit == leaf || visit == postorder)
        each->function(*(struct thread *const *)node, each->argument);
}

void tasks_each(const struct tasks *tasks, void (*function)(struct thread *thread, void *argument), void *argument)
{
    struct each each = { function, argument };
    twalk_r(tasks->threads, visit, &each);
}

void tasks_free(struct tasks *tasks)
{
    while (tasks->threads)
        forget(tasks, *(struct thread **)tasks->threads);  /* the root of a tree of tsearch(3) points to its entry */
    tdestroy(tasks->processes, free);
}
