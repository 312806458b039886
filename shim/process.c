/* Processes: every way to make one, to become another program, and to end. Counting itself needs nothing here (the
 * table is shared and adding is atomic); this keeps the number of processes, our variables in every environment, and
 * the root's report.
 *
 * A child of vfork or of clone(CLONE_VM) runs in its parent's memory: what is written here for a child must not be
 * written for such a one. It is recognised by its process id, which is not the one that was counted. */
#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "table/program.h"
#include "wrap.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

static pid_t counted;  /* the process, of those that have had this memory, that the table has */

/* Where a filter forbids getpid: the process that was last seen. */
static pid_t self(void)
{
    return dispatch_mute ? counted : (pid_t)kernel_call(SYS_getpid);
}

void process_begin(pid_t already)
{
    counted = already;
    process_seen();
}

void process_seen(void)
{
    if (!counters_table)
        return;
    pid_t pid = self();
    if (pid == counted)
        return;
    counted = pid;
    atomic_fetch_add(&counters_table->processes, 1);
    report_root = report_root && counters_table->root == pid;
}

void process_born(void)
{
    if (!dispatch_mute) {
        process_seen();
        return;
    }
    atomic_fetch_add(&counters_table->processes, 1);
    report_root = false;
}

bool process_counted(pid_t pid)
{
    return pid == counted;
}

void process_forked(unsigned long flags, long number)
{
    if (number == SYS_clone3)
        flags = (unsigned long)*(const uint64_t *)flags;  /* clone_args.flags */
    if (number == process_fork_number || !(flags & CLONE_VM))
        process_seen();
}

/* A child of vfork that executes nothing is counted here. */
void process_ending(int status)
{
    if (counters_table && self() != counted)
        atomic_fetch_add(&counters_table->processes, 1);
    else if (report_root)
        report_print(status & 0xff);
}

/* exit: the last call of a thread, or of a child of clone(CLONE_VM), which is counted here. */
void process_task_ending(void)
{
    if (counters_table && self() != counted && self() == kernel_call(SYS_gettid))
        atomic_fetch_add(&counters_table->processes, 1);
}

/* Where system calls are counted, exit_group does this: the last moment that there is. */
static void ending(int status)
{
    if (!dispatch_armed)
        process_ending(status);
}

#define FORK(name)                              \
    EXPORT pid_t name(void)                     \
    {                                           \
        WRAP(name)                              \
        if (!next)                              \
            return MISSING_minus;               \
        pid_t pid = next();                     \
        if (pid == 0)                           \
            process_seen();                     \
        return counted_result(row, pid);        \
    }
FORK(fork)
FORK(__fork)
FORK(_Fork)

struct start {
    int (*function)(void *);
    void *argument;
};

static int start_forked(void *memory)
{
    struct start *start = memory;
    process_seen();
    return start->function(start->argument);
}

/* A child with memory of its own begins in start_forked; it has a copy of `start`. */
EXPORT int clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
    WRAP(clone)
    va_list list;
    va_start(list, argument);
    pid_t *parent = va_arg(list, pid_t *);
    void *thread_data = va_arg(list, void *);
    pid_t *child = va_arg(list, pid_t *);
    va_end(list);
    struct start start = { function, argument };
    if (flags & CLONE_VM || !function)
        return counted_result(row, next(function, stack, flags, argument, parent, thread_data, child));
    return counted_result(row, next(start_forked, stack, flags, &start, parent, thread_data, child));
}

EXPORT int daemon(int keep_folder, int keep_streams)
{
    WRAP(daemon)
    bool root = report_root && counters_table->root == self();
    int result = next(keep_folder, keep_streams);
    if (result == 0 && counters_table) {  /* our parent has ended inside libc: the report is the daemon's now */
        if (root && !dispatch_armed)
            counters_table->root = self();
        process_seen();
    }
    return counted_result(row, result);
}

/* Before execveat(folder, path, arguments): what that must find of us in its environment. What will not be counted
 * there is said, and a root that turns into such a program has to report now. */
