/* What a program that is about to be executed gets of ours. */
#include "exec/exec.h"

#include "counters.h"
#include "exec/room.h"
#include "exec/stack.h"
#include "filter/filter.h"
#include "filter/seal.h"
#include "process.h"
#include "report/report.h"
#include "table/environment.h"
#include "table/kernel.h"
#include "table/program.h"
#include "wrap/real.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <sys/stat.h>
#include <unistd.h>

static char library[PATH_MAX];
static const char *table;

/* What a room holds; the environment stands behind it. */
struct scratch {
    struct program program;
    char found[PATH_MAX], line[COUNTERS_NOTE_SIZE];
} __attribute__((aligned(16)));

/* The loader's name for us, made absolute: a child may have another working directory. */
static void find_library(void)
{
    const char *own = real_own_path();
    struct text text = TEXT_IN(library);
    if (own[0] != '/') {
        long length = kernel_call(SYS_getcwd, library, sizeof library - text_length(own) - 2);
        text.next += length > 0 ? length - 1 : 0;
        if (length > 0)
            text_char(&text, '/');
        else
            own = "";
    }
    text_put(&text, own);
    text_end(&text);
}

const char *exec_library(void)
{
    if (!library[0])
        find_library();
    return library;
}

void exec_begin(const char *path)
{
    table = exec_library()[0] ? path : NULL;
}

/* The variables for a child that is counted, or, with `strip`, for one that has to be without. */
static struct environment ours(bool strip, bool asan)
{
    int32_t counted = process_counted();
    bool root = counted && report_root, whole = counters_table && counters_table->flags & COUNTERS_WHOLE;
    return (struct environment){ library, table, real_own_path(), counted, root, asan, strip, whole };
}

/* Why the program could not count, though the loader would load the library; NULL: it can. What capabilities allow is
 * over with the exec, but for root. No descriptor is needed: all may be in use. */
static const char *out_of_reach(void)
{
    struct stat status;
    uid_t user = (uid_t)kernel_call(SYS_geteuid);
    if (filter_forbids_start())
        return ": behind a seccomp filter that forbids what the library calls when it begins";
    if (kernel_failed(kernel_call(SYS_newfstatat, AT_FDCWD, table, &status, AT_SYMLINK_NOFOLLOW)) ||
        (user != 0 && user != status.st_uid))
        return ": may not open the counters (another user, or another root directory)";
    if (kernel_failed(kernel_call(SYS_faccessat, AT_FDCWD, library, R_OK)))
        return ": may not read libcount.so";
    return NULL;
}

/* What will not be counted is said, if it will be executed at all. */
static void say(const struct exec_call *call, const char *path, struct text *line)
{
    if (*path && kernel_failed(kernel_call(SYS_faccessat, call->folder, path, X_OK)))
        return;
    counters_say(text_end(line));
    if (call->in_place && report_root)
        report_print(-1);
}

/* The environment for a program that was judged. */
static struct environment judge(const struct exec_call *call, struct scratch *scratch)
{
    struct text line = TEXT_IN(scratch->line);
    const char *path = call->path, *why;
    if (call->search && !program_find(path, text_variable(environ, "PATH"), scratch->found, sizeof scratch->found))
        path = scratch->found;
    program_judge(&scratch->program, call->folder, path, call->arguments);
    bool whole = counters_table->flags & COUNTERS_WHOLE;
    bool refuses = program_refuses(&scratch->program, whole), strip = program_strips(&scratch->program, whole);
    if (refuses) {
        program_say(&line, &scratch->program);
        say(call, path, &line);
    } else if ((why = out_of_reach())) {
        text_put(&line, scratch->program.path, why);
        say(call, path, &line);
        strip = true;
    }
    return ours(strip, scratch->program.verdict == PROGRAM_ASAN);
}

struct preparing {
    const struct exec_call *call;
    struct exec *exec;
    struct scratch *scratch;
};

static void prepare(void *argument)
{
    const struct preparing *preparing = argument;
    char *const *given = preparing->call->environment;
    struct environment judged = judge(preparing->call, preparing->scratch);
    if (environment_room(given, &judged))
        preparing->exec->environment = environment_fill(given, &judged, preparing->scratch + 1);
}

struct exec exec_prepare(const struct exec_call *call)
{
    struct exec exec = { call->environment, NULL };
    const char *disabled = text_variable(call->environment, "LIBCOUNT_DISABLE");
    if (dispatch_execs != call->dispatched || !counters_table || !table || (disabled && text_equal(disabled, "1")))
        return exec;
    struct environment all = ours(false, true);
    size_t size = environment_room(call->environment, &all);
    size_t stack = call->dispatched ? STACK_SIZE : 0;
    struct scratch *scratch = exec.room = room_take(sizeof *scratch + (size + 15) / 16 * 16 + stack);
    if (!scratch) {
        counters_say("programs that were executed where there was no memory left");
        return exec;
    }
    struct preparing preparing = { call, &exec, scratch };
    if (stack)
        stack_run((char *)(scratch + 1) + (size + 15) / 16 * 16 + stack, prepare, &preparing);
    else
        prepare(&preparing);
    if (call->dispatched && exec.environment == call->environment)
        exec_done(&exec);
    return exec;
}

struct exec exec_of(char *const *environment)
{
    return (struct exec){ environment, (struct scratch *)environment - 1 };
}

bool exec_again(struct exec *exec, const struct exec_call *call, int error)
{
    if (error != E2BIG || exec->environment == call->environment)
        return false;
    struct scratch *scratch = exec->room;
    struct environment none = ours(true, false);
    struct text line = TEXT_IN(scratch->line);
    text_put(&line, scratch->program.path, ": its arguments and environment leave no room for what makes it count");
    exec->environment = call->environment;
    if (environment_room(call->environment, &none))
        exec->environment = environment_fill(call->environment, &none, scratch + 1);
    say(call, call->path, &line);
    return true;
}

void exec_done(struct exec *exec)
{
    room_give_back(exec->room);
    exec->room = NULL;
}

/* `environ` is lent to all threads that ask for it at one time, and taken back by the last. The lock is held for a
 * moment; where it cannot be had (a fork left it so), that one program is not counted. */
static _Atomic bool locked;
static unsigned lenders;
static char **lent, **before;
static void *lent_room;

static bool lock(void)
{
    for (int i = 0; i < 1 << 20; i++)
        if (!atomic_exchange(&locked, true))
            return true;
    return false;
}

bool exec_lend(void)
{
    if (dispatch_execs || !counters_table || !table)
        return false;
    if (!lock()) {
        counters_say("a program that system() or popen() started while another did");
        return false;
    }
    if (!lenders) {
        struct environment child = ours(false, false);
        child.counted = 0;
        child.root = false;
        size_t size = environment_room(environ, &child);
        lent_room = size ? room_take(size) : NULL;
        before = environ;
        if (lent_room)
            environ = lent = environment_fill(environ, &child, lent_room);
    }
    lenders++;
    atomic_store(&locked, false);
    return true;
}

/* Where another thread has changed it meanwhile, it stays, and so does what it was made of. */
void exec_return(bool did)
{
    if (!did || !lock())
        return;
    if (!--lenders && lent_room && environ == lent) {
        environ = before;
        room_give_back(lent_room);
    }
    atomic_store(&locked, false);
}
