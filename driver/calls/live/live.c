/* Runs that go on: found by the processes that have their table, and read without disturbing any. */
#include "live.h"

#include "calls/words.h"
#include "common/errors.h"
#include "common/memory.h"
#include "common/output_json.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The most that a table can need: what claims to be larger is none, and is not read. */
enum { ALL_FLAGS = COUNTERS_TIME | COUNTERS_CALLERS | COUNTERS_BY_PROCESS | COUNTERS_PER_FILE };

static const char deleted[] = " (deleted)";

int live_pid(const char *text)
{
    char *end;
    long pid = strtol(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && pid > 0 && pid <= INT_MAX ? (int)pid : -1;
}

void live_argument(int *pid, char *argument, const struct argp_state *state)
{
    if (*pid)
        argp_error(state, "one process, or none");
    *pid = live_pid(argument);
    if (*pid < 0)
        argp_error(state, "%s: not a process number", argument);
}

/* "libcount.UID.PID.RANDOM", and no link to a library beside it. */
static bool is_table(const char *path)
{
    const char *base = strrchr(path, '/');
    size_t length = strlen(path);
    return base && !strncmp(base + 1, "libcount.", 9) && isdigit((unsigned char)base[10]) &&
           (length < 3 || strcmp(path + length - 3, ".so"));
}

/* The table that a process has mapped, a new string; NULL where it has none, or we may not look. */
static char *table_of(int pid)
{
    char *name = memory_format("/proc/%d/maps", pid), *line = NULL, *found = NULL;
    size_t size = 0;
    FILE *stream = fopen(name, "re");
    free(name);
    while (stream && !found && getline(&line, &size, stream) > 0) {
        char *path = strchr(line, '/');
        if (!path)
            continue;
        path[strcspn(path, "\n")] = '\0';
        size_t length = strlen(path), end = strlen(deleted);
        if (length > end && !strcmp(path + length - end, deleted))
            path[length - end] = '\0';
        if (is_table(path))
            found = memory_strdup(path);
    }
    free(line);
    if (stream)
        fclose(stream);
    return found;
}

/* The arguments of a process; none where it is a zombie or the kernel's. */
static char **command_of(int pid)
{
    char *name = memory_format("/proc/%d/cmdline", pid), *word = NULL, **words = memory_calloc(1, sizeof *words);
    size_t size = 0, count = 0;
    FILE *stream = fopen(name, "re");
    free(name);
    while (stream && getdelim(&word, &size, '\0', stream) > 0) {
        words = memory_realloc(words, count + 2, sizeof *words);
        words[count++] = memory_strdup(word);
        words[count] = NULL;
    }
    free(word);
    if (stream)
        fclose(stream);
    return words;
}

/* A file of ours, or of anybody's for root; in the folder that the process sees, which may be another than ours. */
static int open_table(struct file *file, int pid, const char *path)
{
    struct stat status;
    char *seen = memory_format("/proc/%d/root%s", pid, path);
    int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, descriptor = open(seen, flags);
    for (int i = 0; i < 100 && descriptor < 0 && errno == EAGAIN; i++) {  /* who makes it has leased it for a moment */
        usleep(1000);
        descriptor = open(seen, flags);
    }
    free(seen);
    if (descriptor < 0 || fstat(descriptor, &status)) {
        int failure = errno;
        if (descriptor >= 0)
            close(descriptor);
        return failure;
    }
    bool ours = S_ISREG(status.st_mode) && (geteuid() == 0 || status.st_uid == geteuid());
    if (!ours) {
        close(descriptor);
        return EACCES;
    }
    file->descriptor = descriptor;
    file->size = status.st_size > 0 ? (size_t)status.st_size : 0;
    return 0;
}

/* A copy of the table that has been checked, or NULL. */
static struct counters_table *copy_table(const struct file *file)
{
    if (file->size < sizeof(struct counters_table) || file->size > counters_size(ALL_FLAGS))
        return NULL;
    struct counters_table *table = aligned_alloc(4096, (file->size + 4095) & ~(size_t)4095);
    if (table && file_read(file, table))
        return table;
    free(table);
    return NULL;
}

/* Add the run whose table `path` process `pid` has; once. */
static int add(struct lives *runs, int pid, char *path, bool asked)
{
    struct live run = { .file = { .descriptor = -1 }, .path = path, .pid = pid };
    for (size_t i = 0; i < runs->count; i++) {
        if (!strcmp(runs->run[i].path, path)) {
            free(path);
            return 0;
        }
    }
    int failure = open_table(&run.file, pid, path);
    struct counters_table *table = failure ? NULL : copy_table(&run.file);
    if (!table) {
        if (asked && failure)
            errors_say_errno(failure, "%s", path);
        else if (asked)
            errors_say("%s: not a table of counters, or one of another version than this reckon", path);
        if (!failure)
            close(run.file.descriptor);
        free(path);
        return -1;
    }
    run.pid = table->flags & COUNTERS_DRIVER ? 0 : table->root;
    free(table);
    runs->run = memory_realloc(runs->run, runs->count + 1, sizeof *runs->run);
    runs->run[runs->count++] = run;
    return 0;
}

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The numbers of all processes, the lowest first and a 0 behind the last; to be freed. */
static int *processes(void)
{
    int *list = memory_calloc(1, sizeof *list);
    size_t count = 0;
    DIR *directory = opendir("/proc");
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        int pid = live_pid(entry->d_name);
        if (pid <= 0)
            continue;
        list = memory_realloc(list, count + 2, sizeof *list);
        list[count++] = pid;
    }
    if (directory)
        closedir(directory);
    qsort(list, count, sizeof *list, by_number);
    list[count] = 0;
    return list;
}

