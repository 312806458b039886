/* Our variables in the environment that a child gets: LD_PRELOAD with this library in front of what was there,
 * LIBCOUNT_TABLE with the table's path, and LIBCOUNT_PID, by which a program that this very process executes knows
 * that the process is counted already. They are put back where a program cleared them. */
#include "exec/environment.h"

#include "counters.h"
#include "table/kernel.h"
#include "table/text.h"
#include "wrap/real.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ADDED = 4 };
static char library[4096];        /* absolute path of this library; empty: nothing is added */
static const char *table_name;

/* The place of the library in a value of LD_PRELOAD, whose entries end with a colon or a space. */
static const char *find_entry(const char *value, const char *entry)
{
    size_t length = text_length(entry);
    for (const char *at = value; *at; at++) {
        bool first = at == value || at[-1] == ':' || at[-1] == ' ';
        if (first && text_begins(at, entry) && (!at[length] || at[length] == ':' || at[length] == ' '))
            return at;
    }
    return NULL;
}

/* The loader's name for us, made absolute: a child may have another working directory. */
static void find_library(void)
{
    const char *own = real_own_path();
    struct text text = { library, library, library + sizeof library - 1 };
    if (own[0] != '/') {
        long length = kernel_call(SYS_getcwd, library, sizeof library - text_length(own) - 2);
        if (length <= 0) {
            library[0] = 0;
            return;
        }
        text.next = library + length - 1;
        text_char(&text, '/');
    }
    text_put(&text, own);
    *text.next = 0;
}

/* Where LD_PRELOAD names us by a relative path, the program's own environment gets the absolute one. */
static void make_absolute(char **environment)
{
    static char value[sizeof library + 4096];
    const char *own = real_own_path(), *old = text_variable(environment, "LD_PRELOAD");
    const char *entry = old && own[0] != '/' ? find_entry(old, own) : NULL;
    if (!entry || text_length(old) > 4000)
        return;
    struct text text = { value, value, value + sizeof value - 1 };
    text_put(&text, "LD_PRELOAD=");
    for (const char *c = old; c < entry; c++)
        text_char(&text, *c);
    text_put(&text, library);
    text_put(&text, entry + text_length(own));
    *text.next = 0;
    for (; *environment; environment++)
        if (text_begins(*environment, "LD_PRELOAD="))
            *environment = value;
}

bool environment_reaches_table(void)
{
    if (!table_name)
        return true;  /* there is none to reach: said at the start */
    struct stat status;
    int descriptor = (int)kernel_call(SYS_openat, AT_FDCWD, table_name, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);
    if (descriptor < 0)
        return false;
    bool known = !kernel_failed(kernel_call(SYS_fstat, descriptor, &status));
    kernel_call(SYS_close, descriptor);
    uid_t user = (uid_t)kernel_call(SYS_geteuid);  /* what capabilities allow is over with the exec, but for root */
    return user == 0 || (known && status.st_uid == user);
}

void environment_begin(char **environment, const char *name)
{
    table_name = name;
    find_library();
    make_absolute(environment);
}

size_t environment_room(char *const *environment)
{
    size_t count = 0;
    if (!counters_table || !table_name || !library[0])
        return 0;
    const char *disable = text_variable(environment, "LIBCOUNT_DISABLE");
    if (disable && text_equal(disable, "1"))
        return 0;
    const char *old = text_variable(environment, "LD_PRELOAD");
    const char *asan = text_variable(environment, "ASAN_OPTIONS");
    while (environment && environment[count])
        count++;
    return (count + ADDED + 1) * sizeof(char *) + text_length(library) + text_length(table_name) +
           (old ? text_length(old) : 0) + (asan ? text_length(asan) : 0) + 192;
}

