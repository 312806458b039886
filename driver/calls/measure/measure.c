/* One command, counted: library found, table made, environment prepared; at the end the table is read and explained. */
#include "measure.h"

#include "calls/table.h"
#include "calls/whole/supervisor.h"
#include "common/errors.h"
#include "common/memory.h"
#include "library.h"
#include "shim/table/file.h"
#include "shim/table/program.h"
#include "shim/table/reasons.h"
#include "users.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIBRARY "libcount.so"
#define WHOLE_LIBRARY "libcount-whole.so"

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

/* What the table itself says is missing. */
static void explain_table(struct measurement *result, const struct counters_table *table)
{
    char line[COUNTERS_NOTE_SIZE + 64];
    for (size_t n = 0;; n++) {
        struct text text = TEXT_IN(line);
        if (!reasons_line(&text, table, n))
            return;
        measure_uncounted(result, memory_strdup(text_end(&text)));
    }
}

/* Processes that live on are not waited for, as a shell would not; what they do from now on is lost. */
static void explain_users(struct measurement *result, const struct file *file)
{
    size_t count;
    char *users = users_of(file, &count);
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
    else if (library_counts_us())
        measure_uncounted(result, memory_format("%s: counted by the run that counts this reckon, not by this one", path));
    else if (access(path, R_OK))
        measure_uncounted(result, memory_format("%s: " LIBRARY " was not loaded, and the file cannot be read to see why",
                                            path));
    else
        measure_uncounted(result, memory_format("%s: " LIBRARY " was not loaded into it, or is of another version "
                                            "than this reckon", path));
}

void measure_table(struct measurement *result, const struct counters_table *table)
{
    if (result->processes < table->processes)
        result->processes = table->processes;
    result->system_counted |= table->dispatch & DISPATCH_ARMED;
    if (result->flags & COUNTERS_CALLS)
        result->library = table_library(table);
    if (result->flags & COUNTERS_SYSCALLS)
        table_system(table, &result->system);
    if (counters_sections(table->flags))
        table_groups(table, result->flags, &result->groups);
    if (table->flags & COUNTERS_PER_FILE)
        files_read(table, &result->files);
    if (table->flags & COUNTERS_PER_FILE && table->processes && !(table->dispatch & DISPATCH_ARMED))
        measure_uncounted(result, memory_strdup("files: they are told by system calls, and those are not counted here"));
    explain_table(result, table);
}

/* The command can write what it likes into its table, and cut the file: a copy is read, and checked again. */
static void read_table(struct measurement *result, const struct file *file)
{
    struct counters_table *table = aligned_alloc(4096, (file->size + 4095) & ~(size_t)4095);
    if (!table || !file_read(file, table)) {
        measure_uncounted(result, memory_strdup("everything: the counters were overwritten by the command"));
        free(table);
        return;
    }
    measure_table(result, table);
    explain_users(result, file);
    free(table);
}

/* Run it with a supervisor, which stays until the last descendant has ended: orphans become our children for that. */
static int run_supervised(const struct launch *launch, const char *path, char **environment, const char *library,
                          struct launch_end *end, struct measurement *result)
{
    struct supervisor *supervisor = supervisor_begin(library, result->flags);
    struct launch supervised = *launch;
    if (!supervisor)
        return EXIT_OURS;
    supervised.supervisor = supervisor;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    int failure = launch_run(&supervised, path, environment, end);
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
        continue;
    struct count_run *run = supervisor_end(supervisor);
    result->system_counted = result->startup_known = true;
    result->startup = run->startup;
    result->processes = run->tasks.begun;
    count_add(run, &result->system);
    count_add_groups(run, &result->groups);
    if (result->flags & COUNTERS_PER_FILE && counts_total(&result->system).calls)
        measure_uncounted(result, memory_format("files of %" PRIu64 " system calls that only the supervisor saw",
                                                counts_total(&result->system).calls));
    for (size_t i = 0; i < run->note_count && !failure; i++)
        measure_uncounted(result, memory_strdup(run->notes[i]));
    count_free(run);
    return failure;
}

/* Whether the library will not get into the command. A whole run of somebody else's than root's gives no privilege, so
 * the loader does not mind the library. */
static bool refuses(const struct program *program, uint32_t flags)
{
    bool privileged = program->verdict >= PROGRAM_SETUID && program->verdict <= PROGRAM_CAPABLE;
    return program_refuses(program, flags & COUNTERS_WHOLE) && !(privileged && flags & COUNTERS_WHOLE && geteuid() != 0);
}

