/* The wrappers of functions that execute programs. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "exec/exec.h"
#include "wrap/wrap.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* `run`, which has `ours` for an environment, of this call, and again where there was no room for our variables;
 * `failure`: its errno, or 0. */
#define PREPARED(run, failure, ...)                                  \
    const struct exec_call prepared = { __VA_ARGS__ };               \
    struct exec exec = exec_prepare(&prepared);                      \
    char **ours = (char **)exec.environment;                         \
    run;                                                             \
    if (exec_again(&exec, &prepared, failure)) {                     \
        ours = (char **)exec.environment;                            \
        run;                                                         \
    }                                                                \
    exec_done(&exec);

/* It returns for an error only. */
static int execute(enum library_call call, const char *path, char *const *arguments, char *const *environment)
{
    PREPARED(REAL(execve)(path, arguments, ours), errno, AT_FDCWD, path, arguments, environment, .in_place = true)
    return counted_result(counters_row(call), -1);
}

/* The same by PATH, with libc's own search (its errors, its treatment of scripts without "#!"). */
static int execute_found(enum library_call call, const char *file, char *const *arguments, char *const *environment)
{
    PREPARED(REAL(execvpe)(file, arguments, ours), errno, AT_FDCWD, file, arguments, environment, .search = true,
             .in_place = true)
    return counted_result(counters_row(call), -1);
}

#define COUNT(name)                                                             \
    do {                                                                        \
        counters_add(&counters_row(CALL_##name)->calls);                        \
        if (counters_asked & COUNTERS_CALLERS)                                  \
            callers_count(CALL_##name, __builtin_return_address(0));            \
    } while (0)

int WRAPPED(execve)(const char *path, char *const *arguments, char *const *environment)
{
    COUNT(execve);
    return execute(CALL_execve, path, arguments, environment);
}

int WRAPPED(execv)(const char *path, char *const *arguments)
{
    COUNT(execv);
    return execute(CALL_execv, path, arguments, environ);
}

int WRAPPED(execvp)(const char *file, char *const *arguments)
{
    COUNT(execvp);
    return execute_found(CALL_execvp, file, arguments, environ);
}

int WRAPPED(execvpe)(const char *file, char *const *arguments, char *const *environment)
{
    COUNT(execvpe);
    return execute_found(CALL_execvpe, file, arguments, environment);
}

int WRAPPED(fexecve)(int descriptor, char *const *arguments, char *const *environment)
{
    WRAP(fexecve)
    PREPARED(next(descriptor, arguments, ours), errno, descriptor, "", arguments, environment, .in_place = true)
    return counted_result(row, -1);
}

int WRAPPED(execveat)(int folder, const char *path, char *const *arguments, char *const *environment, int flags)
{
    WRAP(execveat)
    if (!next)
        return MISSING_minus;
    PREPARED(next(folder, path, arguments, ours, flags), errno, folder, path, arguments, environment, .in_place = true)
    return counted_result(row, -1);
}

/* execl and its kin: the arguments in a vector of our own, as libc does it. */
#define EXECL(name, first, its_environment, run)                                \
    int WRAPPED(name)(const char *path, const char *first, ...)                   \
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
        char *const *environment = its_environment;                             \
        va_end(list);                                                           \
        return run(CALL_##name, path, arguments, environment);                  \
    }
EXECL(execl, first, environ, execute)
EXECL(execlp, first, environ, execute_found)
EXECL(execle, first, va_arg(list, char *const *), execute)

#define SPAWN(entry, name, next_one, in_path)                                                                      \
    int entry(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,                      \
                     const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment)        \
    {                                                                                                              \
        int result;                                                                                                \
        WRAP(name)                                                                                                 \
        next = next_one;                                                                                           \
        PREPARED(result = next(pid, file, actions, attributes, arguments, ours), result, AT_FDCWD, file,           \
                 arguments, environment, .search = in_path)                                                        \
        if (result)                                                                                                \
            counters_failed(row, result);                                                                          \
        return result;                                                                                             \
    }
SPAWN(WRAPPED(posix_spawn), posix_spawn, next, false)
SPAWN(WRAPPED(posix_spawnp), posix_spawnp, next, true)

/* The old versions run a file without "#!" by a shell. */
#ifdef __x86_64__
static _Atomic(void *) old_spawn, old_spawnp;
__asm__(".symver posix_spawn_2_2_5, posix_spawn@GLIBC_2.2.5, remove");
__asm__(".symver posix_spawnp_2_2_5, posix_spawnp@GLIBC_2.2.5, remove");
SPAWN(EXPORT posix_spawn_2_2_5, posix_spawn, real_version(&old_spawn, "posix_spawn", "GLIBC_2.2.5"), false)
SPAWN(EXPORT posix_spawnp_2_2_5, posix_spawnp, real_version(&old_spawnp, "posix_spawnp", "GLIBC_2.2.5"), true)
#endif

int WRAPPED(system)(const char *command)
{
    WRAP(system)
    bool lent = exec_lend();
    int result = next(command);
    exec_return(lent);
    return counted_result(row, result);
}

#define POPEN(name)                                             \
    FILE *WRAPPED(name)(const char *command, const char *mode)    \
    {                                                           \
        WRAP(name)                                              \
        bool lent = exec_lend();      \
        FILE *result = next(command, mode);                     \
        exec_return(lent);                               \
        if (!result)                                            \
            counters_failed(row, errno);                        \
        return result;                                          \
    }
POPEN(popen)
POPEN(_IO_popen)