static enum environment_kind about_to_execute(int folder, const char *path, char *const *arguments, bool in_place)
{
    if (!counters_table)
        return ENVIRONMENT_OURS;
    struct program program;
    char line[COUNTERS_NOTE_SIZE];
    struct text text = TEXT_IN(line);
    program_judge(&program, folder, path, arguments);
    enum environment_kind kind = program.verdict == PROGRAM_ASAN   ? ENVIRONMENT_ASAN
                                 : program.verdict >= PROGRAM_CLASS ? ENVIRONMENT_STRIPPED
                                                                    : ENVIRONMENT_OURS;
    if (program_refuses(&program))
        program_say(&text, &program);
    else if (!environment_reaches_table())
        text_put(&text, path, ": may not open the counters (another user, or another root directory)");
    else
        return kind;
    if (*path && kernel_failed(kernel_call(SYS_faccessat, folder, path, X_OK)))
        return kind;
    counters_say(text_end(&text));
    if (in_place && report_root)
        report_print(-1);
    return kind;
}

/* Run `statement` with `environment` replaced by one that has our variables. */
#define WITH_OURS(environment, kind, statement)                                         \
    size_t room = environment_room(environment);                                        \
    if (room) {                                                                         \
        char memory[room] __attribute__((aligned(sizeof(char *))));                     \
        char **ours = environment_fill(environment, memory, kind);                     \
        statement;                                                                      \
    } else {                                                                            \
        char *const *ours = environment;                                                \
        statement;                                                                      \
    }

static int execute(enum library_call call, const char *path, char *const *arguments, char *const *environment)
{
    struct counter *row = counters_row(call);
    enum environment_kind kind = about_to_execute(AT_FDCWD, path, arguments, true);
    WITH_OURS(environment, kind, REAL(execve)(path, arguments, (char **)ours))
    return counted_result(row, -1);  /* it returns for an error only */
}

/* The file that execvp() would run for `file`; `file` itself where there is none. */
static const char *in_path(const char *file, char found[PATH_MAX])
{
    return counters_table && !program_find(file, text_variable(environ, "PATH"), found, PATH_MAX) ? found : file;
}

/* The same by PATH, with libc's own search (its errors, its treatment of scripts without "#!"). */
static int execute_found(enum library_call call, const char *file, char *const *arguments, char *const *environment)
{
    char found[PATH_MAX];
    struct counter *row = counters_row(call);
    enum environment_kind kind = about_to_execute(AT_FDCWD, in_path(file, found), arguments, true);
    WITH_OURS(environment, kind, REAL(execvpe)(file, arguments, (char **)ours))
    return counted_result(row, -1);
}

#define COUNT(name) counters_add(&counters_row(CALL_##name)->calls)

EXPORT int execve(const char *path, char *const *arguments, char *const *environment)
{
    COUNT(execve);
    return execute(CALL_execve, path, arguments, environment);
}

EXPORT int execv(const char *path, char *const *arguments)
{
    COUNT(execv);
    return execute(CALL_execv, path, arguments, environ);
}

EXPORT int execvp(const char *file, char *const *arguments)
{
    COUNT(execvp);
    return execute_found(CALL_execvp, file, arguments, environ);
}

EXPORT int execvpe(const char *file, char *const *arguments, char *const *environment)
{
    COUNT(execvpe);
    return execute_found(CALL_execvpe, file, arguments, environment);
}

EXPORT int fexecve(int descriptor, char *const *arguments, char *const *environment)
{
    WRAP(fexecve)
    enum environment_kind kind = about_to_execute(descriptor, "", arguments, true);
    WITH_OURS(environment, kind, next(descriptor, arguments, (char **)ours))
    return counted_result(row, -1);
}

EXPORT int execveat(int folder, const char *path, char *const *arguments, char *const *environment, int flags)
{
    WRAP(execveat)
    if (!next)
        return MISSING_minus;
    enum environment_kind kind = about_to_execute(folder, path, arguments, true);
    WITH_OURS(environment, kind, next(folder, path, arguments, (char **)ours, flags))
    return counted_result(row, -1);
}

