/* The constructor. The library is linked with -z initfirst, so this runs before all other constructors, libc's own
 * included: `environ` is still NULL, and the environment comes as the third argument (but in musl). Whatever fails here
 * leaves the program uncounted and running. */
#include "auxiliary.h"
#include "counters.h"
#include "dispatch/dispatch.h"
#include "exec/exec.h"
#include "files/paths.h"
#include "objects.h"
#include "process.h"
#include "report/report.h"
#include "section.h"
#include "settings.h"
#include "table/environment.h"
#include "table/file.h"
#include "table/kernel.h"
#include "table/program.h"
#include "table/text.h"
#include "valgrind.h"
#include "wrap/callers.h"
#include "wrap/entries.h"
#include "wrap/real.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>  /* environ */

/* There in a program with AddressSanitizer, which reads its options from the memory that /proc shows. */
extern void __asan_init(void) __attribute__((weak));

/* The table that LIBCOUNT_TABLE names, or one of our own, for which `made` has room; NULL: no counting. */
static struct counters_table *find_table(struct file *made, char **environment, pid_t self, const char **name)
{
    if ((*name = settings.table)) {
        enum file_answer answer = file_attach(made, settings.table);
        if (answer == FILE_STRANGE)
            text_warn(2, settings.table, ": made by another version of libcount; nothing is counted", "");
        return answer == FILE_ATTACHED ? made->table : NULL;
    }
    if (!kernel_failed(file_create(made, text_variable(environment, "TMPDIR"), settings.flags, self))) {
        kernel_call(SYS_close, made->descriptor);
        *name = made->path;
        return made->table;
    }
    if (kernel_failed(file_create_private(made, settings.flags, self)))
        return NULL;
    counters_table = made->table;
    counters_say("programs that were executed: no place for shared memory");
    return made->table;
}

/* What countcalls asks: why the loader would not put this library into a program. Nothing where it would. */
static void judge(const char *path)
{
    char line[512];
    struct program program;
    struct text text = TEXT_IN(line);
    program_judge(&program, AT_FDCWD, path, NULL);
    if (!program_refuses(&program, false))
        return;
    program_say(&text, &program);
    text_char(&text, '\n');
    kernel_call(SYS_write, 1, line, text.next - text.start);
}

static void begin(int argc, char **argv, char **environment)
{
    static struct file file;
    const char *table_name = NULL;
    pid_t self = (pid_t)kernel_call(SYS_getpid);
    auxiliary_begin(environ ? NULL : environment);
    settings_read(environment);
    if (settings.disabled && settings.debug)
        kernel_call(SYS_close, -59);  /* where counting would begin, for who compares with strace */
    if (settings.disabled || auxiliary_value(AT_SECURE) || real_second_copy())
        return;
    if (settings.judged) {
        judge(settings.judged);
        return;
    }
    real_begin(text_variable(environment, "LD_PRELOAD"));
    struct counters_table *table = find_table(&file, environment, self, &table_name);
    struct environment_found found = environment_take(environment, exec_library(), __asan_init != NULL);
    if (!table)
        return;
    bool again = settings.table && found.counted == self;
    section_begin(table, argc, argv, self, again);
    if (table->flags & COUNTERS_CALLERS)
        callers_begin();
    paths_begin(table);
    counters_begin(table);
    if (valgrind_runs())
        entries_fill();  /* later, its race detectors would blame the threads that do it */
    exec_begin(table_name);
    report_root = settings.table ? found.root && found.counted == self : true;
    process_begin(again ? self : 0);
    if (report_root && settings.table)
        settings_restore(table);
    else if (report_root)
        settings_keep(table);
    if (report_root)
        report_begin(argc, argv, table_name);
    if (table->flags & (COUNTERS_SYSCALLS | COUNTERS_PER_FILE))
        dispatch_begin();
}

struct arguments {
    int count;
    char **first, **environment;
};

/* musl calls constructors without arguments, and has set `environ` by then: to where the kernel put it, behind the
 * arguments, their number and a NULL, unless a constructor before this one has given it another place. */
static struct arguments musl_arguments(void)
{
    static char *none[1];
    struct arguments found = { 0, none, environ };
    if ((uintptr_t)environ < (uintptr_t)&found || (uintptr_t)environ > auxiliary_value(AT_EXECFN))
        return found;
    for (found.first = environ - 1; (uintptr_t)found.first[-1] != (uintptr_t)found.count; found.first--)
        found.count++;
    return found;
}

static __attribute__((constructor)) void constructor(int argc, char **argv, char **environment)
{
    int before = errno;
    if (objects_musl()) {
        struct arguments found = musl_arguments();
        argc = found.count, argv = found.first, environment = found.environment;
    }
    begin(argc, argv, environment);
    errno = before;
}
