/* One command, counted: library found, table made, environment prepared; at the end the table is read and explained. */
#include "measure.h"

#include "calls/whole/supervisor.h"
#include "common/errors.h"
#include "common/memory.h"
#include "executable.h"
#include "table_file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef LIBDIR
#define LIBDIR "/usr/local/lib"
#endif
#define LIBRARY "libcount.so"
#define WHOLE_LIBRARY "libcount-whole.so"

/* The library beside this program (the build tree), in the lib folder beside its folder, or where it was installed. */
static char *find_library(const char *name)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    char *candidates[] = {
        memory_format("%s/%s", self, name), memory_format("%s/../lib/%s", self, name),
        memory_format(LIBDIR "/%s", name),
    };
    enum { CANDIDATES = sizeof candidates / sizeof *candidates };
    char *found = NULL;
    int failure = ENOENT, failed = CANDIDATES - 1;
    for (int i = 0; i < CANDIDATES && !found; i++) {
        found = access(candidates[i], R_OK) ? NULL : realpath(candidates[i], NULL);
        if (!found && errno != ENOENT && errno != ENOTDIR && failure == ENOENT) {
            failure = errno;
            failed = i;
        }
    }
    if (!found)
        errors_say_errno(failure, "library: %s", candidates[failed]);
    for (int i = 0; i < CANDIDATES; i++)
        free(candidates[i]);
    return found;
}

static void set(char **environment, size_t *count, char *setting)
{
    size_t name = strcspn(setting, "=") + 1;
    for (size_t i = 0; i < *count; i++) {
        if (!strncmp(environment[i], setting, name)) {
            free(environment[i]);
            environment[i] = setting;
            return;
        }
    }
    environment[(*count)++] = setting;
}

/* `name`=`value` in front of what the variable already holds. */
static char *prepended(const char *name, const char *value, const char *separator)
{
    const char *old = getenv(name);
    bool more = old && *old;
    return memory_format("%s=%s%s%s", name, value, more ? separator : "", more ? old : "");
}

/* Our environment and what the library needs. A program with AddressSanitizer, the command or some child of it, would
 * end at once where a library stands before the sanitizer's own, unless it is told not to look. */
static char **make_environment(const char *table, const char *library)
{
    size_t count = 0;
    while (environ[count])
        count++;
    char **environment = memory_calloc(count + 4, sizeof *environment);
    for (size_t i = 0; i < count; i++)
        environment[i] = memory_strdup(environ[i]);
    set(environment, &count, memory_format("LIBCOUNT_TABLE=%s", table));
    set(environment, &count, prepended("LD_PRELOAD", library, ":"));
    set(environment, &count, prepended("ASAN_OPTIONS", "verify_asan_link_order=0", ":"));
    return environment;
}

static void free_environment(char **environment)
{
    for (char **entry = environment; *entry; entry++)
        free(*entry);
    free(environment);
}

void measure_uncounted(struct measurement *result, char *text)
{
    for (size_t i = 0; i < result->uncounted_count; i++) {
        if (!strcmp(result->uncounted[i], text)) {
            free(text);
            return;
        }
    }
    result->uncounted = memory_realloc(result->uncounted, result->uncounted_count + 1, sizeof *result->uncounted);
    result->uncounted[result->uncounted_count++] = text;
}

