/* The wrappers of functions that execute programs. */
#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "exec/environment.h"
#include "exec/refusal.h"
#include "process.h"
#include "table/program.h"
#include "table/text.h"
#include "wrap/wrap.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Run `statement` with `environment` replaced by one that has our variables. */
#define WITH_OURS(environment, kind, statement)                                         \
    size_t room = environment_room(environment);                                        \
    if (room) {                                                                         \
        char memory[room] __attribute__((aligned(sizeof(char *))));                     \
        char **ours = environment_fill(environment, memory, kind, process_counted());                     \
        statement;                                                                      \
    } else {                                                                            \
        char *const *ours = environment;                                                \
        statement;                                                                      \
    }

static int execute(enum library_call call, const char *path, char *const *arguments, char *const *environment)
{
    struct counter *row = counters_row(call);
    enum environment_kind kind = refusal_judge(AT_FDCWD, path, arguments, true);
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
    enum environment_kind kind = refusal_judge(AT_FDCWD, in_path(file, found), arguments, true);
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
    enum environment_kind kind = refusal_judge(descriptor, "", arguments, true);
    WITH_OURS(environment, kind, next(descriptor, arguments, (char **)ours))
    return counted_result(row, -1);
}

EXPORT int execveat(int folder, const char *path, char *const *arguments, char *const *environment, int flags)
{
    WRAP(execveat)
    if (!next)
        return MISSING_minus;
    enum environment_kind kind = refusal_judge(folder, path, arguments, true);
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
        enum environment_kind kind = refusal_judge(AT_FDCWD, find, arguments, false);                                        \
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
    struct environment_lent lent = environment_lend(process_counted());
    int result = next(command);
    environment_return(lent);
    return counted_result(row, result);
}

#define POPEN(name)                                             \
    EXPORT FILE *name(const char *command, const char *mode)    \
    {                                                           \
        WRAP(name)                                              \
        struct environment_lent lent = environment_lend(process_counted());      \
        FILE *result = next(command, mode);                     \
        environment_return(lent);                               \
        if (!result)                                            \
            counters_add(&row->errors);                         \
        return result;                                          \
    }
POPEN(popen)
POPEN(_IO_popen)
