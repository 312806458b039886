/* The processes and threads of a whole run. The kernel names them by numbers, which it uses again. */
#ifndef CALLS_WHOLE_TASKS_H
#define CALLS_WHOLE_TASKS_H

#include "peek.h"

enum phase {
    PHASE_PROGRAM,
    PHASE_EXECUTING,    /* one of its threads has called exec, which may have failed */
    PHASE_LOADING,      /* the loader's code is at work */
    PHASE_LIBRARY,      /* between the loader's open and close of our library: not the program's doing */
};

struct process {
    pid_t id;
    uint64_t born;                        /* of the thread that leads it; 0: not known */
    unsigned threads;                     /* that have called and are not forgotten */
    bool ended;
    size_t owner;                         /* 1 + the number of whose calls these are; 0: not looked up */
    enum phase phase;
    pid_t executor;                       /* PHASE_EXECUTING: who called exec, */
    bool distinct;                        /* and what told its program from others */
    unsigned char random[PEEK_RANDOM];
    uint64_t caller;                      /* where that call came from */
    uint64_t loader, loader_end;          /* the loader's code */
    uint64_t seen, seen_end;              /* the mapping that was looked up last */
    enum { EARLY_BEFORE, EARLY_STACK, EARLY_OVER } early;  /* libc's early initialisation, which the loader runs */
};

/* A call that was seen. */
struct called {
    uint64_t id;                          /* of its notification */
    int number;
    uint64_t address, arguments[6];
    uint64_t stack;                       /* the stack pointer; 0: not known */
};
enum { TASKS_CALLS = 64 };

struct thread {
    pid_t id;
    uint64_t born;
    uint64_t births;                      /* how many tasks had been born when its identity was looked at last */
    struct process *process;
    long filters;                         /* its seccomp filters before it tried to add one; 0: it did not */
    char *filterer;                       /* and what it is called */
    uint64_t checked;                     /* the notification up to which interrupted calls were looked for */
    size_t called_count;
    struct called called[TASKS_CALLS];    /* the last of them, number i at i % TASKS_CALLS */
};

struct tasks {
    void *threads, *processes;            /* trees of tsearch(3), by number */
    struct thread *last;
    uint64_t births;                      /* calls that may have made a task, */
    bool unseen;                          /* of which a library's are not seen */
    uint64_t begun;                       /* processes that have called */
    size_t alive;                         /* threads in the tree */
    struct thread nobody;                 /* who was gone before it could be looked at */
    struct process none;
};

/* Who has this number now. */
struct thread *tasks_find(struct tasks *tasks, pid_t id);

/* A call of `thread` that may have made a task; its call of exit, or for the whole process. */
void tasks_born(struct tasks *tasks);
void tasks_exit(struct tasks *tasks, struct thread *thread, bool process);

/* Every thread that is known. */
void tasks_each(const struct tasks *tasks, void (*function)(struct thread *thread, void *argument), void *argument);
void tasks_free(struct tasks *tasks);

#endif
