/* What the files of the library know of each other. Nothing here is exported. */
#ifndef SHIM_SHIM_H
#define SHIM_SHIM_H

#include "table/counters.h"
#include "table/text.h"

#include <sys/types.h>

/* counters.c: where this process adds. */
extern struct counters_table *counters_table;                /* NULL: not begun, or counting is off */
extern _Thread_local struct counters_shard *counters_mine;   /* this thread's shard, NULL until it counts */
extern bool counters_timed;
struct counters_shard *counters_claim(void);
void counters_begin(struct counters_table *table);
struct counter counters_sum(const struct counters_table *table, size_t row, bool system);
void counters_say(const char *text);                         /* a line under "uncounted" */
void counters_took(size_t row, bool system, uint64_t ns);    /* only where counters_timed */

static inline struct counter *counters_row(enum library_call call)
{
    struct counters_shard *mine = counters_mine;
    return &(__builtin_expect(mine != NULL, 1) ? mine : counters_claim())->library[call];
}

static inline void counters_add(_Atomic uint64_t *counter)
{
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

/* real.c: the definition of a function that would have been called without us, NULL where there is none. Takes no
 * lock, allocates nothing, and may be called at any time, in signal handlers too. */
void *real_next(enum library_call call);
void *real_symbol(const char *name);     /* the same for any symbol behind us */
void *real_vdso(const char *name);       /* a function of the vDSO */
void *real_version(_Atomic(void *) *next, const char *name, const char *version);  /* of a version, kept in *next */
const char *real_own_path(void);         /* the path that the loader has for this library */
bool real_second_copy(void);             /* another libcount.so stands before this one */

/* Calls of libc's own functions by the library: the next definition, uncounted. */
#define REAL(name) ((__typeof__(&name))real_next(CALL_##name))

/* settings.c: LIBCOUNT_* of the environment. */
enum settings_format { FORMAT_TABLE, FORMAT_JSON, FORMAT_CSV };
struct settings {
    bool disabled, debug;
    enum settings_format format;
    uint32_t flags;                      /* enum counters_flags */
    const char *output;                  /* LIBCOUNT_OUTPUT, or NULL */
    const char *table;                   /* LIBCOUNT_TABLE: the table to add to, or NULL */
    pid_t counted;                       /* LIBCOUNT_PID: the process that the table has already, or 0 */
};
extern struct settings settings;
void settings_read(char **environment);

/* environment.c: our variables in the environment of a child. */
void environment_begin(char **environment, const char *table_path);
size_t environment_room(char *const *environment);    /* bytes that environment_fill needs, 0: nothing to add */
enum environment_kind {
    ENVIRONMENT_OURS,                    /* our variables are added */
    ENVIRONMENT_STRIPPED,                /* taken out: the loader would complain or give up */
    ENVIRONMENT_ASAN,                    /* added, and AddressSanitizer is told that it may come behind us */
};
char **environment_fill(char *const *environment, void *room, enum environment_kind kind);
/* Around system() and popen(), which use `environ`: where that lacks our variables, it is one that has them. */
struct environment_lent {
    char **ours, **before;               /* NULL: nothing was changed */
    size_t size;
} environment_lend(void);
void environment_return(struct environment_lent lent);
bool environment_reaches_table(void);    /* could a program that is executed now open the table? */
/* process.c: processes and their end. */
void process_begin(pid_t counted);
void process_seen(void);                 /* count this process if it was not */
void process_born(void);                 /* the same in a child of fork, which needs no question who it is */
bool process_counted(pid_t self);
void process_ending(int status);         /* this process is about to leave */
void process_task_ending(void);          /* the calling task alone is */
void process_forked(unsigned long flags, long number);   /* clone or fork returned 0 */
#ifdef SYS_fork
#define process_fork_number SYS_fork
#else
#define process_fork_number (-1)
#endif

/* report.c: the report that the root prints. */
void report_begin(int argc, char **argv, const char *table_name);
void report_keep_stderr(unsigned first, unsigned last);  /* these descriptors are about to be closed */
unsigned report_kept(unsigned first, unsigned last);     /* the lowest of these that is the report's own, or ~0u */
void report_move(unsigned number);       /* the program is about to put a file there */
void report_keep_output(void);           /* the root directory is about to change */
void report_keep_folder(void);           /* the same for the table's folder */
void report_print(int status);           /* once, and only in the root; -1: how it ends is not known */
void report_seal(void);                  /* a seccomp filter is coming: open now what is needed later */
void report_quick(int status);           /* quick_exit() is running */
#define REPORT_SIGNAL 256                /* status of a process that signal N ends: REPORT_SIGNAL + N */
extern bool report_root;                 /* this process prints (a child of vfork shares the flag with its parent) */

/* report_text.c: what the report says. */
void report_text(struct text *text, int status, const struct text *command);

/* dispatch/: system calls. */
void dispatch_begin(void);
extern bool dispatch_mute;               /* the program's seccomp filter forbids getpid, or to write the report */
extern bool dispatch_armed;              /* exit_group comes here: nothing earlier needs to report */

#endif
