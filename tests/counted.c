/* Runs a command under the library: see counted.h. */
#include "counted.h"

#include "shim/table/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 600 };

static const char *const names[] = {
#define CALL(family, type, name, parameters, arguments, failed) #name,
#include "shim/table/calls.def"
};

char *counted_format(const char *format, ...)
{
    char *text = NULL;
    va_list list;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0)
        fail_msg("no memory");
    va_end(list);
    return text;
}

/* This program is build/tests/FOLDER/NAME. */
const char *counted_built(const char *name)
{
    char path[4096] = "";
    if (readlink("/proc/self/exe", path, sizeof path - 1) < 0)
        fail_msg("/proc/self/exe: %s", strerror(errno));
    char *tests = strstr(path, "/tests/");
    for (char *next = tests; next; next = strstr(next + 1, "/tests/"))
        tests = next;
    if (!tests)
        fail_msg("%s: not below build/tests", path);
    *tests = 0;
    return counted_format("%s/%s", path, name);
}

const char *counted_source(const char *name)
{
    return counted_built(counted_format("../%s", name));
}

/* A table in /dev/shm, named as the driver's. */
static struct counters_table *make_table(uint32_t flags, char *path, size_t room)
{
    static unsigned number;
    snprintf(path, room, "/dev/shm/libcount.%d.%d.%u", (int)geteuid(), (int)getpid(), number++);
    size_t size = counters_size(flags);
    int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0 || ftruncate(descriptor, (off_t)size) != 0)
        fail_msg("%s: %s", path, strerror(errno));
    struct counters_table *table = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (table == MAP_FAILED)
        fail_msg("%s: %s", path, strerror(errno));
    counters_initialise(table, flags, (int32_t)getpid());
    return table;
}

static void set(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
}

static void set_environment(const struct counted_setup *setup, const char *table)
{
    static const char *const ours[] = { "LIBCOUNT_OUTPUT", "LIBCOUNT_FORMAT", "LIBCOUNT_LEVEL", "LIBCOUNT_TIME",
                                        "LIBCOUNT_DISABLE", "LIBCOUNT_DEBUG", "LIBCOUNT_TABLE", "LIBCOUNT_PID" };
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        unsetenv(ours[i]);
    set("LC_ALL", "C.UTF-8");
    const char *library = setup->library ? setup->library : LIBRARY;
    if (!setup->native) {
        if (setup->first || setup->bare)
            set("LD_PRELOAD", counted_format("%s%s%s%s%s", setup->first ? setup->first : "", setup->first ? ":" : "",
                                             library, setup->last ? ":" : "", setup->last ? setup->last : ""));
        else
            set("LD_PRELOAD", setup->last);
        set("LIBCOUNT_LEVEL", setup->bare ? "calls" : NULL);
    } else if (setup->first || setup->last) {
        set("LD_PRELOAD", counted_format("%s:%s", setup->first ? setup->first : "", setup->last ? setup->last : ""));
    }
    for (const char *const *entry = setup->environment; entry && *entry; entry++)
        if (strchr(*entry, '='))
            putenv((char *)*entry);
        else
            unsetenv(*entry);
    const struct environment added = { .library = library, .table = table };
    if (table && environment_room(environ, &added))
        environ = environment_fill(environ, &added, malloc(environment_room(environ, &added)));
}

static _Noreturn void child(const struct counted_setup *setup, const char *table, const int *streams,
                            const char *const *command)
{
    int input = open("/dev/null", O_RDONLY);
    if (dup2(input, 0) < 0 || dup2(streams[0], 1) < 0 || dup2(streams[setup->merged ? 0 : 1], 2) < 0)
        _exit(125);
    close(input);
    setpgid(0, 0);
    if (setup->folder && chdir(setup->folder) != 0)
        _exit(125);
    set_environment(setup, table);
    if (setup->prepare)
        setup->prepare();
    execvp(command[0], (char *const *)command);
    perror(command[0]);
    _exit(127);
}

/* waitpid() that ends after SECONDS with the process, by SIGKILL. */
static int wait_for(pid_t process, const char *command)
{
    int status, descriptor = (int)syscall(SYS_pidfd_open, process, 0);
    struct pollfd ended = { .fd = descriptor, .events = POLLIN };
    bool late = descriptor >= 0 && poll(&ended, 1, SECONDS * 1000) == 0;
    if (late)
        kill(-process, SIGKILL);
    waitpid(process, &status, 0);
    close(descriptor);
    if (late)
        fail_msg("%s: still running after %d seconds", command, SECONDS);
    return status;
}

static char *contents(int descriptor, size_t *size)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        fail_msg("fstat: %s", strerror(errno));
    char *text = calloc(1, (size_t)status.st_size + 1);
    ssize_t bytes = pread(descriptor, text, (size_t)status.st_size, 0);
    if (size)
        *size = bytes > 0 ? (size_t)bytes : 0;
    close(descriptor);
    return text;
}

struct counted counted_run(const struct counted_setup *setup, const char *const *command)
{
    char path[64];
    struct counted run = { .table = NULL };
    bool table = !setup->native && !setup->bare;
    if (table)
        run.table = make_table((setup->flags ? setup->flags : COUNTERS_CALLS) | COUNTERS_DRIVER, path, sizeof path);
    int streams[2] = { memfd_create("output", MFD_CLOEXEC), memfd_create("errors", MFD_CLOEXEC) };
    run.process = fork();
    if (run.process == 0)
        child(setup, table ? path : NULL, streams, command);
    run.status = wait_for(run.process, command[0]);
    if (table)
        unlink(path);
    run.output = contents(streams[0], &run.output_size);
    run.errors = contents(streams[1], &run.errors_size);
    return run;
}