static void explain_refusal(struct measurement *result, const struct program *program)
{
    char line[2 * sizeof program->path];
    struct text text = TEXT_IN(line);
    text_put(&text, result->flags & COUNTERS_WHOLE ? "library calls: " : "");
    program_say(&text, program);
    measure_uncounted(result, memory_strdup(text_end(&text)));
}

/* A whole run for system calls alone: the library is there for speed. */
static bool optional(uint32_t flags)
{
    return (flags & (COUNTERS_WHOLE | COUNTERS_CALLS)) == COUNTERS_WHOLE;
}

/* Run it with a library and a table. Where the loader would complain about the library, or give up, it gets neither;
 * nor does it where the library is optional and does not get in. */
static int run_with(const struct launch *launch, const char *path, const char *library, const struct file *file,
                    struct measurement *result)
{
    struct launch_end end = { 0 };
    struct program program;
    program_judge(&program, AT_FDCWD, path, launch->argv);
    bool refused = refuses(&program, result->flags);
    char *name = library_name(library, file->path);
    if (!name)
        return EXIT_OURS;
    char **loading = library_environment(name, file->path, result->flags & COUNTERS_WHOLE);
    bool alone = program_strips(&program, result->flags & COUNTERS_WHOLE) || (refused && optional(result->flags));
    char **environment = alone ? environ : loading;
    int failure = result->flags & COUNTERS_WHOLE ? run_supervised(launch, path, environment, name, &end, result)
                                                 : launch_run(launch, path, environment, &end);
    result->status = end.status;
    if (!failure && refused && !optional(result->flags))
        explain_refusal(result, &program);
    if (!failure)
        read_table(result, file);
    if (!failure && !result->processes && !result->uncounted_count)
        explain_silence(result, path);
    free(loading);
    library_unlink(library, name);
    free(name);
    return failure;
}

/* Without a library. */
static int run_alone(const struct launch *launch, const char *path, struct measurement *result)
{
    struct launch_end end = { 0 };
    int failure = run_supervised(launch, path, environ, NULL, &end, result);
    result->status = end.status;
    return failure;
}

static int run(const struct launch *launch, const char *path, struct measurement *result)
{
    struct file file = { .descriptor = -1 };
    bool quick = optional(result->flags), alone = quick && (result->flags & MEASURE_KERNEL || !library_dispatches());
    char *library = alone ? NULL : library_find(result->flags & COUNTERS_WHOLE ? WHOLE_LIBRARY : LIBRARY,
                                                quick ? NULL : "library");
    if (!library)
        return quick ? run_alone(launch, path, result) : EXIT_OURS;
    long failed = file_create(&file, getenv("TMPDIR"), result->flags | COUNTERS_DRIVER, getpid());
    if (failed && !quick)
        errors_say_errno((int)-failed, "counters: %s", file.path);
    int failure = EXIT_OURS;
    if (!failed)
        failure = run_with(launch, path, library, &file, result);
    else if (quick)
        failure = run_alone(launch, path, result);
    if (!failed)
        file_close(&file);
    free(library);
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

void measure_by_errno(struct measurement *result)
{
    result->by_errno = true;
    result->library_errors = counts_by_errno(&result->library);
    result->system_errors = counts_by_errno(&result->system);
}

int measure(const struct launch *launch, uint32_t flags, struct measurement *result)
{
    char *path = NULL;
    *result = (struct measurement){ .command = launch->argv, .flags = flags };
    int failure = launch_find(launch, &path);
    if (!failure)
        failure = run(launch, path, result);
    free(path);
    return failure;
}

void measure_warn(const struct measurement *result)
{
    for (size_t i = 0; !result->processes && i < result->uncounted_count; i++)
        errors_say("uncounted: %s", result->uncounted[i]);
}

void measure_free(struct measurement *result)
{
    for (size_t i = 0; i < result->uncounted_count; i++)
        free(result->uncounted[i]);
    free(result->uncounted);
    counts_free(&result->library);
    counts_free(&result->system);
    counts_free(&result->library_errors);
    counts_free(&result->system_errors);
    counts_free(&result->callers);
    groups_free(&result->groups);
    files_free(&result->files);
    *result = (struct measurement){ 0 };
}