/* execl and its kin: the arguments in a vector of our own. */
#define EXECL(name, first, environment_value, run)                                 \
    EXPORT int name(const char *path, const char *first, ...)                   \
    {                                                                           \
        COUNT(name);                                                            \
        va_list list;                                                           \
        size_t count = 0;                                                       \
        va_start(list, first);                                                  \
        for (const char *next = first; next; next = va_arg(list, char *))       \
            count++;                                                            \
        va_end(list);                                                           \
        char *arguments[count + 1];                                             \
        arguments[0] = (char *)first;                                           \
        va_start(list, first);                                                  \
        for (size_t i = 1; i <= count; i++)                                     \
            arguments[i] = va_arg(list, char *);                                \
        char *const *environment = environment_value;                           \
        va_end(list);                                                           \
        return run(CALL_##name, path, arguments, environment);                  \
    }
EXECL(execl, first, environ, execute)
EXECL(execlp, first, environ, execute_found)
EXECL(execle, first, va_arg(list, char *const *), execute)

/* `find`: the program that `file` is, for the check. */
#define SPAWN(entry, name, next_one, find)                                                                         \
    EXPORT int entry(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,                      \
                     const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment)        \
    {                                                                                                              \
        int result;                                                                                                \
        char found[PATH_MAX];                                                                                      \
        WRAP(name)                                                                                                 \
        next = next_one;                                                                                           \
        enum environment_kind kind = about_to_execute(AT_FDCWD, find, arguments, false);                                        \
        WITH_OURS(environment, kind, result = next(pid, file, actions, attributes, arguments, ours))               \
        if (result)                                                                                                \
            counters_add(&row->errors);                                                                            \
        return result;                                                                                             \
    }
#define IN_PATH in_path(file, found)
SPAWN(posix_spawn, posix_spawn, next, ((void)found, file))
SPAWN(posix_spawnp, posix_spawnp, next, IN_PATH)

/* The old versions run a file without "#!" by a shell. */
#ifdef __x86_64__
static _Atomic(void *) old_spawn, old_spawnp;
__asm__(".symver posix_spawn_2_2_5, posix_spawn@GLIBC_2.2.5, remove");
__asm__(".symver posix_spawnp_2_2_5, posix_spawnp@GLIBC_2.2.5, remove");
SPAWN(posix_spawn_2_2_5, posix_spawn, real_version(&old_spawn, "posix_spawn", "GLIBC_2.2.5"), ((void)found, file))
SPAWN(posix_spawnp_2_2_5, posix_spawnp, real_version(&old_spawnp, "posix_spawnp", "GLIBC_2.2.5"), IN_PATH)
#endif

EXPORT int system(const char *command)
{
    WRAP(system)
    struct environment_lent lent = environment_lend();
    int result = next(command);
    environment_return(lent);
    return counted_result(row, result);
}

#define POPEN(name)                                             \
    EXPORT FILE *name(const char *command, const char *mode)    \
    {                                                           \
        WRAP(name)                                              \
        struct environment_lent lent = environment_lend();      \
        FILE *result = next(command, mode);                     \
        environment_return(lent);                               \
        if (!result)                                            \
            counters_add(&row->errors);                         \
        return result;                                          \
    }
POPEN(popen)
POPEN(_IO_popen)

#define ENDING(name, parameters, arguments, prepare)            \
    EXPORT __attribute__((noreturn)) void name parameters       \
    {                                                           \
        WRAP(name)                                              \
        prepare;                                                \
        next arguments;                                         \
        __builtin_unreachable();                                \
    }
ENDING(_exit, (int status), (status), ending(status))
ENDING(_Exit, (int status), (status), ending(status))
ENDING(exit, (int status), (status), (void)0)
ENDING(quick_exit, (int status), (status), report_quick(status))
ENDING(abort, (void), (), if (report_root) report_print(REPORT_SIGNAL + SIGABRT))
ENDING(pthread_exit, (void *result), (result), (void)0)