void counted_free(struct counted *run)
{
    if (run->table)
        munmap(run->table, run->table->size);
    free(run->output);
    free(run->errors);
}

struct counted_sum counted_row(const struct counted *run, const char *name)
{
    struct counted_sum sum = { 0, 0 };
    for (size_t row = 0; row < LIBRARY_CALLS; row++) {
        if (strcmp(names[row], name) != 0)
            continue;
        for (size_t shard = 0; shard < COUNTERS_SHARDS; shard++) {
            sum.calls += run->table->shard[shard].library[row].calls;
            sum.errors += run->table->shard[shard].library[row].errors;
        }
        return sum;
    }
    fail_msg("%s: no row of calls.def", name);
    return sum;
}

uint64_t counted_total(const struct counted *run)
{
    uint64_t sum = 0;
    for (size_t row = 0; row < LIBRARY_CALLS; row++)
        sum += counted_row(run, names[row]).calls;
    return sum;
}

const char *counted_note(const struct counted *run, size_t n)
{
    return n < COUNTERS_NOTES && run->table->notes[n].state == 2 ? run->table->notes[n].text : NULL;
}

static void assert_number(const struct counted *run, const char *what, uint64_t is, uint64_t wanted, const char *file,
                          int line)
{
    if (is == wanted)
        return;
    print_error("%s: %lu, expected %lu\n%s", what, (unsigned long)is, (unsigned long)wanted, run->errors);
    _fail(file, line);
}

void counted_assert_calls(const struct counted *run, const char *name, uint64_t wanted, const char *file, int line)
{
    assert_number(run, name, counted_row(run, name).calls, wanted, file, line);
}

void counted_assert_errors(const struct counted *run, const char *name, uint64_t wanted, const char *file, int line)
{
    assert_number(run, name, counted_row(run, name).errors, wanted, file, line);
}

void counted_assert_exit(const struct counted *run, int wanted, const char *file, int line)
{
    if (!WIFEXITED(run->status))
        assert_number(run, "killed by signal", (uint64_t)WTERMSIG(run->status), 0, file, line);
    assert_number(run, "exit status", (uint64_t)WEXITSTATUS(run->status), (uint64_t)wanted, file, line);
}

void counted_assert_signal(const struct counted *run, int wanted, const char *file, int line)
{
    if (!WIFSIGNALED(run->status))
        assert_number(run, "not killed, exit status", (uint64_t)WEXITSTATUS(run->status), 256, file, line);
    assert_number(run, "signal", (uint64_t)WTERMSIG(run->status), (uint64_t)wanted, file, line);
}

static void assert_text(const char *command, const char *what, const char *is, const char *wanted, size_t is_size,
                        size_t wanted_size, const char *file, int line)
{
    if (is_size == wanted_size && memcmp(is, wanted, is_size) == 0)
        return;
    print_error("%s: %s differs.\nWith the library:\n%s\nWithout:\n%s\n", command, what, is, wanted);
    _fail(file, line);
}

void counted_assert_native(const struct counted_setup *setup, const char *const *command, const char *file, int line)
{
    struct counted_setup bare = *setup;
    bare.native = true;
    struct counted with = counted_run(setup, command), without = counted_run(&bare, command);
    assert_text(command[0], "standard output", with.output, without.output, with.output_size, without.output_size,
                file, line);
    assert_text(command[0], "standard error", with.errors, without.errors, with.errors_size, without.errors_size,
                file, line);
    assert_number(&with, command[0], (uint64_t)with.status, (uint64_t)without.status, file, line);
    if (with.table && !counted_total(&with)) {
        print_error("%s: nothing was counted\n", command[0]);
        _fail(file, line);
    }
    counted_free(&with);
    counted_free(&without);
}

const char *counted_compiled(const char *name, const char *source, const char *flags)
{
    const char *compiler = getenv("CC"), *built = counted_built(name);
    bool other = flags[0] && flags[0] != '-', ours = !strstr(flags, "static") && !strstr(flags, "musl");
    char *line = counted_format("mkdir -p $(dirname %s) && %s %s -D_GNU_SOURCE -D__NO_INLINE__ -I%s -o %s %s %s %s 2>%s.log",
                                built, other ? "" : compiler ? compiler : "cc", flags, counted_source(""), built,
                                counted_source(counted_format("tests/fixture/%s.c", source)),
                                ours ? "-Wl,--as-needed" : "", ours ? FIXTURE("library/libc.so.newer") : "", built);
    return system(line) == 0 ? built : NULL;
}

char *counted_folder(void)
{
    const char *temporary = getenv("TMPDIR");
    char *folder = counted_format("%s/libcount-test-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(folder))
        fail_msg("%s: %s", folder, strerror(errno));
    return folder;
}

static int remove_one(const char *path, const struct stat *status, int flag, struct FTW *where)
{
    (void)status, (void)flag, (void)where;
    return remove(path);
}

void counted_remove(char *folder)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(folder);
}

char *counted_read(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    return descriptor < 0 ? NULL : contents(descriptor, NULL);
}
