/* The wrappers of functions that execute programs. */
#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "exec/environment.h"
#include "exec/refusal.h"
#include "process.h"
#include "table/kernel.h"
#include "table/program.h"
#include "table/text.h"
#include "wrap/wrap.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* The room for an environment: on the stack where it is small, for that may be the stack of a thread or a coroutine. */
enum { ON_STACK = 1024 };

struct room {
    void *memory;
    size_t mapped;                       /* bytes, 0: not mapped */
};

static struct room take_room(size_t size, void *on_stack)
{
    if (size <= ON_STACK)
        return (struct room){ on_stack, 0 };
    long memory = kernel_call(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return kernel_failed(memory) ? (struct room){ NULL, 0 } : (struct room){ (void *)memory, size };
}

static void give_back(const struct room *room)
{
    if (room->mapped)
        kernel_call(SYS_munmap, room->memory, room->mapped);
}

/* Run `statement` with `environment` replaced by one that has our variables; where there is no room, uncounted. */
#define WITH_OURS(environment, kind, statement)                                                              \
    size_t room_size = environment_room(environment);                                                        \
    char on_stack[room_size <= ON_STACK ? room_size + 1 : 1] __attribute__((aligned(sizeof(char *))));       \
    struct room room = take_room(room_size, on_stack);                                                       \
    bool filled = room_size && room.memory;                                                                  \
    char *const *ours = filled ? environment_fill(environment, room.memory, kind, process_counted()) : environment; \
    statement;                                                                                               \
    give_back(&room);

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
#define SPAWN(entry, name, next_one, find_size, find)                                                          \
    EXPORT int entry(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,                  \
                     const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment)    \
    {                                                                                                          \
        int result;                                                                                            \
        char found[find_size] __attribute__((unused));                                                         \
        WRAP(name)                                                                                             \
        next = next_one;                                                                                       \
        enum environment_kind kind = refusal_judge(AT_FDCWD, find, arguments, false);                          \
        WITH_OURS(environment, kind, result = next(pid, file, actions, attributes, arguments, ours))           \
        if (result)                                                                                            \
            counters_failed(row, result);                                                                      \
        return result;                                                                                         \
    }
#define IN_PATH in_path(file, found)
SPAWN(posix_spawn, posix_spawn, next, 1, file)
SPAWN(posix_spawnp, posix_spawnp, next, PATH_MAX, IN_PATH)

/* The old versions run a file without "#!" by a shell. */
#ifdef __x86_64__
static _Atomic(void *) old_spawn, old_spawnp;
__asm__(".symver posix_spawn_2_2_5, posix_spawn@GLIBC_2.2.5, remove");
__asm__(".symver posix_spawnp_2_2_5, posix_spawnp@GLIBC_2.2.5, remove");
SPAWN(posix_spawn_2_2_5, posix_spawn, real_version(&old_spawn, "posix_spawn", "GLIBC_2.2.5"), 1, file)
SPAWN(posix_spawnp_2_2_5, posix_spawnp, real_version(&old_spawnp, "posix_spawnp", "GLIBC_2.2.5"), PATH_MAX, IN_PATH)
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
            counters_failed(row, errno);                        \
        return result;                                          \
    }
POPEN(popen)
POPEN(_IO_popen)