/* The first process that has this table, beside `except`; 0: none. */
static int user_of(const char *table, int except)
{
    int found = 0, *list = processes();
    for (int *pid = list; *pid && !found; pid++) {
        char *path = *pid == except ? NULL : table_of(*pid);
        found = path && !strcmp(path, table) ? *pid : 0;
        free(path);
    }
    free(list);
    return found;
}

/* The number of the process that made the table, as its name has it. */
static int maker_of(const char *path)
{
    int user = 0, maker = 0;
    const char *base = strrchr(path, '/');
    return base && sscanf(base, "/libcount.%d.%d", &user, &maker) == 2 ? maker : 0;
}

/* The command of a run: of the process that made the table or, where reckon did, of the first other one that has it. */
static void name_command(struct live *run)
{
    int maker = maker_of(run->path);
    if (!run->pid)
        run->pid = user_of(run->path, maker);
    if (!run->pid)
        run->pid = maker;
    run->command = command_of(run->pid);
}

int live_find(struct lives *runs, int pid)
{
    *runs = (struct lives){ 0 };
    char *path = pid ? table_of(pid) : NULL;
    int failure = 0;
    if (path) {
        failure = add(runs, pid, path, true);
    } else if (pid) {
        char *process = memory_format("/proc/%d/maps", pid);
        FILE *maps = fopen(process, "re");
        if (!maps)
            errors_say_errno(errno == ENOENT ? ESRCH : errno, "process %d", pid);
        else if (!fclose(maps))
            errors_say("process %d: not counted: it has no table of libcount's", pid);
        free(process);
        failure = -1;
    }
    int *all = pid ? NULL : processes();
    for (int *other = all; other && *other; other++)
        if ((path = table_of(*other)))
            add(runs, *other, path, false);
    free(all);
    if (!pid && !runs->count) {
        errors_say("nothing of yours is being counted");
        failure = -1;
    }
    for (size_t i = 0; i < runs->count; i++)
        name_command(&runs->run[i]);
    return failure;
}

struct counters_table *live_copy(const struct live *run)
{
    return copy_table(&run->file);
}

void live_measure(const struct live *run, const struct counters_table *table, struct measurement *result)
{
    *result = (struct measurement){ .command = run->command, .flags = table->flags, .running = true };
    measure_table(result, table);
    if (table->flags & COUNTERS_WHOLE)
        measure_uncounted(result, memory_strdup("until the run ends: what the supervisor of --whole counts, such as the "
                                                "start of programs and static ones"));
}

void live_say_gone(const struct live *run)
{
    errors_say("%s: not a table of counters any more", run->path);
}

void live_list(struct output *output, const struct lives *runs)
{
    static const struct output_column columns[] = { { "process", true }, { "command", false } };
    struct output_table *table = output_table_new(columns, sizeof columns / sizeof *columns);
    json_t *array = json_array();
    for (size_t i = 0; i < runs->count; i++) {
        json_array_append_new(array, json_pack("{s:i, s:o}", "pid", runs->run[i].pid, "command",
                                               output_json_texts(runs->run[i].command)));
        char *cells[] = { memory_format("%d", runs->run[i].pid), words_text(runs->run[i].command) };
        output_table_take(table, cells);
    }
    if (output->format == OUTPUT_JSON)
        output_json(output, json_pack("{s:i, s:O}", "version", 1, "runs", array));
    else
        output_table_print(table, output);
    json_decref(array);
    output_table_free(table);
}

bool live_goes_on(const struct live *run)
{
    char *path = table_of(run->pid);
    bool still = path && !strcmp(path, run->path);  /* mostly; else look at all */
    free(path);
    return still || user_of(run->path, 0) != 0;
}

void live_free(struct lives *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        close(runs->run[i].file.descriptor);
        free(runs->run[i].path);
        words_free(runs->run[i].command);
    }
    free(runs->run);
    *runs = (struct lives){ 0 };
}