static const char *dispatch_obstacle(uint32_t dispatch)
{
    static const struct { uint32_t bit; const char *why; } reasons[] = {
        { DISPATCH_NO_KERNEL, "this kernel has no Syscall User Dispatch (Linux 5.11)" },
        { DISPATCH_REFUSED, "the kernel or a seccomp filter refuses Syscall User Dispatch" },
        { DISPATCH_FILTER, "a seccomp filter would kill the process" },
        { DISPATCH_NO_EFFECT, "Syscall User Dispatch has no effect here (an emulated kernel)" },
        { DISPATCH_ARCHITECTURE, "not available on this machine's architecture" },
        { DISPATCH_NO_MEMORY, "no executable memory is to be had" },
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (dispatch & reasons[i].bit)
            return reasons[i].why;
    return dispatch & DISPATCH_ARMED ? NULL : "this build does not count them";
}

/* What the table itself says is missing. */
static void explain_table(struct measurement *result, const struct counters_table *table)
{
    const char *obstacle = dispatch_obstacle(table->dispatch);
    bool whole = table->flags & COUNTERS_WHOLE;
    if (table->flags & COUNTERS_SYSCALLS && table->processes && obstacle && !whole)
        measure_uncounted(result, memory_format("system calls%s: %s",
                                            result->system_counted ? " of some processes" : "", obstacle));
    for (size_t i = 0; i < COUNTERS_NOTES && i < table->notes_used; i++) {
        const struct counters_note *note = &table->notes[i];
        if (note->state != 2)
            continue;
        int length = (int)strnlen(note->text, COUNTERS_NOTE_SIZE);
        if (note->times > 1)
            measure_uncounted(result, memory_format("%.*s (%u times)", length, note->text, note->times));
        else
            measure_uncounted(result, memory_format("%.*s", length, note->text));
    }
    if (table->notes_lost)
        measure_uncounted(result, memory_format("%u more such notes found no place", table->notes_lost));
    if (table->lost)
        measure_uncounted(result, memory_format("%llu system calls with unknown numbers found no row",
                                            (unsigned long long)table->lost));
}

/* Processes that live on are not waited for, as a shell would not; what they do from now on is lost. */
static void explain_users(struct measurement *result, const struct table_file *file)
{
    size_t count;
    char *users = table_file_users(file, &count);
    if (users)
        measure_uncounted(result, memory_format("%zu process%s still running when the command ended: %s", count,
                                            count == 1 ? " was" : "es were", users));
    free(users);
}

/* The library never spoke, and the file does not tell why. */
static void explain_silence(struct measurement *result, const char *path)
{
    const char *disable = getenv("LIBCOUNT_DISABLE");
    if (disable && !strcmp(disable, "1"))
        measure_uncounted(result, memory_format("%s: LIBCOUNT_DISABLE is set", path));
    else if (getenv("LIBCOUNT_TABLE"))
        measure_uncounted(result, memory_format("%s: counted by the run that counts this reckon, not by this one", path));
    else if (access(path, R_OK))
        measure_uncounted(result, memory_format("%s: " LIBRARY " was not loaded, and the file cannot be read to see why",
                                            path));
    else
        measure_uncounted(result, memory_format("%s: " LIBRARY " was not loaded into it, or is of another version "
                                            "than this reckon", path));
}

static void read_table(struct measurement *result, const struct table_file *file)
{
    if (!counters_fits(file->table, file->size)) {
        measure_uncounted(result, memory_strdup("everything: the counters were overwritten by the command"));
        return;
    }
    if (result->processes < file->table->processes)
        result->processes = file->table->processes;
    result->system_counted |= file->table->dispatch & DISPATCH_ARMED;
    if (result->flags & COUNTERS_CALLS)
        result->library = counts_library(file->table);
    if (result->flags & COUNTERS_SYSCALLS)
        counts_system(file->table, &result->system);
    explain_table(result, file->table);
    explain_users(result, file);
}

/* Run it with a supervisor, which stays until the last descendant has ended: orphans become our children for that. */
static int run_supervised(const struct launch *launch, const char *path, char **environment, const char *library,
                          struct launch_end *end, struct measurement *result)
{
    struct launch supervised = *launch;
    supervised.supervisor = supervise_begin(library);
    if (!supervised.supervisor)
        return EXIT_OURS;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    int failure = launch_run(&supervised, path, environment, end);
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
        continue;
    supervise_end(supervised.supervisor);
    const char *setuid = supervise_setuid(supervised.supervisor);
    result->system_counted = result->startup_known = true;
    result->startup = supervise_startup(supervised.supervisor);
    result->processes = supervise_processes(supervised.supervisor);
    supervise_add(supervised.supervisor, &result->system);
    if (setuid && geteuid() != 0 && !failure)
        measure_uncounted(result, memory_format("the privilege of %s: a supervised program gains none", setuid));
    supervise_free(supervised.supervisor);
    return failure;
}

static int run(const struct launch *launch, const char *path, const char *library, struct measurement *result)
{
    struct table_file file;
    struct launch_end end = { 0 };
    if (table_file_create(&file, result->flags))
        return EXIT_OURS;
    char *obstacle = executable_obstacle(path);
    const char *name = table_file_library(&file, library);
    int failure = EXIT_OURS;
    if (name) {
        char **environment = make_environment(file.path, name);
        failure = result->flags & COUNTERS_WHOLE ? run_supervised(launch, path, environment, name, &end, result)
                                                 : launch_run(launch, path, environment, &end);
        free_environment(environment);
    }
    result->status = end.status;
    if (!failure && obstacle)
        measure_uncounted(result, memory_format("%s%s", result->flags & COUNTERS_WHOLE ? "library calls: " : "", obstacle));
    if (!failure)
        read_table(result, &file);
    if (!failure && !result->processes && !result->uncounted_count)
        explain_silence(result, path);
    table_file_remove(&file);
    free(obstacle);
    return failure;
}

static const char *const levels[] = { [COUNTERS_CALLS] = "calls", [COUNTERS_SYSCALLS] = "syscalls",
                                      [COUNTERS_CALLS | COUNTERS_SYSCALLS] = "both" };

const char *measure_level(uint32_t flags)
{
    return levels[flags & (COUNTERS_CALLS | COUNTERS_SYSCALLS)];
}

uint32_t measure_flags(const char *level)
{
    uint32_t flags = COUNTERS_CALLS | COUNTERS_SYSCALLS;
    while (flags && strcmp(levels[flags], level))
        flags--;
    return flags;
}

int measure(const struct launch *launch, uint32_t flags, struct measurement *result)
{
    char *path = NULL;
    *result = (struct measurement){ .command = launch->argv, .flags = flags };
    int failure = launch_find(launch, &path);
    bool whole = flags & COUNTERS_WHOLE;
    if (!failure && whole && !(flags & COUNTERS_CALLS)) {  /* nothing has to be loaded for that */
        struct launch_end end = { 0 };
        failure = run_supervised(launch, path, environ, NULL, &end, result);
        result->status = end.status;
        free(path);
        return failure;
    }
    char *library = failure ? NULL : find_library(whole ? WHOLE_LIBRARY : LIBRARY);
    if (!failure)
        failure = library ? run(launch, path, library, result) : EXIT_OURS;
    free(library);
    free(path);
    for (size_t i = 0; !failure && !result->processes && i < result->uncounted_count; i++)
        errors_say("uncounted: %s", result->uncounted[i]);
    return failure;
}

void measure_free(struct measurement *result)
{
    for (size_t i = 0; i < result->uncounted_count; i++)
        free(result->uncounted[i]);
    free(result->uncounted);
    counts_free(&result->library);
    counts_free(&result->system);
    *result = (struct measurement){ 0 };
}