/* LD_PRELOAD=, with the library in front of the old entries or, with `strip`, taken out of them. */
static char *put_preload(struct text *text, const char *old, bool strip)
{
    char *start = text->next;
    const char *entry = find_entry(old, library);
    text_put(text, "LD_PRELOAD=");
    if (entry && strip) {
        const char *rest = entry + text_length(library);
        for (const char *c = old; c < entry; c++)
            text_char(text, *c);
        text_put(text, *rest ? rest + 1 : rest);
    } else {
        if (!entry && !strip) {
            text_put(text, library);
            text_put(text, *old ? ":" : "");
        }
        text_put(text, old);
    }
    text_char(text, 0);
    return start;
}

static char *put_table(struct text *text)
{
    char *start = text->next;
    text_put(text, "LIBCOUNT_TABLE=");
    text_put(text, table_name);
    text_char(text, 0);
    return start;
}

static char *put_pid(struct text *text, pid_t counted)
{
    char *start = text->next;
    text_put(text, "LIBCOUNT_PID=");
    text_number(text, (uint64_t)counted, 0);
    text_char(text, 0);
    return start;
}

static char *put_asan(struct text *text, const char *old)
{
    static const char option[] = "verify_asan_link_order=0";
    char *start = text->next;
    text_put(text, "ASAN_OPTIONS=");
    if (!text_begins(old, option)) {
        text_put(text, option);
        text_put(text, *old ? ":" : "");
    }
    text_put(text, old);
    text_char(text, 0);
    return start;
}

char **environment_fill(char *const *environment, void *room, enum environment_kind kind, pid_t counted)
{
    static const char *const names[ADDED] = { "LD_PRELOAD=", "LIBCOUNT_TABLE=", "LIBCOUNT_PID=", "ASAN_OPTIONS=" };
    int last = kind == ENVIRONMENT_ASAN ? ADDED : ADDED - 1;
    size_t count = 0, kept = 0, bytes = environment_room(environment);
    const char *old = text_variable(environment, "LD_PRELOAD");
    const char *asan = text_variable(environment, "ASAN_OPTIONS");
    while (environment && environment[count])
        count++;
    char **filled = room;
    struct text text = { room, (char *)(filled + count + ADDED + 1), (char *)room + bytes };
    char *values[ADDED] = { put_preload(&text, old ? old : "", kind == ENVIRONMENT_STRIPPED), put_table(&text),
                            counted ? put_pid(&text, counted) : NULL,
                            kind == ENVIRONMENT_ASAN ? put_asan(&text, asan ? asan : "") : NULL };
    for (size_t i = 0; i < count; i++) {
        int own = 0;
        while (own < last && !text_begins(environment[i], names[own]))
            own++;
        if (own == last) {
            filled[kept++] = environment[i];
        } else if (values[own]) {  /* in its old place, once */
            filled[kept++] = values[own];
            values[own] = NULL;
        }
    }
    for (int own = 0; own < ADDED; own++)
        if (values[own])
            filled[kept++] = values[own];
    filled[kept] = NULL;
    return filled;
}

/* Not by setenv(), which would change what the program reads, nor on the stack, which a cancelled thread leaves. */
struct environment_lent environment_lend(pid_t counted)
{
    struct environment_lent lent = { NULL, NULL, environment_room(environ) };
    const char *table = text_variable(environ, "LIBCOUNT_TABLE"), *old = text_variable(environ, "LD_PRELOAD");
    if (!lent.size || (table && text_equal(table, table_name) && old && find_entry(old, library)))
        return lent;
    long memory = kernel_call(SYS_mmap, 0, lent.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (kernel_failed(memory))
        return lent;
    lent.before = environ;
    environ = lent.ours = environment_fill(environ, (void *)memory, ENVIRONMENT_OURS, counted);
    return lent;
}

void environment_return(struct environment_lent lent)
{
    if (!lent.ours || environ != lent.ours)  /* or another thread has changed it meanwhile: then it stays */
        return;
    environ = lent.before;
    kernel_call(SYS_munmap, lent.ours, lent.size);
}
